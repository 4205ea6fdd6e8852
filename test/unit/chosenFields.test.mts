import { describe, expect, it } from 'vitest';

import {
	missingFields,
	onlyFields,
} from '../../nodes/InspectionService/domain/row/chosenFields.ts';

describe('the fields that were chosen', () => {
	it('come in the order chosen, null where there is none', () => {
		const record = JSON.parse('{"a":1,"b":null,"__proto__":2}');
		expect(Object.entries(onlyFields(record, ['b', '__proto__', 'toString', 'a']))).toEqual([
			['b', null],
			['__proto__', 2],
			['toString', null],
			['a', 1],
		]);
	});

	it('are named where no item has them, with the nearest one', () => {
		expect(missingFields([{ Weather: 1 }], ['Wether', 'zzzzzz', 'Weather'])).toEqual([
			'Fields: no item has a field "Wether"; did you mean "Weather"?',
			'Fields: no item has a field "zzzzzz".',
		]);
		expect(missingFields([{ a: 1 }, { b: 1 }], ['a', 'b'])).toEqual([]);
	});

	it('are not missed where there are no items', () => {
		expect(missingFields([], ['Weather'])).toEqual([]);
	});
});
