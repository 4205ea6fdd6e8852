import {
	DECIMAL_OPTION,
	DECIMAL_SEPARATORS,
	decimalFromText,
	withoutUnit,
} from '../answer/numbers';
import { shownValue } from '../answer/shownValue';
import type { RowNumbers } from '../rowNumbers';
import type { RefusedRow } from './groupAdvice';
import type { SheetRow } from './groupRows';

/** Columns that are told. One is corrected like the next. */
const SHOWN_COLUMNS = 3;

/**
 * Sentences about columns of which some cells have a comma for decimals and others a point, with a row of each: the
 * option Decimal Separator reads either, and its advice would send people to and fro. Undefined where there are none.
 */
export function mixedDecimals(
	rows: readonly SheetRow[],
	refused: readonly RefusedRow[],
	numbers: RowNumbers,
): string | undefined {
	const columns = new Set<string>();
	for (const { place, problems } of refused) {
		const told = problems.filter(({ option }) => option === DECIMAL_OPTION);
		const values = new Set(told.map(({ value }) => value));
		for (const [column, cell] of values.size === 0 ? [] : Object.entries(rows[place] ?? {})) {
			if (values.has(shownValue(cell))) columns.add(column);
		}
	}
	const sentences = [...columns].slice(0, SHOWN_COLUMNS).flatMap((column) => {
		const [comma, point] = ['comma', 'point'].map((separator) =>
			rows.findIndex((row) => onlySeparatorOf(row[column]) === separator),
		);
		if (comma === undefined || point === undefined || comma < 0 || point < 0) return [];
		const cellIn = (place: number) =>
			`${shownValue(rows[place]?.[column])} in row ${String(numbers.of(place))}`;
		return [
			`"${column}" has both a comma and a point for decimals, ${cellIn(comma)} and ${cellIn(point)}: write them alike, because Decimal Separator reads one of the two.`,
		];
	});
	return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The separator with which alone a text is a number; undefined for numbers without one, and for any other value. */
function onlySeparatorOf(cell: unknown) {
	if (typeof cell !== 'string') return undefined;
	const text = withoutUnit(cell);
	const [separator, other] = DECIMAL_SEPARATORS.filter(
		(name) => decimalFromText(text, name) !== undefined,
	);
	return other === undefined ? separator : undefined;
}
