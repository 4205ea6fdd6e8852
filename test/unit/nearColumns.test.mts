import fc from 'fast-check';
import { expect, it } from 'vitest';

import { meantColumns } from '#connector/domain/create/meantColumns.ts';
import { formWith } from '#harness/forms.mts';
import { control, repeatable, text } from '#harness/generatedTemplate.mts';

const FORM = formWith(
	control('number', 'Temperature (°C)'),
	text("Manager's name"),
	text('Date of visit'),
	control('checkbox', 'Defects', { choices: ['Crack', 'Rust'] }),
	repeatable('Finding', text('Description')),
	text('Size (m)'),
	text('Size (kg)'),
);
const told = (...columns: string[]) =>
	[...meantColumns(FORM, columns, []).problems.values()].map(({ message }) => message);

const NEAR = [
	['Temperature', 'Temperature (°C)'],
	['Temperature (ºC)', 'Temperature (°C)'],
	['temperature_c', 'Temperature (°C)'],
	['Manager’s name', "Manager's name"],
	['date_of_visit', 'Date of visit'],
	['Date of vist', 'Date of visit'],
	['Finding[1]/Description', 'Description'],
	['Finding:1/Description', 'Description'],
	['Finding[3]/Description', 'Description:3'],
	['Description[2]', 'Description:2'],
	['Description_2', 'Description:2'],
] as const;

it.each(NEAR)('%j is near to the question %j', (column, name) => {
	expect(told('Nr', column)).toEqual([
		`"${column}" matches no question, but it resembles "${name}", which no column answers. Rename the column to "${name}", or choose 'Map Each Column Manually'`,
	]);
});

it('finds a column only if no other column answers its question, in any order', () => {
	const columns = fc.subarray([...NEAR]).chain((some) => fc.tuple(fc.constant(some), fc.boolean()));
	fc.assert(
		fc.property(columns, ([some, isAnswered]) => {
			const near = some.map(([column]) => column);
			const others = isAnswered ? some.map(([, name]) => name) : ['Nr', 'Colour', '__EMPTY'];
			expect(told(...others, ...near)).toHaveLength(isAnswered ? 0 : near.length);
			expect(told(...near, ...others)).toHaveLength(isAnswered ? 0 : near.length);
		}),
	);
});

it.each(['Size', 'Nr', 'Defects/Crack', 'Inspector', 'name', 'row_number', '__EMPTY_1', '()'])(
	"%j isn't near to exactly one question",
	(column) => {
		expect(told(column)).toEqual([]);
	},
);
