import { cleanLine } from '../formatting';
import type { JsonRecord, JsonValue } from '../json';

/**
 * Maximum characters of an Excel cell ("Excel specifications and limits"). n8n's Convert to File (2.41, SheetJS) fails
 * on longer text, and its error doesn't name the cell.
 */
const MAX_CELL = 32_767;

/** The beginning of the mark at the end of shortened text. Create rejects such text as the instances of a section. */
const CUT_MARK = '… [cut, ';
/** Maximum characters of the mark. */
const MAX_CUT_END = 60;

/**
 * Returns text that fits into an Excel cell. Longer text is shortened and ends with a mark: `… [cut, 250 in all]`.
 * `total` is the number in the mark.
 */
export function cutToCell(text: string, total: number): string {
	if (text.length <= MAX_CELL) return text;
	const end = `${CUT_MARK}${String(total)} in all]`;
	const kept = text.slice(0, MAX_CELL - end.length);
	// Remove half of a surrogate pair, because it would make a workbook invalid.
	return `${kept.replace(/[\ud800-\udbff]$/, '')}${end}`;
}

/**
 * Returns the downloaded files as text for a cell: a list in JSON. If the list is too long, returns only the number of
 * files, and the files that failed.
 */
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
 * Returns a warning for each cell that is too long for Excel or was shortened. `inspection` is the text that identifies
 * the inspection of the row.
 */
export function longCells(row: JsonRecord, inspection: string): string[] {
	return Object.entries(row).flatMap(([column, value]) => {
		const named = `"${cleanLine(column, 100)}" of ${inspection}`;
		if (isCut(value)) {
			return [
				`${named} has more instances than fit into a cell of a spreadsheet (32,767 characters). The rest was left out, and Create rejects the shortened text. Enter this section in "Row per Instance Of", or set "Output" to "Answers".`,
			];
		}
		if (typeof value !== 'string' || value.length <= MAX_CELL) return [];
		return [
			`${named} has ${value.length.toLocaleString('en')} characters, but a cell of a spreadsheet can contain only 32,767. n8n's Convert to File can't write this row as XLSX. Leave the column out with the option "Fields", or write a CSV file.`,
		];
	});
}

function isCut(value: JsonValue | undefined): boolean {
	if (typeof value !== 'string' || value.length <= MAX_CELL - 2) return false;
	return value.length <= MAX_CELL && value.includes(CUT_MARK, value.length - MAX_CUT_END);
}
