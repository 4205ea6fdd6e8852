import { isRecord } from './json';

/** Entries of a list of rows. Neighbouring rows are one entry, such as "1 to 12". The list stays short. */
const SHOWN_ENTRIES = 10;
/** Entries where a line has something else to say. Enough to find one of the rows. */
const FIRST_ENTRIES = 3;

/** The field in which n8n's Google Sheets node gives the line of the sheet. */
const SHEETS_NUMBER = 'row_number';

/** The numbers by which people know the input items. */
export interface RowNumbers {
	/** The number of an item, given by its index. */
	of(item: number): number;
	/** How they are counted, as the end of a sentence. */
	counted: string;
}

/**
 * The numbers of input items: the line of the sheet where every item carries one of its own, else the items are counted
 * from 1. That count is explained, because Excel counts the header too. It also counts empty lines that
 * n8n leaves out, and rows that a Filter node has taken out.
 */
export function rowNumbers(items: readonly unknown[]): RowNumbers {
	const lines = items.map((item) => (isRecord(item) ? item[SHEETS_NUMBER] : undefined));
	const isLine = (line: unknown) => Number.isSafeInteger(line) && Number(line) > 0;
	if (items.length > 0 && lines.every(isLine) && new Set(lines).size === lines.length) {
		return { of: (item) => Number(lines[item]), counted: 'numbered as in the sheet' };
	}
	return {
		of: (item) => item + 1,
		counted:
			'Excel counts the header, n8n does not: row 1 is the first below it; rows that do not reach this node are not counted',
	};
}

/** Numbers of rows in rising order: "row 7", "rows 1 to 12, 15 and 40". */
export function rowsText(numbers: readonly number[]): string {
	const ranges = rangesOf(numbers);
	const shown = ranges.slice(0, SHOWN_ENTRIES);
	const more = countIn(ranges.slice(SHOWN_ENTRIES));
	const entries = shown.flatMap(entriesOf);
	if (more > 0) entries.push(`${String(more)} more`);
	const last = entries.pop() ?? '';
	const list = entries.length === 0 ? last : `${entries.join(', ')} and ${last}`;
	return `${countIn(ranges) === 1 ? 'row' : 'rows'} ${list}`;
}

/** The same in a few words: the first of many rows only, "32 rows (3, 5, 7 …)". */
export function fewRowsText(numbers: readonly number[]): string {
	const ranges = rangesOf(numbers);
	if (ranges.length <= FIRST_ENTRIES) return rowsText(numbers);
	const first = ranges.slice(0, FIRST_ENTRIES).flatMap(entriesOf).slice(0, FIRST_ENTRIES);
	return `${String(countIn(ranges))} rows (${first.join(', ')} …)`;
}

interface Range {
	first: number;
	last: number;
}

function rangesOf(numbers: readonly number[]): Range[] {
	const ranges: Range[] = [];
	for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range !== undefined && range.last + 1 === number) range.last = number;
		else ranges.push({ first: number, last: number });
	}
	return ranges;
}

function entriesOf({ first, last }: Range): string[] {
	if (last === first) return [String(first)];
	if (last === first + 1) return [String(first), String(last)];
	return [`${String(first)} to ${String(last)}`];
}

function countIn(ranges: readonly Range[]): number {
	return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
