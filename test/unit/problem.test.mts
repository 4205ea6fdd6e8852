import { expect, test } from 'vitest';

import { InputError } from '#connector/domain/inputError.ts';
import { type Problem, problemText } from '#connector/domain/problem.ts';

test.each<[Partial<Problem>, string]>([
	[{}, 'is missing'],
	[{ value: '"x"' }, '"x" is missing'],
	[{ rows: [3, 4] }, 'rows 3 and 4: is missing'],
	[{ instance: 2 }, 'instance 2: is missing'],
	[{ subject: '"Site"' }, '"Site": is missing'],
	[{ subject: '"Site"', instance: 2 }, '"Site" (instance 2): is missing'],
	[{ subject: '"Site"', instance: 2, rows: [3] }, '"Site" (row 3): is missing'],
])('a problem is one sentence: %j', (problem, text) => {
	expect(problemText({ wrong: 'is missing', ...problem })).toBe(text);
});

test('an error of input is its problem, where it has no list of them', () => {
	const error = new InputError('Unique Key is empty. Give a value.');
	expect(error.problems).toEqual([{ wrong: 'Unique Key is empty. Give a value' }]);
	expect(error.name).toBe('InputError');
});
