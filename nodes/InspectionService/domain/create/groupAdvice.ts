import { groupBy } from '../groupBy';
import type { Problem } from '../problem';
import { isAddedByN8n } from '../rowKeys';
import { comparedText, isEmptyRow, type SheetRow } from './groupRows';

/** The kind of the problem that a required question has no answer. */
export const NO_ANSWER = 'no answer';
/** Columns that are looked at. What belongs to a whole inspection stands in front. */
const LOOKED_AT = 50;

/** What is wrong with a row, given by its place among the rows. */
export interface RefusedRow {
	place: number;
	problems: readonly Problem[];
}

/**
 * A sentence that offers Group Rows By, for a sheet in which several rows make one inspection: neighbouring rows have the
 * same value in a column, and of them exactly one answers each required question that any row leaves out. Two such
 * inspections are needed at least, or all rows make one: a single empty cell is more likely a mistake. Undefined where
 * there is no such column. Of several, the one that tells the most inspections apart is offered.
 */
export function groupAdvice(
	rows: readonly SheetRow[],
	refused: readonly RefusedRow[],
): string | undefined {
	const missing = missingPlaces(refused);
	if (missing.length === 0) return undefined;
	const columns = Object.keys(rows[0] ?? {}).slice(0, LOOKED_AT);
	let best: { column: string; count: number; hasEmpty: boolean; lone: number[] } | undefined;
	for (const column of columns.filter((name) => !isAddedByN8n(name))) {
		const { groups, hasEmpty } = neighbours(rows, column);
		// Of a single inspection, an empty cell is more likely a mistake than merged.
		if (hasEmpty && groups.filter(({ length }) => length > 1).length < 2) continue;
		if (groups.length <= (best?.count ?? 0) || !answersOnce(groups, missing)) continue;
		const lone = groups.flatMap((places) => (places.length === 1 ? places : []));
		best = { column, count: groups.length, hasEmpty, lone };
	}
	if (best === undefined) return undefined;
	const above = best.hasEmpty ? ' and Empty Group Cells to "Belong to the Row Above"' : '';
	return `Rows with the same "${best.column}" look like one inspection each. To make one of them, set the option Group Rows By to "${best.column}"${above}.${totalAdvice(rows, best, missing)}`;
}

/** What to do with the line of the total: it stays an inspection of its own, without what each inspection needs. */
function totalAdvice(
	rows: readonly SheetRow[],
	{ column, lone }: { column: string; lone: readonly number[] },
	missing: readonly ReadonlySet<number>[],
): string {
	const total = lone.find((place) => missing.every((ofQuestion) => ofQuestion.has(place)));
	const value = total === undefined ? undefined : comparedText(rows[total]?.[column]);
	return value === undefined
		? ''
		: ` The row "${value}" would be one by itself: if it is a total, take it out.`;
}

/** For each required question, the places of the rows that leave it out. */
function missingPlaces(refused: readonly RefusedRow[]): ReadonlySet<number>[] {
	const all = refused.flatMap(({ place, problems }) =>
		problems.filter(({ kind }) => kind === NO_ANSWER).map(({ subject }) => ({ place, subject })),
	);
	return [...groupBy(all, ({ subject }) => subject).values()].map(
		(ofQuestion) => new Set(ofQuestion.map(({ place }) => place)),
	);
}

/**
 * The places of the rows by their value in a column. A row without one goes with the row above, as in merged cells. No
 * groups where the first row has none, or rows of one value lie apart.
 */
function neighbours(rows: readonly SheetRow[], column: string) {
	const groups = new Map<string, number[]>();
	let before: string | undefined;
	let hasEmpty = false;
	for (const [place, row] of rows.entries()) {
		if (isEmptyRow(row)) continue;
		const own = comparedText(row[column]);
		hasEmpty ||= own === undefined;
		const value = own ?? before;
		const known = value === undefined ? undefined : groups.get(value);
		if (value === undefined || (known !== undefined && value !== before)) {
			return { groups: [], hasEmpty };
		}
		if (known === undefined) groups.set(value, [place]);
		else known.push(place);
		before = value;
	}
	return { groups: [...groups.values()], hasEmpty };
}

function answersOnce(
	groups: readonly (readonly number[])[],
	missing: readonly ReadonlySet<number>[],
): boolean {
	// A row by itself stays wrong whatever is grouped, such as the line with the total.
	const several = groups.filter(({ length }) => length > 1);
	if (several.length < Math.min(2, groups.length)) return false;
	return several.every((places) =>
		missing.every((ofQuestion) => places.filter((place) => !ofQuestion.has(place)).length === 1),
	);
}
