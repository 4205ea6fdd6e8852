import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { yesNoWords } from '#connector/domain/answer/yesNo.ts';
import { meantColumns } from '#connector/domain/create/meantColumns.ts';
import { sheetFacts } from '#connector/domain/create/sheet.ts';
import { formWith } from '#harness/forms.mts';
import { control, page, repeatable } from '#harness/generatedTemplate.mts';
import { groupRequest, problemOf, requestOf, rowOf } from '#harness/madeOfRows.mts';

const PPE = ['Casco', 'Guanti', 'Imbracatura', 'Occhiali/visiera', '08:30'];
const FORM = formWith(
	page('Visit', control('checkbox', 'DPI', { choices: PPE })),
	control('radio', 'Result', { choices: ['Good', 'Bad'] }),
	control('dropdown', 'Weather', { choices: ['Sun', 'Rain'] }),
	repeatable('Finding', control('checkbox', 'Defects', { choices: ['Crack', 'Rust', 'Dust'] })),
	control('checkbox', 'Damage', { choices: ['Dust', 'Dirt', 'Good'] }),
);
type Cells = Record<string, unknown>;

/** The settings that a run has for a sheet with these rows. */
const settingsFor = (rows: readonly Cells[], words?: ReturnType<typeof yesNoWords>) => ({
	sheet: sheetFacts(FORM, rows, words),
	words,
});
/** Returns the answers of a sheet with one row, by label and instance. */
const answersTo = (row: Cells, words?: ReturnType<typeof yesNoWords>) => {
	const { sent } = requestOf(FORM, [rowOf(row)], settingsFor([row], words));
	return Object.fromEntries(
		sent.map(({ question, order, value }) => [`${question.label}:${String(order)}`, value]),
	);
};
const problemIn = (row: Cells) =>
	problemOf(() => requestOf(FORM, [rowOf(row)], settingsFor([row])));

describe('a column for a choice', () => {
	it.each([
		'Casco',
		' casco ',
		'\ufeffCasco',
		'DPI/Casco',
		'dpi/CASCO',
		'Visit/DPI/Casco',
		'DPI: Casco',
		'DPI:Casco',
		'DPI [Casco]',
		'DPI[Casco]',
		'DPI (Casco)',
		'f2/Casco',
	])('answers its question if it is named %j', (column) => {
		expect(answersTo({ [column]: 'X' })).toEqual({ 'DPI:1': ['Casco'] });
	});

	it.each([
		['Finding/Defects/Crack', 1],
		['Defects/Crack:2', 2],
		['Defects:2/Crack', 2],
		['Defects:2 [Crack]', 2],
		['Crack:2', 2],
	])('answers an instance of a repeatable section: %j', (column, instance) => {
		const first = instance === 1 ? {} : { Rust: 'x' };
		expect(answersTo({ ...first, [column]: 'x' })).toHaveProperty(
			[`Defects:${String(instance)}`],
			['Crack'],
		);
	});

	it.each(['X', 'x ', '✓', '✔️', '☑', 'yes', 'JA', 'Sì', 'oui', 1, '1', true, 'TRUE', 'VERO'])(
		'takes %j as yes',
		(cell) => {
			expect(answersTo({ Casco: cell, Guanti: 1 })).toEqual({ 'DPI:1': ['Casco', 'Guanti'] });
		},
	);

	it.each(['no', 'Nein', 0, '0', false, 'FALSE', 'FALSO', '☐', '', ' ', null])(
		'takes %j as no',
		(cell) => {
			expect(answersTo({ Casco: cell, Guanti: 1 })).toEqual({ 'DPI:1': ['Guanti'] });
		},
	);

	it('takes the words for yes or no from the options', () => {
		const words = yesNoWords(['presente', '0'], ['-', 'x']);
		expect(answersTo({ Casco: 'Presente', Guanti: '-', Imbracatura: 'x' }, words)).toEqual({
			'DPI:1': ['Casco'],
		});
		expect(answersTo({ Casco: 0 }, words)).toEqual({ 'DPI:1': ['Casco'] });
	});

	it.each(['?', '-', 'n/a', 2, '-1', '.1', 'failed', 'pass', '✗'])('rejects %j', (cell) => {
		expect(problemIn({ Casco: 'X', 'DPI/Guanti': cell })).toContain(
			`"DPI": ${JSON.stringify(cell)} in "DPI/Guanti" is neither yes nor no. Enter X if`,
		);
	});

	it('lists all rejected cells of a row', () => {
		expect(problemIn({ 'DPI/Casco': '?', 'DPI/Guanti': 'some' })).toContain(
			'"DPI": "?" in "DPI/Casco", "some" in "DPI/Guanti" are neither yes nor no',
		);
	});

	it('has no answer if no choice applies', () => {
		expect(answersTo({ Casco: 'no', Guanti: 0, Weather: 'Sun' })).toEqual({ 'Weather:1': 'Sun' });
	});

	it('accepts a choice with a separator', () => {
		for (const column of ['08:30', 'DPI/08:30', 'DPI: 08:30', 'DPI [08:30]']) {
			expect(answersTo({ [column]: 'x' })).toEqual({ 'DPI:1': ['08:30'] });
		}
		for (const column of ['Occhiali/visiera', 'DPI/Occhiali/visiera', 'DPI [occhiali/visiera]']) {
			expect(answersTo({ [column]: 'x' })).toEqual({ 'DPI:1': ['Occhiali/visiera'] });
		}
	});

	it('answers a dropdown if it has the name of the question', () => {
		expect(answersTo({ 'Weather/Rain': 'x', 'Weather/Sun': '' })).toEqual({ 'Weather:1': 'Rain' });
		const row = { Rain: 'x', Result: 'Good' };
		expect(requestOf(FORM, [rowOf(row)], settingsFor([row])).unmatched).toEqual(['Rain']);
	});

	// Excel files with two columns of the same name reach n8n with names such as Casco_1.
	it.each(['Casco_1', 'Casco_2', 'Crack_2', 'Crack[2]', 'DPI[2]/Casco'])(
		'is an ordinary column if its number is in another notation: %j',
		(column) => {
			const row = { Weather: 'Sun', [column]: 'x' };
			expect(requestOf(FORM, [rowOf(row)], settingsFor([row])).unmatched).toEqual([column]);
		},
	);

	it('is an ordinary column if none of its cells is a yes or no', () => {
		const row = { Weather: 'Sun', Casco: 'blue' };
		expect(requestOf(FORM, [rowOf(row)], settingsFor([row])).unmatched).toEqual(['Casco']);
		const rows = [row, { Weather: 'Sun', Casco: 'x' }];
		expect(problemOf(() => requestOf(FORM, [rowOf(row)], settingsFor(rows)))).toContain(
			'"blue" in "Casco" is neither yes nor no',
		);
	});
});

describe('a column that could be for a choice', () => {
	it('is a problem if several questions have the choice', () => {
		expect(problemIn({ Dust: 'x' })).toBe(
			`"Dust" is a choice of several questions: "Defects", "Damage". Rename the column to "Defects/Dust" or "Damage/Dust", or choose 'Map Each Column Manually'.`,
		);
		expect(answersTo({ 'Damage/Dust': 'x' })).toEqual({ 'Damage:1': ['Dust'] });
		expect(problemIn({ Good: 'x' })).toContain('"Good" is a choice of several questions: "Result"');
	});

	it('is a problem if the question has a column with a value, too', () => {
		const row = { DPI: 'Guanti', Casco: 'x', Guanti: 'x' };
		expect(problemIn(row)).toBe(
			`"DPI" is answered twice, by the columns "DPI", "Casco", "Guanti". Keep one column for the question or one for each choice, or choose 'Map Each Column Manually'.`,
		);
		expect(answersTo({ ...row, DPI: '' })).toEqual({ 'DPI:1': ['Casco', 'Guanti'] });
		expect(answersTo({ 'Defects:2': 'Rust', Crack: 'x' })).toEqual({
			'Defects:1': ['Crack'],
			'Defects:2': ['Rust'],
		});
	});

	it('is a problem if another column is for the same choice', () => {
		expect(problemIn({ Casco: 'x', 'DPI/casco': 'no' })).toBe(
			`"DPI" is answered twice, by the columns "Casco", "DPI/casco". Keep one column for the question or one for each choice, or choose 'Map Each Column Manually'.`,
		);
	});

	it('is a problem if the question has no such choice', () => {
		expect(problemIn({ 'DPI/Scarpe': 'x', Guanti: 'x' })).toBe(
			'"DPI/Scarpe" isn\'t a choice of "DPI": "Scarpe" isn\'t among "Casco", "Guanti", "Imbracatura", "Occhiali/visiera", "08:30". Correct the name of the column, or remove the column.',
		);
		const row = { 'DPI/Note': 'worn', Guanti: 'x' };
		expect(requestOf(FORM, [rowOf(row)], settingsFor([row])).unmatched).toEqual(['DPI/Note']);
	});

	it('is a problem if a row has several choices for a question that accepts only one', () => {
		expect(answersTo({ 'Result/Good': 'x', 'Result/Bad': 'no' })).toEqual({ 'Result:1': 'Good' });
		expect(problemIn({ 'Result/Good': 'x', 'Result/Bad': 'x' })).toMatch(
			/^"Result": \["Good","Bad"\] .*one/,
		);
	});

	it('is a problem only for the rows that fill it in', () => {
		const rows = [{ Dust: 'x' }, { Dust: '', Weather: 'Rain' }];
		const [, empty = {}] = rows;
		expect(requestOf(FORM, [rowOf(empty)], settingsFor(rows)).sent).toHaveLength(1);
	});

	it.each(['name', 'row_number', 'Result', 'Weather: Rain:x', '/', '[', 'Casco:2:'])(
		'has no problem if it is named %j',
		(column) => {
			const found = meantColumns(FORM, [column], [{ [column]: 'x' }]);
			expect([found.choices.size, found.problems.size]).toEqual([0, 0]);
		},
	);
});

/** Two sheets with the same content: one has a column for each choice, and the other has a list. */
const twoSheets = fc
	.record({
		rows: fc.array(fc.subarray(PPE), { minLength: 1, maxLength: 4 }),
		styles: fc.tuple(
			...PPE.map((choice) =>
				fc.constantFrom(choice, `DPI/${choice}`, `DPI: ${choice}`, `DPI [${choice}]`),
			),
		),
		yes: fc.constantFrom('X', '✓', 'yes', 1, true),
		no: fc.constantFrom('', 'no', 0, false, null),
	})
	.map(({ rows, styles, yes, no }) => {
		const others = (index: number) => ({ No: 1, Crack: index % 2 === 0 ? yes : no });
		return {
			columns: rows.map((chosen, index): Cells => {
				const cells = styles.map((name, at) => [name, chosen.includes(PPE[at] ?? '') ? yes : no]);
				return { ...others(index), ...Object.fromEntries(cells) };
			}),
			list: rows.map((chosen, index): Cells => ({ ...others(index), DPI: chosen })),
		};
	});

describe('columns for each choice', () => {
	const sent = (rows: readonly Cells[]) =>
		problemOf(() => {
			const usedColumns = new Set(rows.flatMap((row) => Object.keys(row)));
			const { body } = groupRequest(FORM, rows, { usedColumns, ...settingsFor(rows) });
			throw new RangeError(JSON.stringify(body));
		});
	const outcomeOf = (rows: readonly Cells[]) => {
		try {
			return sent(rows);
		} catch (error) {
			if (error instanceof RangeError) return error.message;
			throw error;
		}
	};

	it('cause the same request as a list, for the rows of any group', () => {
		fc.assert(
			fc.property(twoSheets, ({ columns, list }) => {
				expect(outcomeOf(columns)).toBe(outcomeOf(list));
			}),
		);
	});
});
