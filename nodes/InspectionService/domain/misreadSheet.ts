/** What n8n's Extract from File calls columns without a header: `__EMPTY`, `__EMPTY_1`. */
const WITHOUT_HEADER = /^__EMPTY(_\d+)?$/;
/** Stands for each byte that has no meaning in the encoding that a file was read with. */
const LOST_CHARACTER = '\ufffd';
/**
 * Delimiters of the cells in a line, other than the comma that n8n expects. Excel writes semicolons in much of Europe.
 */
const DELIMITERS = [
	[';', '";"'],
	['\t', 'a tab ("\\t")'],
] as const;

/** What to do about a text that lost characters, as a sentence. */
export const ENCODING_CURE =
	'Characters were lost when the file was read (�): set the option Encoding of the node that reads it, to Latin1 for a CSV file from Excel';

/** True for a text in which characters were lost when its file was read. */
export function hasLostCharacters(text: string): boolean {
	return text.includes(LOST_CHARACTER);
}

/** What to do about columns without a header or with a garbled one, to follow a sentence; empty where all are well. */
export function headerCure(names: readonly string[]): string {
	if (names.some((name) => WITHOUT_HEADER.test(name))) {
		return '. Some columns have no header: it must stand in the first line that is read, so remove the lines above it, or set the option Range of the node that reads an Excel file to their number';
	}
	return names.some(hasLostCharacters) ? `. ${ENCODING_CURE}` : '';
}

/**
 * Like `headerCure`, for all columns of a sheet. It also knows a CSV file whose lines were not divided into cells: such
 * a file has the whole header as its only column.
 */
export function sheetCure(names: readonly string[]): string {
	const [first = ''] = names;
	const [, delimiter] = DELIMITERS.find(([character]) => first.includes(character)) ?? [];
	if (names.length !== 1 || delimiter === undefined) return headerCure(names);
	return `. All of the line is one column: set the option Delimiter of the node that reads the file to ${delimiter}`;
}
