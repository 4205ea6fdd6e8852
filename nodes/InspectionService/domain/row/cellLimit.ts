import type { JsonRecord, JsonValue } from '../json';
import { cleanLine } from '../shownText';

/**
 * Characters that a cell takes in Excel ("Excel specifications and limits"). n8n's Convert to File (2.41, SheetJS) stops at a
 * longer text and doesn't say which one it is.
 */
export const MAX_CELL = 32_767;

/** Begins the end of a text that was cut. Create can't read such a text as the instances of a section. */
const CUT_MARK = '… [cut, ';
/** Characters of that end, at most. */
const MAX_CUT_END = 60;

/** The text as it is, or its beginning with a mark: `… [cut, 250 in all]`. */
export function cutToCell(text: string, total: number): string {
	if (text.length <= MAX_CELL) return text;
	const end = `${CUT_MARK}${String(total)} in all]`;
	const kept = text.slice(0, MAX_CELL - end.length);
	// Half of a character that takes two makes a workbook invalid.
	return `${kept.replace(/[\ud800-\udbff]$/, '')}${end}`;
}

/** The downloaded files as the text of a cell: a list, or only how many there are and the failed ones if that is too long. */
export function downloadedFilesCell(files: readonly JsonRecord[]): string {
	const whole = JSON.stringify(files);
	if (whole.length <= MAX_CELL) return whole;
	const failed = files.filter(({ error }) => error !== undefined);
	const counts = { downloaded: files.length - failed.length, failed: failed.length };
	const short = failed.map(({ id, error }) => ({ id, error: cleanLine(String(error), 200) }));
	let fitting = short.length;
	const cell = () => JSON.stringify({ ...counts, failed_files: short.slice(0, fitting) });
	while (cell().length > MAX_CELL) fitting = Math.floor(fitting / 2);
	return cell();
}

/** A sentence for each cell that Excel can't hold, and for each that was cut for it. `inspection` says whose row it is. */
export function longCells(row: JsonRecord, inspection: string): string[] {
	return Object.entries(row).flatMap(([column, value]) => {
		const named = `"${cleanLine(column, 100)}" of ${inspection}`;
		if (isCut(value)) {
			return [
				`${named} has more instances than a cell of a spreadsheet holds (32,767 characters): the rest was left out, and Create rejects it. Choose this section in Row per Instance Of, or the output Answers.`,
			];
		}
		if (typeof value !== 'string' || value.length <= MAX_CELL) return [];
		return [
			`${named} has ${value.length.toLocaleString('en')} characters, and a cell of a spreadsheet holds 32,767: n8n's Convert to File can't write it as XLSX. Leave the column out with Fields, or write a CSV file.`,
		];
	});
}

function isCut(value: JsonValue | undefined): boolean {
	if (typeof value !== 'string' || value.length <= MAX_CELL - 2) return false;
	return value.length <= MAX_CELL && value.includes(CUT_MARK, value.length - MAX_CUT_END);
}
