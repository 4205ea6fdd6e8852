import { isRecord } from './json';

/** Maximum entries in a list of rows. A range of rows, such as "1 to 12", is one entry. */
const SHOWN_ENTRIES = 10;

/** The field in items from n8n's Google Sheets node that contains the row number of the sheet. */
export const SHEETS_NUMBER = 'row_number';

/** The row numbers of the input items, as messages show them. */
export interface RowNumbers {
	/** Returns the row number of an item. `item` is its index. */
	of: (item: number) => number;
	/** A sentence that explains how the rows are numbered. */
	counted: string;
}

/**
 * Numbers the input items as rows. Uses the row numbers of the sheet if every item has a unique one. Otherwise, counts
 * the items from 1.
 */
export function rowNumbers(items: readonly unknown[]): RowNumbers {
	const lines = items.map((item) => (isRecord(item) ? item[SHEETS_NUMBER] : undefined));
	const isLine = (line: unknown) => Number.isSafeInteger(line) && Number(line) > 0;
	if (items.length > 0 && lines.every(isLine) && new Set(lines).size === lines.length) {
		return { of: (item) => Number(lines[item]), counted: 'The rows are numbered as in the sheet.' };
	}
	return {
		of: (item) => item + 1,
		counted: 'Row 1 is the first row that reached this node, usually line 2 in Excel.',
	};
}

/**
 * Formats row numbers in ascending order: "row 7", "rows 1 to 12, 15 and 40". After `shown` entries, adds the number of
 * remaining rows.
 */
export function rowsText(numbers: readonly number[], shown = SHOWN_ENTRIES): string {
	const ranges: [first: number, last: number][] = [];
	for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range?.[1] === number - 1) range[1] = number;
		else ranges.push([number, number]);
	}
	const entries = ranges.slice(0, shown).flatMap(([first, last]) => {
		if (last > first + 1) return `${String(first)} to ${String(last)}`;
		return [...new Set([first, last])].map(String);
	});
	const more = ranges.slice(shown).reduce((sum, [first, last]) => sum + last - first + 1, 0);
	if (more > 0) entries.push(`${String(more)} more`);
	const last = entries.pop() ?? '';
	if (entries.length > 0) return `rows ${entries.join(', ')} and ${last}`;
	return `${last.includes(' ') ? 'rows' : 'row'} ${last}`;
}
