import { cleanLine } from '../formatting';
import type { JsonRecord, JsonValue } from '../json';

/**
 * Maximum characters of an Excel cell ("Excel specifications and limits"). n8n's Convert to File (2.41, SheetJS) fails
 * on longer text, without naming the cell.
 */
export const MAX_CELL = 32_767;

/** Begins the suffix of cut text. Create can't read such text as the instances of a section. */
const CUT_MARK = '… [cut, ';
/** Maximum characters of that suffix. */
const MAX_CUT_END = 60;

/** Returns the text if it fits, else its beginning with a mark: `… [cut, 250 in all]`. */
export function cutToCell(text: string, total: number): string {
	if (text.length <= MAX_CELL) return text;
	const end = `${CUT_MARK}${String(total)} in all]`;
	const kept = text.slice(0, MAX_CELL - end.length);
	// Half of a surrogate pair makes a workbook invalid.
	return `${kept.replace(/[\ud800-\udbff]$/, '')}${end}`;
}

/** Returns the downloaded files as text for a cell: a list, or if that's too long, only counts and the failed files. */
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

/**
 * Returns a sentence for each cell that's too long for Excel, and for each that was cut to fit. `inspection` names the
 * row's inspection.
 */
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
