import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	changedNames,
	delimiterFix,
	encodingFix,
	isMisreadUtf8,
	readableText,
	withReadableText,
} from '#connector/domain/encoding.ts';

const asLatin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const windows1252 = new TextDecoder('windows-1252');

describe('Windows-1252 text read as Latin1', () => {
	it.each([
		['5 \u0096 6 mm', '5 – 6 mm'],
		['\u0084Achtung\u0093', '„Achtung“'],
		['20 \u0080', '20 €'],
		['Größe', 'Größe'],
		['\u0081', '\ufffd'],
	])('repairs %j to %j', (given, text) => {
		expect(readableText(given)).toBe(text);
	});

	it('repairs bytes like a decoder, without leaving control characters', () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
				const text = readableText(asLatin1(bytes));
				expect(text).not.toMatch(/[\u0080-\u009f]/);
				const decoded = windows1252.decode(bytes).replace(/[\u0080-\u009f]/g, '\ufffd');
				const isMisread = isMisreadUtf8(decoded);
				expect(text).toBe(isMisread ? decoded : decoded.replaceAll('\u00ad', ''));
			}),
		);
	});

	it.each([
		['5\u200b', '5'],
		['\u200e12', '12'],
		['1\u00ad2', '12'],
		['\ufeffSite', 'Site'],
		['ana@example.com\u2060', 'ana@example.com'],
		['\u202bcompleted\u202c', 'completed'],
		['E\u0301tat', '\u00c9tat'],
		[
			'\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
			'\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
		],
		['\u00c3\u00ad', '\u00c3\u00ad'],
	])('reads %j as %j, without invisible marks', (given, text) => {
		expect(readableText(given)).toBe(text);
	});

	it('keeps two columns whose names differ only in invisible marks', () => {
		const row = { Site: 1, 'Site\u200b': 2, 'A\u00ad': 3 };
		expect(withReadableText(row)).toEqual({ Site: 1, 'Site\u200b': 2, A: 3 });
		expect(withReadableText({ 'B\u200b': 1, B: 2 })).toEqual({ 'B\u200b': 1, B: 2 });
	});

	it('names only the columns with repaired characters', () => {
		const row = { 'Size \u0096': 7, Site: 'A\u200b', Note: ['\u0084x\u0093'], Other: 1 };
		expect(changedNames(row, withReadableText(row))).toEqual(['Size –', 'Note']);
		expect(changedNames(row, row)).toEqual([]);
	});

	it('repairs a row at any depth, without copying an unaffected one', () => {
		const row = { 'Size \u0096 mm': 7, Rooms: [{ Name: '\u0084A\u0093' }], at: new Date(0) };
		expect(withReadableText(row)).toEqual({
			'Size – mm': 7,
			Rooms: [{ Name: '„A“' }],
			at: new Date(0),
		});
		const good = { 'Size – mm': 7, Rooms: [{ Name: '„A“' }], None: null };
		expect(withReadableText(good)).toBe(good);
	});
});

describe('UTF-8 read as Latin1 or Windows-1252', () => {
	const WORDS = [
		'Größe',
		'ä',
		'Über',
		'Ärger',
		'Öl',
		'weiß',
		'été',
		'à la',
		'ÉTÉ',
		'niño',
		'ação',
		'5 – 6',
		'20 €',
		'„Achtung“',
		'30 °C',
		'Zażółć',
		'działa',
		'Жук',
		'Пол',
		'čas',
		'10 m²',
		'Nº 5',
	];

	it.each(WORDS)('detects %s in either case', (word) => {
		const bytes = new TextEncoder().encode(word);
		const garbled = [asLatin1(bytes), windows1252.decode(bytes), readableText(asLatin1(bytes))];
		expect(garbled.map(isMisreadUtf8)).toEqual([true, true, true]);
		expect(encodingFix(garbled)).toMatch(/set the option 'Encoding' .* to 'UTF-8'$/);
		expect(isMisreadUtf8(word)).toBe(false);
	});

	it.each([
		'LIBERTÉ\u00a0!',
		'»Gruß«',
		'Fuß–Weg',
		'JÄ…',
		'AÑOS',
		'MAÑANA',
		'NAÏF',
		'Å – Å',
		'5 Å',
		'CAFÉ®',
		'ÂGE',
		'PÂTE',
		'MANHÃ',
		'IRMÃ – 2',
		'âge',
		'Ð',
		'“GRÖSSE”',
		'É»',
	])('leaves valid text alone: %s', (text) => {
		expect(encodingFix([text])).toBeUndefined();
	});
});

it('lost characters have a different fix than a wrong encoding, which comes first', () => {
	expect(encodingFix(['Stra\ufffde'])).toMatch(
		/^Characters were lost \(�\).*: save the file from Excel as 'CSV UTF-8'\. Only for Western languages, .* to 'Latin1' instead$/,
	);
	expect(encodingFix(['Stra\ufffde', 'GrÃ¶ÃŸe'])).toMatch(/ to 'UTF-8'$/);
});

describe('text that is not in a Western language', () => {
	it.each(['Wroc³aw', 'ró¿a', 'pó³ka', 'Ïðèâåò', 'Áëáíéâ'])(
		'never leads to Latin1, but to a file in UTF-8: %s',
		(text) => {
			expect(encodingFix([text])).toBe(
				"The file isn't in a Western language, but was read as Latin1: save the file from Excel as 'CSV UTF-8'",
			);
		},
	);

	it.each(['12 m³', 'm³/h', '¿cuándo?', 'créées', '10 m³n', 'Nº 5 ¹', 'x ± y', '£5', 'Þýðing'])(
		"isn't %s",
		(text) => {
			expect(encodingFix([text])).toBeUndefined();
		},
	);
});

describe('columns of a CSV file that was misread', () => {
	it.each([
		[['Area;Costs'], /set the option 'Delimiter' .* to ";"$/],
		[['Area|Costs'], /set the option 'Delimiter' .* to "\|"$/],
		[['Area\tCosts'], /set the option 'Delimiter' .* to the expression \{\{ "\\t" \}\}$/],
		[
			['sep=;'],
			/^The first line .* set 'Delimiter' to ";" and 'Starting Line' to 2\. If you delete the line/,
		],
		[['SEP='], /^The first line .*: in the node that reads the file, set 'Starting Line' to 2\./],
		[['sep=', ''], /^The first line .* set 'Starting Line' to 2\./],
		[['Gr\ufffd\ufffde;Ort'], /^Characters were lost .*\. Each line of the file was read/],
		[['\ufffd\ufffdA\0r\0e\0a\0'], undefined],
		[['Area', 'Costs;x'], undefined],
		[['sep=;x', 'Costs'], undefined],
		[[], undefined],
	])("have a fix for their delimiter only if it's certain: %j", (columns, fix) => {
		if (fix === undefined) expect(delimiterFix(columns)).toBeUndefined();
		else expect(delimiterFix(columns)).toMatch(fix);
	});

	it('have a fix that names UTF-16', () => {
		expect(encodingFix(['\ufffd\ufffdA\0r\0e\0a\0'])).toMatch(
			/^The file has the encoding UTF-16: .* to 'UTF16LE', or save/,
		);
	});
});
