/**
 * Tests random sheets with damaged cells, as programs leave them. No such cell is silently stored, merged, or used as a
 * key.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { groupRows } from '#connector/domain/create/groupRows.ts';
import { uniqueKeyOf } from '#connector/domain/create/uniqueKey.ts';
import { repaired } from '#connector/domain/encoding.ts';
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
/** What people write in a cell for a value that is missing. */
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
	it('never uses them as a group or a unique key', () => {
		const cells = among(fc.oneof(failed, lost, shortened));
		fc.assert(
			fc.property(cells, fc.nat(3), (cell, index) => {
				const rows = Array.from({ length: 5 }, (_, n) => ({ No: n === index ? cell : 'A', n }));
				const groups = groupRows([...rows, { No: cell, n: 9 }], 'No');
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

	it('never uses a placeholder as a group or a unique key, but any value that resembles one', () => {
		fc.assert(
			fc.property(placeholder, identifying, (cell, value) => {
				const rows = [cell, value, cell].map((No) => ({ No, n: 1 }));
				const groups = groupRows(rows, 'No');
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

	it('reports the row and value of each text that it sends, and rejects the rest', () => {
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

	it('in Windows-1252 yields the same request, read as Latin1 or correctly', () => {
		const misread = new Map(
			Array.from({ length: 32 }, (_, n) => {
				const latin1 = String.fromCharCode(0x80 + n);
				return [repaired(latin1), latin1] as const;
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
				const read = repaired(Object.fromEntries(cells) as object);
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
