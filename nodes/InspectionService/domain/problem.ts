import { cleanLine, listText } from './formatting';
import { groupBy } from './groupBy';
import { rowsText } from './rowNumbers';

/** A problem with a value. In messages, value and message follow a label: `"<label>": <value> <message>`. */
export interface ValueProblem {
	/** The value as shown in messages, such as `"02.05.2026"`. */
	readonly value: string;
	/** What is wrong, and how to fix it, such as `is not a date; write it as …`. */
	readonly message: string;
	/** Problems with the same subject and kind are reported together. By default, the kind is `message`. */
	readonly kind?: string;
	/** The node's option that fixes all values of this kind, such as `Date Format`. */
	readonly option?: string;
}

/** One problem with the rows of an inspection. Without a value, `message` is a complete sentence. */
export interface Problem extends Partial<ValueProblem> {
	readonly message: string;
	/**
	 * The field with the problem, such as `"Date of visit"` or `Task due date`. Undefined if `message` already names
	 * the field.
	 */
	readonly subject?: string;
	/** The number of the affected instance, if the question is in a repeatable section. */
	readonly instance?: number | undefined;
	/** The affected rows, by number. Undefined for all rows of the inspection. */
	readonly rows?: readonly number[] | undefined;
	/** True for a possible cause of other problems that needs no correction itself. Causes are reported first. */
	readonly isCause?: boolean;
	/** True for information that needs no correction. It's reported last, in one line that lists all values. */
	readonly isAside?: boolean;
	/** True if a setting or the whole sheet causes the problem, not a row. The message then names no rows. */
	readonly isOfAll?: boolean;
	/**
	 * The end of a sentence about several rows, such as `look like totals`. In this case, `message` is the end of a
	 * sentence about one row: `looks like a total`.
	 */
	readonly ofRows?: string;
}

interface RowValue {
	row: number;
	shown: string;
}

/** The `kind` of the problems that `conflictOf` returns. */
export const CONFLICT = 'conflict';

/** Returns the problem that two rows of one inspection have different values for one `thing`, such as `template`. */
export function conflictOf(
	subject: string,
	one: RowValue,
	other: RowValue,
	thing: string,
): Problem {
	const message = `row ${String(one.row)} has ${one.shown} and row ${String(other.row)} has ${other.shown}; the rows of one inspection need the same ${thing}`;
	return { subject, message, kind: CONFLICT };
}

/**
 * Returns a problem as a sentence without its final period: `"Severity" (row 33): "Hgih" is not among its choices; …`.
 */
export function problemText({ subject, instance, rows, ...problem }: Problem): string {
	const row = rows === undefined ? undefined : rowsText(rows);
	const where = row ?? (instance === undefined ? undefined : `instance ${String(instance)}`);
	if (subject === undefined) return [where, problemMessage(problem)].filter(Boolean).join(': ');
	return `${subject}${where === undefined ? '' : ` (${where})`}: ${problemMessage(problem)}`;
}

/** Returns the problem without its subject. */
export function problemMessage({ value, message }: Pick<Problem, 'value' | 'message'>): string {
	return value === undefined ? message : `${value} ${message}`;
}

/** Maximum characters of all lines of one message: a screen of n8n's error panel. */
const MAX_LINES_LENGTH = 4_000;
/** Maximum lines of one message, so that each line has room for its subject and rows. */
const MAX_LINES = 50;
/** The maximum numbers of values, of rows or ranges of rows, and of inspections in one line of a message. */
interface Limits {
	readonly values: number;
	readonly rows: number;
	readonly plans: number;
}

/** Maximum ignored columns in a line: a few lines of n8n's panel. */
const SHOWN_ASIDES = 12;
/** Chosen because a few examples are enough to recognize the mistake. */
const SHOWN: Limits = { values: 8, rows: 3, plans: 2 };
/**
 * No limits, to detect whether a line leaves anything out. Names of inspections stay limited, because the rows identify
 * the inspections too.
 */
const EVERYTHING: Limits = { values: Infinity, rows: Infinity, plans: SHOWN.plans };

/** The problems with the rows of one inspection. */
export interface PlanProblems {
	readonly rows: readonly number[];
	/** The inspection's name in messages, in addition to its rows, such as `"Nr." 18`. Undefined for a single row. */
	readonly name: string | undefined;
	readonly problems: readonly Problem[];
}

interface ReportedProblem extends Problem {
	readonly rows: readonly number[];
	readonly plan: PlanProblems;
}

function reportedProblems(plans: readonly PlanProblems[]): ReportedProblem[] {
	return plans.flatMap((plan) =>
		plan.problems.map((problem) => ({ ...problem, rows: problem.rows ?? plan.rows, plan })),
	);
}

/** Whether a row with this problem needs a correction. */
export function isWrong({ isCause, isAside }: Problem): boolean {
	return isCause !== true && isAside !== true;
}

/** Returns how many rows have a problem: "2 of 50 rows need a correction". */
export function rowCountText(plans: readonly PlanProblems[], rowCount: number): string {
	const rowsToCorrect = reportedProblems(plans).flatMap((problem) =>
		isWrong(problem) ? problem.rows : [],
	);
	const count = new Set(rowsToCorrect).size;
	const verb = count === 1 ? 'needs a correction' : 'need a correction';
	return `${String(count)} of ${String(rowCount)} rows ${verb}`;
}

/**
 * Returns one line for each question and kind of problem, no matter how many rows have it: `"Date", rows 3, 5, 7 and 29
 * more: …`. The more kinds there are, the shorter each line is. `areCut` is true if the lines leave anything out.
 */
export function problemLines(
	plans: readonly PlanProblems[],
	rowCount: number,
): { lines: string[]; areCut: boolean } {
	const order = ({ isCause, isAside }: ReportedProblem) =>
		isCause === true ? 0 : isAside === true ? 2 : 1;
	const causesFirst = reportedProblems(plans).sort((a, b) => order(a) - order(b));
	const kinds = groupBy(causesFirst, ({ subject, kind, message }) =>
		JSON.stringify([subject, kind ?? message]),
	);
	const shown = [...kinds.values()].slice(0, MAX_LINES);
	const length = Math.floor(MAX_LINES_LENGTH / shown.length);
	const lines = shown.map((kind) => cleanLine(lineOf(kind, rowCount, SHOWN), length));
	const more = kinds.size - shown.length;
	if (more > 0) lines.push(`… and ${String(more)} more kinds of problems`);
	const isCut = (kind: readonly ReportedProblem[], index: number) =>
		lines[index] !== cleanLine(lineOf(kind, rowCount, EVERYTHING), MAX_LINES_LENGTH);
	return { lines, areCut: more > 0 || shown.some(isCut) };
}

function lineOf(kind: readonly ReportedProblem[], rowCount: number, limits: Limits): string {
	// Prefer a problem that names an option, because the option also fixes the other values of this kind.
	const first = kind.find(({ option }) => option !== undefined) ?? kind[0];
	if (first === undefined) return '';
	if (first.isAside === true) return asideLine(kind);
	if (first.isOfAll === true) return `${problemMessage(first)}.`;
	if (first.ofRows !== undefined) return rowsSentence(first, first.ofRows, kind, limits);
	const { subject, instance } = first;
	const isOne = instance !== undefined && kind.every((problem) => problem.instance === instance);
	const which = isOne ? ` (instance ${String(instance)})` : '';
	const where = whereText(kind, rowCount, limits);
	const title = subject === undefined ? capitalised(where) : `${subject}${which}, ${where}`;
	return `${title}: ${problemMessage(first)}${otherValues(first, kind, limits)}.`;
}

/** Formats the line about ignored columns: `Ignored: "Nr", "Remark" match no question.` */
function asideLine(kind: readonly ReportedProblem[]): string {
	const [{ subject = '' } = {}] = kind;
	const values = distinctValues(kind);
	const verb = values.length === 1 ? 'matches' : 'match';
	return `${subject}: ${listText(values.slice(0, SHOWN_ASIDES), values.length)} ${verb} no question.`;
}

/** Formats the line about a problem with `ofRows`: `Rows 6 and 9 ("Razem") look like totals: …` */
function rowsSentence(
	{ message }: ReportedProblem,
	ofRows: string,
	kind: readonly ReportedProblem[],
	limits: Limits,
): string {
	const values = distinctValues(kind);
	const shown = listText(values.slice(0, limits.values), values.length);
	const rows = new Set(kind.flatMap((problem) => problem.rows));
	return `${capitalised(shownRows(kind, limits))} (${shown}) ${rows.size === 1 ? message : ofRows}.`;
}

function distinctValues(kind: readonly ReportedProblem[]): string[] {
	return [...new Set(kind.map(({ value = '' }) => value))];
}

function whereText(kind: readonly ReportedProblem[], rowCount: number, limits: Limits): string {
	const plans = new Set(kind.map(({ plan }) => plan));
	const byName = groupBy(kind, ({ plan }) => plan.name);
	if (plans.size <= limits.plans && !byName.has(undefined)) {
		const parts = [...byName].map(
			([name = '', ofName]) => `${shownRows(ofName, limits)} (${name})`,
		);
		return parts.join(' and ');
	}
	const count = new Set(kind.flatMap(({ rows }) => rows)).size;
	return count === rowCount && count > 2 ? `all ${String(count)} rows` : shownRows(kind, limits);
}

function shownRows(problems: readonly ReportedProblem[], limits: Limits): string {
	return rowsText(
		problems.flatMap(({ rows }) => rows),
		limits.rows,
	);
}

/** Lists the other values to correct, each with its rows. Empty if an option fixes them all. */
function otherValues(
	first: ReportedProblem,
	kind: readonly ReportedProblem[],
	limits: Limits,
): string {
	if (first.option !== undefined) return '';
	const values = groupBy(kind, ({ value }) => value);
	values.delete(first.value);
	if (values.size === 0) return '';
	const shown = [...values].map(
		([value = '', ofValue]) => `${value} in ${shownRows(ofValue, limits)}`,
	);
	return `. Also: ${listText(shown.slice(0, limits.values), values.size)}`;
}

/** Returns the rows for the beginning of a sentence: "Rows 7 and 40". */
export function rowsTitle({ rows, name }: Pick<PlanProblems, 'rows' | 'name'>): string {
	const title = capitalised(rowsText(rows));
	return name === undefined ? title : `${title} (${name})`;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
