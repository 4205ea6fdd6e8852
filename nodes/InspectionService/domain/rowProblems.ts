/** Entries of a list of rows. Neighbouring rows are one entry, such as "1 to 12". Chosen: the list stays short. */
const SHOWN_ENTRIES = 10;
/** Problems that one message shows. Chosen: nobody reads more than a screen of them. */
const SHOWN_PROBLEMS = 10;
/** Characters of one problem. Chosen: a row with a dozen wrong cells has about so many. */
const SHOWN_LENGTH = 600;
const HOW_COUNTED =
	'row 1 is the first below the header; rows that do not reach this node are not counted';

/** What is wrong with some input items, as text without line breaks. */
export interface RowProblem {
	items: readonly number[];
	text: string;
}

/**
 * Item indexes as the rows that a person counts, from 1 and in rising order: "row 7", "rows 1 to 12, 15 and 40".
 */
export function rowsText(items: readonly number[]): string {
	const ranges = rangesOf(items.map((item) => item + 1).toSorted((a, b) => a - b));
	const shown = ranges.slice(0, SHOWN_ENTRIES);
	const more = ranges
		.slice(SHOWN_ENTRIES)
		.reduce((sum, { first, last }) => sum + last - first + 1, 0);
	const entries = shown.flatMap(({ first, last }) => {
		if (last === first) return [String(first)];
		if (last === first + 1) return [String(first), String(last)];
		return [`${String(first)} to ${String(last)}`];
	});
	if (more > 0) entries.push(`${String(more)} more`);
	const last = entries.pop() ?? '';
	const list = entries.length === 0 ? last : `${entries.join(', ')} and ${last}`;
	return `${items.length === 1 ? 'row' : 'rows'} ${list}`;
}

/**
 * The first line of an error: "Nothing was sent. 2 of 50 rows have problems: rows 7 and 40 (row 1 is the first below
 * the header; …)." `rowCount` is the number of all input rows. The text in brackets is needed because a spreadsheet
 * program counts the header, too. It also counts empty lines that n8n leaves out, and rows that a Filter node has taken
 * out.
 */
export function refusedHeadline(
	problems: readonly RowProblem[],
	{ rowCount, nothing }: { rowCount: number; nothing: string },
): string {
	const items = problems.flatMap((problem) => problem.items);
	const count = `${String(items.length)} of ${String(rowCount)} rows`;
	const verb = items.length === 1 ? 'has a problem' : 'have problems';
	return `${nothing}. ${count} ${verb}: ${rowsText(items)} (${HOW_COUNTED}).`;
}

/** One line for each distinct problem, "Rows 7 and 40: …", the first ones only where there are many. */
export function problemLines(problems: readonly RowProblem[]): string[] {
	const rows = new Map<string, number[]>();
	for (const { text, items } of problems) {
		const known = rows.get(text);
		if (known === undefined) rows.set(text, [...items]);
		else known.push(...items);
	}
	const lines = [...rows].map(([text, items]) => `${capitalised(rowsText(items))}: ${cut(text)}`);
	const more = lines.length - SHOWN_PROBLEMS;
	if (more <= 0) return lines;
	return [...lines.slice(0, SHOWN_PROBLEMS), `… and ${String(more)} more problems.`];
}

function rangesOf(numbers: readonly number[]): { first: number; last: number }[] {
	const ranges: { first: number; last: number }[] = [];
	for (const number of numbers) {
		const range = ranges.at(-1);
		if (range !== undefined && range.last + 1 === number) range.last = number;
		else ranges.push({ first: number, last: number });
	}
	return ranges;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function cut(text: string): string {
	return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
