import { cleanLine, listText, shownValue } from '../formatting';
import { isObject } from '../json';
import { foldName, hasNoValue, isBlank, withoutAccents } from '../normalizeText';
import type { Problem } from '../problem';
import { isAddedByN8n } from '../rowKeys';
import { SHEETS_NUMBER } from '../rowNumbers';
import { SHOWN_VALUE } from './identity';
import { isOneOf, type Row, type SheetRow } from './sheetRow';

// Decides which rows of a sheet are inspections. The other rows are blank, header rows, or totals.

/** Whether all cells of a row are blank (docs/sheets.md). Cells in `groupColumns` don't count. */
export function isEmptyRow(row: SheetRow, groupColumns: readonly string[] = []): boolean {
	return filledCells(row).every(([key]) => isOneOf(key, groupColumns));
}

/** Returns the cells that have a value, without those that n8n or Google Sheets add. */
export function filledCells(row: SheetRow): [key: string, cell: unknown][] {
	// Unused rows of a Google sheet have `false` for their checkboxes.
	const isUnticked = (cell: unknown) => cell === false && Object.hasOwn(row, SHEETS_NUMBER);
	return Object.entries(row).filter(([key, cell]) => {
		return !isAddedByN8n(key) && !hasNoValue(cell) && !isUnticked(cell);
	});
}

/** Returns the first cell with a value as the row's name, such as `"V-103"`. Undefined if all cells are blank. */
export function rowName(row: SheetRow): string | undefined {
	const [filled] = filledCells(row);
	if (filled === undefined) return undefined;
	const [, cell] = filled;
	return shownValue(isObject(cell) ? cell : cleanLine(String(cell), SHOWN_VALUE));
}

/** Maximum names of a header row in a message. Two are enough to recognize it. */
const SHOWN_NAMES = 2;

/**
 * Returns the problem of a row that repeats the header row, as in a second table: at least two of its cells are the name of
 * their column, or at least half of its cells are names of questions. A row with a single cell repeats it if the
 * cell is the name of its column.
 */
export function headerProblem(
	{ number, cells }: Pick<Row, 'number' | 'cells'>,
	isQuestion: (name: string) => boolean,
): Problem | undefined {
	const filled = filledCells(cells);
	const own = filled.filter(([key, cell]) => isName(cell) && foldName(cell) === foldName(key));
	const names = filled.filter(
		([key, cell]) => own.some(([one]) => one === key) || (isName(cell) && isQuestion(cell)),
	);
	const isOwn = own.length > 1 || (own.length === 1 && filled.length === 1);
	if (!isOwn && (names.length < 2 || 2 * names.length < filled.length)) return undefined;
	const shown = names.slice(0, SHOWN_NAMES).map(([, cell]) => shownValue(cell));
	const message = `the cells repeat the header row (${listText(shown, names.length)}). Remove such rows with a Filter node before this one`;
	return { message, kind: 'repeated header', rows: [number] };
}

/** The length of a question's name in a cell. A single letter can be a mark, such as `x` in a column "X". */
const [MIN_NAME, MAX_NAME] = [2, 200];

export function isName(cell: unknown): cell is string {
	return typeof cell === 'string' && cell.length >= MIN_NAME && cell.length <= MAX_NAME;
}

/** Values that spreadsheets fill in without a person: unticked checkboxes, and formulas of empty cells. */
const PREFILLED = new Set(['false', 'falsch', 'faux', 'falso', 'fałsz', 'onwaar', '0', '☐', '[ ]']);

/** Whether a row has only values that a spreadsheet fills in, such as FALSE and 0. */
export function isPrefilled(row: SheetRow): boolean {
	const filled = filledCells(row);
	return filled.length > 0 && filled.every(([, cell]) => PREFILLED.has(foldName(String(cell))));
}

/** Words for totals in many languages. Compared without case and accents. */
const TOTALS = new Set(
	'total totals totale totali totales totais totaal totalt totaux sum sums summe summa summen gesamt gesamtsumme gesamtergebnis gesamtzahl zwischensumme teilergebnis insgesamt subtotal subtotaal soustotal eindtotaal somme suma sumy razem ogolem lacznie somma soma som yhteensa valisumma celkem soucet soucty osszesen reszosszeg toplam aratoplam итого всего сумма ukupno skupaj spolu συνολο 合计 小计 总计 合計 小計 総計 합계 소계 총계'
		.split(' ')
		.concat('i alt'),
);
/** Words for counts and averages. They also have other meanings, so text after them isn't a total. */
const RESULTS = new Set(
	'ergebnis anzahl durchschnitt mittelwert count average mean nombre moyenne recuento cuenta promedio conteggio contagem media aantal gemiddelde antal gennemsnit gjennomsnitt medel medelvarde liczba licznik srednia pocet prumer darab atlag adet sayi ortalama keskiarvo lukumaara количество среднее'.split(
		' ',
	),
);
/** How many characters are searched for a word for totals, at the beginning and the end of a cell. */
const READ_LENGTH = 40;

/** Whether the first filled cell of a row begins or ends with a word for totals: `V-103 Total`, `Summe: 12`. */
export function looksLikeTotal(row: SheetRow): boolean {
	const [, cell] = filledCells(row)[0] ?? [];
	if (typeof cell !== 'string') return false;
	const first = wordsIn(cell.slice(0, READ_LENGTH));
	const last = wordsIn(cell.slice(-READ_LENGTH)).at(-1) ?? '';
	const [start = '', ...others] = first;
	const isCounted = RESULTS.has(start) && others.every((word) => /^\p{N}+$/u.test(word));
	return (
		[start, last, first.slice(0, 2).join(' ')].some((word) => TOTALS.has(word)) ||
		RESULTS.has(last) ||
		isCounted
	);
}

function wordsIn(text: string): string[] {
	return withoutAccents(foldName(text))
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.filter(Boolean);
}

/** Explains how to handle an item with an error from a previous node. Undefined for other items. */
export function itemError({ error }: SheetRow): string | undefined {
	if (isBlank(error) || error === false) return undefined;
	return `The row has an error from a previous node: ${shownValue(error)}. Remove such rows before this node, for example with an If node. If "error" is a column of your sheet, rename it`;
}

/**
 * Whether `error` is a column of the sheet, and not the field that n8n adds to a failed item: all of several rows have
 * it, with plain cells.
 */
export function hasErrorColumn(rows: readonly SheetRow[]): boolean {
	return (
		rows.length > 1 && rows.every((row) => Object.hasOwn(row, 'error') && !isObject(row.error))
	);
}

/** Returns a problem for each row of an inspection with an error from a previous node. */
export function carriedErrors(rows: readonly Pick<Row, 'number' | 'values'>[]): Problem[] {
	return rows.flatMap(({ number, values }) => {
		const message = itemError(values);
		return message === undefined
			? []
			: [{ message, rows: rows.length === 1 ? undefined : [number] }];
	});
}
