import { groupBy } from './groupBy';
import { rowsText } from './rowNumbers';
import { cleanLine, listText } from './shownText';

/** A problem with a value, as the end of `"<label>": …`. */
export interface ValueProblem {
	/** The form shown in messages: `"02.05.2026"`. */
	readonly value: string;
	/** `is not a date; write it as …` */
	readonly wrong: string;
	/** Problems with the same subject and kind are reported together. By default, the kind is `wrong`. */
	readonly kind?: string;
	/** The node's option that fixes this value and all others of its kind. */
	readonly option?: string;
}

/** One problem with the rows of an inspection. If there's no value, `wrong` alone is a sentence. */
export interface Problem extends Partial<ValueProblem> {
	readonly wrong: string;
	/** `"Date of visit"`, `Task due date`. Undefined if `wrong` already includes it. */
	readonly subject?: string;
	/** The affected instance, for a question in a repeatable section. */
	readonly instance?: number | undefined;
	/** The affected rows, by number. Undefined for all rows of the inspection. */
	readonly rows?: readonly number[] | undefined;
	/** True for something that isn't a problem itself, but may have caused others. It's reported before them. */
	readonly isCause?: boolean;
}

interface SaidByRow {
	row: number;
	says: string;
}

/** The problem that two rows of one inspection have different values for one `thing`. */
export function conflictOf(
	subject: string,
	one: SaidByRow,
	other: SaidByRow,
	thing: string,
): Problem {
	const wrong = `row ${String(one.row)} says ${one.says} and row ${String(other.row)} says ${other.says}; the rows of one inspection give one ${thing}`;
	return { subject, wrong, kind: 'conflict' };
}

/**
 * Returns a problem as a sentence without its final period: `"Severity" (row 33): "Hgih" is not among its choices; …`.
 */
export function problemText({ subject, instance, rows, ...problem }: Problem): string {
	const row = rows === undefined ? undefined : rowsText(rows);
	const place = row ?? (instance === undefined ? undefined : `instance ${String(instance)}`);
	if (subject === undefined) return [place, saying(problem)].filter(Boolean).join(': ');
	return `${subject}${place === undefined ? '' : ` (${place})`}: ${saying(problem)}`;
}

/** Returns the problem without its subject. */
export function saying({ value, wrong }: Pick<Problem, 'value' | 'wrong'>): string {
	return value === undefined ? wrong : `${value} ${wrong}`;
}

/** Maximum characters of all lines of one message: a screen of n8n's error panel. */
const MAX_LINES_LENGTH = 4_000;
/** Maximum lines of one message, so that each has room for its subject and rows. */
const MAX_LINES = 50;
/** Maximum values of a kind, rows or ranges of rows, and inspections in a line. One is enough to show the mistake. */
const [SHOWN_VALUES, SHOWN_ROWS, SHOWN_UNITS] = [8, 3, 2];

/** The problems with the rows of one inspection. */
export interface UnitProblems {
	readonly rows: readonly number[];
	/** The name that people use, in addition to the rows: `"Nr." 18`. Undefined for a single row. */
	readonly name: string | undefined;
	readonly problems: readonly Problem[];
}

interface Told extends Problem {
	readonly rows: readonly number[];
	readonly unit: UnitProblems;
}

function told(units: readonly UnitProblems[]): Told[] {
	return units.flatMap((unit) =>
		unit.problems.map((problem) => ({ ...problem, rows: problem.rows ?? unit.rows, unit })),
	);
}

/** "2 of 50 rows need a correction (row 1 is the first below the header; …)." */
export function countSentence(
	units: readonly UnitProblems[],
	{ rowCount, counted }: { rowCount: number; counted: string },
): string {
	const wrong = told(units).flatMap(({ isCause, rows }) => (isCause === true ? [] : rows));
	const count = new Set(wrong).size;
	const verb = count === 1 ? 'needs a correction' : 'need a correction';
	return `${String(count)} of ${String(rowCount)} rows ${verb} (${counted}).`;
}

/**
 * Returns one line for each question and kind of problem, no matter how many rows have it: `"Date", rows 3, 5, 7 and 29
 * more: …`. The more kinds there are, the shorter each line is.
 */
export function problemLines(units: readonly UnitProblems[], rowCount: number): string[] {
	const isEffect = ({ isCause }: Told) => Number(isCause !== true);
	const causesFirst = told(units).sort((a, b) => isEffect(a) - isEffect(b));
	const kinds = groupBy(causesFirst, ({ subject, kind, wrong }) =>
		JSON.stringify([subject, kind ?? wrong]),
	);
	const shown = [...kinds.values()].slice(0, MAX_LINES);
	const length = Math.floor(MAX_LINES_LENGTH / shown.length);
	const lines = shown.map((kind) => cleanLine(lineOf(kind, rowCount), length));
	const more = kinds.size - shown.length;
	return more > 0 ? [...lines, `… and ${String(more)} more kinds of problems`] : lines;
}

function lineOf(kind: readonly Told[], rowCount: number): string {
	const [first] = kind;
	if (first === undefined) return '';
	const { subject, instance } = first;
	const isOne = instance !== undefined && kind.every((problem) => problem.instance === instance);
	const which = isOne ? ` (instance ${String(instance)})` : '';
	const place = placeOf(kind, rowCount);
	const title = subject === undefined ? capitalised(place) : `${subject}${which}, ${place}`;
	return `${title}: ${saying(first)}${otherValues(first, kind)}.`;
}

function placeOf(kind: readonly Told[], rowCount: number): string {
	const units = new Set(kind.map(({ unit }) => unit));
	const byName = groupBy(kind, ({ unit }) => unit.name);
	if (units.size <= SHOWN_UNITS && !byName.has(undefined)) {
		const places = [...byName].map(([name = '', ofName]) => `${shownRows(ofName)} (${name})`);
		return places.join(' and ');
	}
	const count = new Set(kind.flatMap(({ rows }) => rows)).size;
	return count === rowCount && count > 2 ? `all ${String(count)} rows` : shownRows(kind);
}

function shownRows(problems: readonly Told[]): string {
	return rowsText(
		problems.flatMap(({ rows }) => rows),
		SHOWN_ROWS,
	);
}

/** Lists the other values to correct, each with its rows. Empty if an option fixes them all. */
function otherValues(first: Told, kind: readonly Told[]): string {
	if (first.option !== undefined) return '';
	const values = groupBy(kind, ({ value }) => value);
	values.delete(first.value);
	if (values.size === 0) return '';
	const shown = [...values].map(([value = '', ofValue]) => `${value} in ${shownRows(ofValue)}`);
	return `. Also: ${listText(shown.slice(0, SHOWN_VALUES), values.size)}`;
}

/** Returns the rows for the beginning of a sentence: "Rows 7 and 40". */
export function rowsTitle({ rows, name }: Pick<UnitProblems, 'rows' | 'name'>): string {
	const title = capitalised(rowsText(rows));
	return name === undefined ? title : `${title} (${name})`;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
