/**
 * Tests random sheets with damaged cells, as programs leave them. No such cell is silently stored, merged, or used as a
 * key.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { groupRows } from '#connector/domain/create/groupRows.ts';
import { uniqueKeyOf } from '#connector/domain/create/uniqueKey.ts';
import { withReadableText } from '#connector/domain/encoding.ts';
import { formWith } from '#harness/forms.mts';
import { control, text } from '#harness/generatedTemplate.mts';
import { problemOf, requestOf, rowOf } from '#harness/madeOfRows.mts';

const FORM = formWith(
	text('Größe – mm'),
	control('number', 'Costs'),
	control('date', 'Day'),
	control('checkbox', 'Kind', { choices: ['Riß – tief', 'Œuvre „A“', 'N/A'] }),
);

/** Random words in capital letters. Formula errors contain such words in various languages. */
const capitals = fc.string({ unit: fc.constantFrom(...'ABCÄÉŁÑЖДΩ'), minLength: 3, maxLength: 9 });
const failed = fc.oneof(
	fc.constantFrom(
		'#N/A',
		'#NV',
		'#DIV/0!',
		'########',
		'undefined',
		'Invalid DateTime',
		'[object Object]',
	),
	fc.tuple(capitals, fc.constantFrom('!', '?', '/0!')).map(([word, end]) => `#${word}${end}`),
);
const lost = fc
	.tuple(fc.constantFrom('M', 'Stra'), fc.constantFrom('ller', 'e'))
	.map(([before, after]) => `${before}\ufffd${after}`);
const shortened = fc
	.tuple(
		fc.integer({ min: 1, max: 9 }),
		fc.integer({ min: 10_000, max: 99_999 }),
		fc.integer({ min: 10, max: 20 }),
	)
	.chain(([digit, digits, power]) =>
		fc.constantFrom('.', ',').map((sign) => `${digit}${sign}${digits}E+${power}`),
	);
/** Words that people write in a cell for a missing value. */
const placeholder = fc
	.constantFrom(
		...['N/A', 'n/a', 'n.a.', 'N. A.', 'k.A.', 'n.d.', 'n/d', '-', '–', '—', '...', '?', '??', '"'],
		...['〃', '″', "''", 'TBD', 'tbc', 'Unknown', 'none', 'nil', 'unbekannt', 'brak', 'Н/Д'],
	)
	.chain((text) => fc.constantFrom(text, ` ${text} `, `\u200b${text}`));
/** Values that resemble a placeholder, but identify an inspection. */
const identifying = fc.constantFrom('0017', 'A-17', 'N-A-4', 'N/A-1', 'NA', 'KA', 'Noneset', '0');
/** Returns random cells that contain this value, alone or within other text. */
const among = (value: fc.Arbitrary<string>) =>
	fc
		.tuple(
			value,
			fc.constantFrom('', 'Gate ', 'V-', '– '),
			fc.constantFrom('', ' 7', ', why?', '-B'),
		)
		.map(([inner, before, after]) => before + inner + after);

describe('a sheet with failed, garbled, or shortened cells', () => {
	it('never uses them as a group or unique key', () => {
		const cells = among(fc.oneof(failed, lost, shortened));
		fc.assert(
			fc.property(cells, fc.nat(3), (cell, index) => {
				const rows = Array.from({ length: 5 }, (_, n) => ({ No: n === index ? cell : 'A', n }));
				const groups = groupRows([...rows, { No: cell, n: 9 }], ['No']);
				expect(groups.map(({ problem }) => problem?.subject)).toEqual(
					groups.map(({ rows: [first] }) =>
						first === index || first === 5 ? 'Group Rows By' : undefined,
					),
				);
				expect(groups).toHaveLength(3);
				expect(() => uniqueKeyOf(cell)).toThrow(/^Unique Key: /);
			}),
			{ numRuns: 400 },
		);
	});

	it('never uses a placeholder as a group or unique key, unlike a value that resembles one', () => {
		fc.assert(
			fc.property(placeholder, identifying, (cell, value) => {
				const rows = [cell, value, cell].map((No) => ({ No, n: 1 }));
				const groups = groupRows(rows, ['No']);
				expect(groups.map(({ problem }) => problem?.kind)).toEqual([
					'no identity',
					undefined,
					'no identity',
				]);
				expect(() => uniqueKeyOf(cell)).toThrow(/stands for a missing value/);
				expect(uniqueKeyOf(value)).toBe(value);
			}),
		);
	});

	it('sends them only as text, with a report of the row', () => {
		const columns = fc.constantFrom('Größe – mm', 'Costs', 'Day', 'Kind');
		fc.assert(
			fc.property(columns, among(fc.oneof(failed, lost)), fc.nat(1e6), (column, cell, number) => {
				const row = rowOf({ [column]: cell }, { number });
				if (column !== 'Größe – mm') {
					const message = problemOf(() => requestOf(FORM, [row]));
					expect(message).toContain(`"${column}"`);
					expect(message).toMatch(/failed formula|^Characters were lost/);
					return;
				}
				const { sent, suspicious } = requestOf(FORM, [row]);
				expect(sent.map(({ value }) => value)).toEqual([cell]);
				expect(suspicious).toMatchObject([{ subject: `"${column}"`, rows: [number] }]);
			}),
			{ numRuns: 400 },
		);
	});

	it('causes the same request in Windows-1252, read as Latin1 or correctly', () => {
		const misread = new Map(
			Array.from({ length: 32 }, (_, n) => {
				const latin1 = String.fromCharCode(0x80 + n);
				return [withReadableText(latin1), latin1] as const;
			}),
		);
		misread.delete('\ufffd');
		const asLatin1 = (given: string) => given.replace(/./gsu, (one) => misread.get(one) ?? one);
		const letters = fc.constantFrom(...misread.keys(), ...'äöüßé «»°abc 12');
		const sheet = fc.record({
			'Größe – mm': fc.string({ unit: letters }).map((given) => `${given}.`),
			Kind: fc
				.subarray(['Riß – tief', 'Œuvre „A“', 'N/A'], { minLength: 1 })
				.map((all) => all.join('; ')),
		});
		fc.assert(
			fc.property(sheet, (row) => {
				const cells = Object.entries(row).map((cell) => cell.map(asLatin1));
				const read = withReadableText(Object.fromEntries(cells) as object);
				expect(read).toEqual(row);
				const [mine, theirs] = [read as typeof row, row].map((values) =>
					requestOf(FORM, [rowOf(values)]),
				);
				expect(mine?.body).toEqual(theirs?.body);
				expect(mine?.unmatched).toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});
});

/** How a cell is read: the value that is sent, nothing, or why it's rejected. A hint can name a value that is sent. */
interface Reading {
	readonly sent?: unknown;
	readonly refused?: RegExp;
	readonly hint?: RegExp;
}

const sent = (value: unknown, ...cells: unknown[]) =>
	cells.map((cell): [unknown, Reading] => [cell, { sent: value }]);
const hinted = (hint: RegExp, ...cells: [cell: unknown, value: unknown][]) =>
	cells.map(([cell, value]): [unknown, Reading] => [cell, { sent: value, hint }]);
const refused = (why: RegExp, ...cells: unknown[]) =>
	cells.map((cell): [unknown, Reading] => [cell, { refused: why }]);

const EMPTY = /leave the cell empty/;
const DAY = '2026-05-31T00:00:00.000Z';
/** Cells as people and programs write them, by question. */
const CELLS: Readonly<Record<string, [unknown, Reading][]>> = {
	Costs: [
		...sent(
			12,
			'12\u200b',
			'\u200e12',
			'1\u00ad2',
			'１２',
			'12 zł',
			'12 Kč',
			'12 kr',
			'12 Ft',
			'R$ 12',
		),
		...sent(12, 'US$ 12', 'A$ 12', 'Fr. 12', 'Rs. 12', '12 EUR', 'RON 12', '12 %'),
		...refused(EMPTY, '-', 'n.d.', 'N.A.', 'many'),
		...refused(/has the unit "m"/, '12 m'),
		...refused(/not a number/, 'TOP 10', '3 or 4'),
	],
	'Temperature (°C)': [
		...sent(12.5, '12.5 °C', '12.5 ºC', '12.5°C', 12.5),
		...refused(/has the unit "(?:°F|kg)"/, '12.5 °F', '12.5 kg'),
		...refused(/'Decimal Separator' to 'Comma'/, '12,5 °C'),
	],
	Day: [
		...sent(
			DAY,
			'２０２６-０５-３１',
			'\u200e2026-05-31',
			'2026-05-31T24:00',
			'2026-05-31 24:00',
			46173,
		),
		...hinted(/Buddhist/, ['2569-05-31', '2569-05-31T00:00:00.000Z']),
		...hinted(/Hijri/, ['1447-12-14', '1447-12-14T00:00:00.000Z']),
		...hinted(/Persian/, ['1405-03-10', '1405-03-10T00:00:00.000Z']),
		...hinted(/Hebrew/, ['5786-03-14', '5786-03-14T00:00:00.000Z']),
		...refused(/"yy.MM.dd" to read it as 2026-05-31/, '26.05.31'),
		...refused(/"yy.MM.dd" to read it as 2024-02-29/, '24/02/29'),
		...refused(EMPTY, '-', 'n.d.', 'N.A.'),
	],
	Confirmed: [
		...sent(['I confirm'], 'TRUE', true, 'x', 'yes', '✓', 1),
		...sent(undefined, 'FALSE', false, 'no', 0, '', ' '),
		...refused(/isn't one of its choices/, 'maybe'),
	],
	Class: [...sent('1-2', '1-2'), ...refused(/Excel may have changed a choice/, 46024)],
	Passed: [
		...sent('Yes', 'yes', true, 'Yes\u200b'),
		...refused(/'Words for Yes'/, 'Да', 'ИСТИНА', 'checked'),
	],
	Site: [
		...sent('Gate 4', 'Gate\u200b 4', 'Gate\u00ad 4', '\ufeffGate 4'),
		...hinted(/15 digits/, [4006381333931000001, '4006381333931000000']),
		...hinted(/not in a Western language|isn't in a Western language/, ['Wroc³aw', 'Wroc³aw']),
		...hinted(/might be the day 2026-05-31/, [46173, '46173']),
	],
};

describe('a sheet with cells as people or programs write them', () => {
	const FORM = formWith(
		control('number', 'Costs'),
		control('number', 'Temperature (°C)'),
		control('date', 'Day'),
		control('checkbox', 'Confirmed', { choices: ['I confirm'] }),
		control('dropdown', 'Class', { choices: ['1-2', '3-4'] }),
		control('radio', 'Passed', { choices: ['Yes', 'No'] }),
		text('Site'),
	);
	const cells: fc.Arbitrary<Partial<Record<string, [unknown, Reading]>>> = fc.record(
		Object.fromEntries(
			Object.entries(CELLS).map(([name, some]) => [name, fc.constantFrom(...some)]),
		),
		{ requiredKeys: [] },
	);

	it('gets an error or a hint for every doubtful value', () => {
		fc.assert(
			fc.property(cells, fc.integer({ min: 1, max: 1e6 }), (drawn, number) => {
				const readings = Object.entries(drawn).flatMap(([name, one]) =>
					one ? [[name, one] as const] : [],
				);
				const given = Object.fromEntries(readings.map(([name, [cell]]) => [name, cell]));
				const row = rowOf(withReadableText(given), { number });
				const wrong = readings.flatMap(([name, [, { refused }]]) =>
					refused ? [{ name, refused }] : [],
				);
				if (wrong.length > 0) {
					const lines = problemOf(() => requestOf(FORM, [row])).split('\n');
					for (const { name, refused } of wrong) {
						expect(lines.find((line) => line.includes(`"${name}"`))).toMatch(refused);
					}
					return;
				}
				const { sent, hints } = requestOf(FORM, [row]);
				const expected = readings.flatMap(([name, [, reading]]) =>
					reading.sent === undefined ? [] : [[name, reading.sent]],
				);
				expect(
					Object.fromEntries(sent.map(({ question, value }) => [question.name, value])),
				).toEqual(Object.fromEntries(expected));
				for (const [, [, { hint }]] of readings) if (hint) expect(hints.join(' ')).toMatch(hint);
			}),
			{ numRuns: 2_000 },
		);
	});

	it("gets a hint for each row that isn't an inspection", () => {
		const odd = fc.constantFrom<[Record<string, unknown>, RegExp]>(
			[{ Site: 'Site', Costs: 'Costs' }, /repeat the header/],
			[{ Site: 'Day', Day: '', Passed: 'Costs' }, /repeat the header/],
			[{ Site: 'V-103 Total', Costs: 9 }, /looks like a total/],
			[{ Site: 'Gesamtergebnis', Costs: 9 }, /looks like a total/],
			[{ Site: 'Moyenne', Costs: 9 }, /looks like a total/],
			[{ Site: '', Costs: 0, Confirmed: 'FALSE' }, /Only cells that a spreadsheet can fill in/],
		);
		fc.assert(
			fc.property(odd, fc.integer({ min: 1, max: 1e6 }), ([cells, told], number) => {
				const row = rowOf(cells, { number });
				const message = problemOf(() => requestOf(FORM, [row]));
				const hints = message === 'no problem' ? requestOf(FORM, [row]).hints : [];
				expect([message, ...hints].join(' ')).toMatch(told);
			}),
		);
	});
});
