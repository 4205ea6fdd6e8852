import { shownValue } from '../formatting';
import { foldName, withoutAccents } from '../normalizeText';
import type { Problem } from '../problem';
import { filledCells } from './groupRows';
import { type Row, type SheetRow } from './sheetRow';

/** Words that begin a row of totals, in many languages. Compared without case and accents. */
const TOTAL =
	/^(?:(?:grand|sub)[ -]?)?(?:totals?|totale|totaal|totaux|sum|summe|gesamt(?:summe)?|zwischensumme|somme|suma|razem|ogolem|lacznie|somma|soma|som|summa|i alt|yhteensa|celkem|osszesen|toplam|итого|всего)(?![\p{L}\p{N}])/u;

/** Maximum characters of a cell to check. The longest word for a total has 13. */
const READ_LENGTH = 40;

const LOOKS_LIKE_TOTAL = 'looks like a total: remove it with a Filter node before this one';
const LOOK_LIKE_TOTALS = 'look like totals: remove them with a Filter node before this one';

/** Returns the rows whose first filled cell reads like a total, as causes of other problems. */
export function totalRows(rows: readonly Row[]): Problem[] {
	return rows.flatMap(({ number, values }) => {
		if (!looksLikeTotal(values)) return [];
		const [, cell] = filledCells(values)[0] ?? [];
		const only = rows.length === 1 ? undefined : [number];
		const about = { value: shownValue(cell), rows: only, kind: 'total', isCause: true };
		return [{ ...about, message: LOOKS_LIKE_TOTAL, ofRows: LOOK_LIKE_TOTALS }];
	});
}

/** Whether the first filled cell of a row reads like a total. */
export function looksLikeTotal(row: SheetRow): boolean {
	const [, cell] = filledCells(row)[0] ?? [];
	if (typeof cell !== 'string') return false;
	return TOTAL.test(withoutAccents(foldName(cell.slice(0, READ_LENGTH))));
}
