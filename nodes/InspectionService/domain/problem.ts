import { groupBy } from './groupBy';
import { rowsText } from './rowNumbers';
import { cleanLine, listText } from './shownText';

/** What is wrong with a value, as the end of `"<label>": …`. */
export interface ValueProblem {
	/** As messages show it: `"02.05.2026"`. */
	readonly value: string;
	/** `is not a date; write it as …` */
	readonly wrong: string;
	/** Problems of one subject and one kind are told together. By default those whose `wrong` is the same. */
	readonly kind?: string;
	/** The option of the node that reads the value, and with it the others of its kind. */
	readonly option?: string;
}

/** One thing that is wrong with the rows of an inspection. `wrong` alone is a sentence where there is no value. */
export interface Problem extends Partial<ValueProblem> {
	readonly wrong: string;
	/** `"Date of visit"`, `Task due date`; undefined where `wrong` says so itself. */
	readonly subject?: string;
	/** The instance that is meant, of a question in a repeatable section. */
	readonly instance?: number | undefined;
	/** The numbers of the rows that are meant; undefined for all rows of the inspection. */
	readonly rows?: readonly number[] | undefined;
	/** True for what is none by itself, but may have caused others. It is told before them. */
	readonly isCause?: boolean;
}

interface SaidByRow {
	row: number;
	says: string;
}

/** The problem that two rows of one inspection say different things where it takes one `thing`. */
export function conflictOf(
	subject: string,
	one: SaidByRow,
	other: SaidByRow,
	thing: string,
): Problem {
	const wrong = `row ${String(one.row)} says ${one.says} and row ${String(other.row)} says ${other.says}; the rows of one inspection give one ${thing}`;
	return { subject, wrong, kind: 'conflict' };
}

/** A problem as a sentence without its full stop: `"Severity" (row 33): "Hgih" is not among its choices; …`. */
export function problemText({ subject, instance, rows, ...problem }: Problem): string {
	const row = rows === undefined ? undefined : rowsText(rows);
	const place = row ?? (instance === undefined ? undefined : `instance ${String(instance)}`);
	if (subject === undefined) return [place, saying(problem)].filter(Boolean).join(': ');
	return `${subject}${place === undefined ? '' : ` (${place})`}: ${saying(problem)}`;
}

/** What is wrong, without what it is about. */
export function saying({ value, wrong }: Pick<Problem, 'value' | 'wrong'>): string {
	return value === undefined ? wrong : `${value} ${wrong}`;
}

/** Characters of all lines of one message: a screen of n8n's error panel. */
const MAX_LINES_LENGTH = 4_000;
/** Lines of one message. Each then has room for what it is about and for its rows. */
const MAX_LINES = 50;
/** What a line names: values of its kind, rows or neighbouring rows, inspections. One of them shows the mistake. */
const [SHOWN_VALUES, SHOWN_ROWS, SHOWN_UNITS] = [8, 3, 2];

/** What is wrong with the rows of one inspection, by their numbers. */
export interface UnitProblems {
	readonly rows: readonly number[];
	/** What people know it by, beside the rows: `"Nr." 18`; undefined for a row by itself. */
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
 * One line for each question and kind of problem, however many rows have it: `"Date", rows 3, 5, 7 and 29 more: …`. The
 * more kinds there are, the shorter is each line.
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

/** The values beside the first that are to be corrected, too, each with its rows. An option reads all of its kind. */
function otherValues(first: Told, kind: readonly Told[]): string {
	if (first.option !== undefined) return '';
	const values = groupBy(kind, ({ value }) => value);
	values.delete(first.value);
	if (values.size === 0) return '';
	const shown = [...values].map(([value = '', ofValue]) => `${value} in ${shownRows(ofValue)}`);
	return `. Also: ${listText(shown.slice(0, SHOWN_VALUES), values.size)}`;
}

/** The rows at the beginning of a sentence: "Rows 7 and 40". */
export function rowsTitle({ rows, name }: Pick<UnitProblems, 'rows' | 'name'>): string {
	const title = capitalised(rowsText(rows));
	return name === undefined ? title : `${title} (${name})`;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
