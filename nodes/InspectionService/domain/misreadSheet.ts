import { cleanLine } from './shownText';

/** What n8n's Extract from File calls columns without a header: `__EMPTY`, `__EMPTY_1`. */
const WITHOUT_HEADER = /^__EMPTY(_\d+)?$/;
/** Stands for each byte that has no meaning in the encoding that a file was read with. */
const LOST_CHARACTER = '\ufffd';
/** What n8n takes for a part of the cell, where it expects a comma. Excel writes semicolons in much of Europe. */
const DELIMITERS = { ';': '";"', '\t': 'a tab ("\\t")' };

/** What to do about a text that lost characters, as a sentence. */
export const ENCODING_CURE =
	'Characters were lost when the file was read (�): set the option Encoding of the node that reads it, to Latin1 for a CSV file from Excel';

/** True for a text in which characters were lost when its file was read. */
export function hasLostCharacters(text: string): boolean {
	return text.includes(LOST_CHARACTER);
}

/** Rows among which that of the header is looked for. A title, its subtitle and an empty line take three. */
const LOOKED_AT = 20;
/** Names of a header that a message repeats: enough to find the row. */
const SHOWN_NAMES = 2;

/** The row of the data in which the header most likely stands. */
export interface HeaderRow {
	place: number;
	names: readonly string[];
}

/** The first row with a cell that is the name of a column; `isName` tells such a text. */
export function headerRow(
	rows: readonly Readonly<Record<string, unknown>>[],
	isName: (cell: string) => boolean,
): HeaderRow | undefined {
	for (const [place, row] of rows.slice(0, LOOKED_AT).entries()) {
		const names = Object.values(row).filter((cell) => typeof cell === 'string');
		if (names.some(isName)) return { place, names };
	}
	return undefined;
}

/** What to do about columns without a header or with a garbled one, without the last full stop; undefined for none. */
export function headerCure(names: readonly string[], header?: HeaderRow): string | undefined {
	if (!names.some(isWithoutHeader)) {
		return names.some(hasLostCharacters) ? ENCODING_CURE : undefined;
	}
	const cure =
		'The header must stand in the first line that is read: remove the lines above it, or set the option Range of the node that reads an Excel file to their number';
	if (header === undefined) return cure;
	const shown = header.names.slice(0, SHOWN_NAMES).map((name) => `"${cleanLine(name, 40)}"`);
	const more = header.names.length > SHOWN_NAMES ? ', …' : '';
	return `${cure}. The header seems to stand in row ${String(header.place + 1)} of the data (${shown.join(', ')}${more})`;
}

/** Whether a column has no header, so that n8n has made its name up. */
export function isWithoutHeader(name: string): boolean {
	return WITHOUT_HEADER.test(name);
}

/** The same for all columns of a sheet: a CSV file whose lines were not divided has the whole header as its only one. */
export function sheetCure(names: readonly string[], header?: HeaderRow): string | undefined {
	const [first = ''] = names;
	const [, delimiter] = Object.entries(DELIMITERS).find(([sign]) => first.includes(sign)) ?? [];
	if (names.length !== 1 || delimiter === undefined) return headerCure(names, header);
	return `All of the line is one column: set the option Delimiter of the node that reads the file to ${delimiter}`;
}
