import { cleanLine, listText } from './formatting';
import { groupBy } from './groupBy';
import { rowsText } from './rowNumbers';

/** A problem with a value. In a message, it follows the subject: `"<label>": <value> <message>`. */
export interface ValueProblem {
	/** The value as shown in messages: `"02.05.2026"`. */
	readonly value: string;
	/** The text after the value, such as `is not a date. Write it as …`. */
	readonly message: string;
	/** Problems with the same subject and the same kind are reported in one line. The default kind is `message`. */
	readonly kind?: string;
	/** The option of the node that fixes this value and all other values of the same kind. */
	readonly option?: string;
}

/** One problem with the rows of an inspection. Without a `value`, the message is a complete sentence. */
export interface Problem extends Partial<ValueProblem> {
	readonly message: string;
	/**
	 * The subject of the message, such as `"Date of visit"` or `Task → Due Date`. Undefined if `message` contains its
	 * subject.
	 */
	readonly subject?: string;
	/** The number of the instance, for a question in a repeatable section. */
	readonly instance?: number | undefined;
	/** The numbers of the rows with the problem. Undefined for all rows of the inspection. */
	readonly rows?: readonly number[] | undefined;
	/** Whether a setting or the whole sheet causes the problem. The line then contains no row numbers. */
	readonly isOfAll?: boolean;
}

/**
 * Formats a problem as a sentence without its final period: `"Severity" (row 33): "Hgih" isn't one of its choices: …`.
 */
export function problemText({ subject, instance, rows, ...problem }: Problem): string {
	const row = rows === undefined ? undefined : rowsText(rows);
	const where = row ?? (instance === undefined ? undefined : `instance ${String(instance)}`);
	if (subject === undefined) return [where, problemMessage(problem)].filter(Boolean).join(': ');
	return `${subject}${where === undefined ? '' : ` (${where})`}: ${problemMessage(problem)}`;
}

/** Formats a problem without its subject. */
export function problemMessage({ value, message }: Pick<Problem, 'value' | 'message'>): string {
	return value === undefined ? message : `${value} ${message}`;
}

/** Maximum characters of all lines of one message: about one screen of n8n's error panel. */
const MAX_LINES_LENGTH = 4_000;
/** Maximum lines of one message. With more lines, each would be too short for its subject and rows. */
const MAX_LINES = 50;
/**
 * Maximum values, rows, and inspections in one line. A range of rows counts as one row. Chosen: a few of each are enough to
 * recognize the mistake.
 */
const [SHOWN_VALUES, SHOWN_ROWS, SHOWN_PLANS] = [8, 3, 2];

/** The problems with the rows of one inspection. */
export interface PlanProblems {
	readonly rows: readonly number[];
	/** The name of the inspection in messages, in addition to its rows: `"Nr." 18`. Undefined for a single row. */
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

/** Returns how many rows must be corrected: "2 of 50 rows need a correction". */
export function rowCountText(plans: readonly PlanProblems[], rowCount: number): string {
	const count = new Set(reportedProblems(plans).flatMap(({ rows }) => rows)).size;
	const verb = count === 1 ? 'needs a correction' : 'need a correction';
	return `${String(count)} of ${String(rowCount)} rows ${verb}`;
}

/**
 * Formats problems for one message, with one line for each question and kind of problem: `"Date", rows 3, 5, 7 and 29
 * more: …`. The more lines there are, the shorter each line is.
 */
export function problemLines(plans: readonly PlanProblems[], rowCount: number): string[] {
	const kinds = groupBy(reportedProblems(plans), ({ subject, kind, message }) =>
		JSON.stringify([subject, kind ?? message]),
	);
	const shown = [...kinds.values()].slice(0, MAX_LINES);
	const length = Math.floor(MAX_LINES_LENGTH / shown.length);
	const lines = shown.map((kind) => cleanLine(lineOf(kind, rowCount), length));
	const more = kinds.size - shown.length;
	if (more > 0) lines.push(`… and ${String(more)} more kinds of problems`);
	return lines;
}

function lineOf(kind: readonly ReportedProblem[], rowCount: number): string {
	// Prefer a problem with an option, because the option also fixes the other problems of this kind.
	const first = kind.find(({ option }) => option !== undefined) ?? kind[0];
	if (first === undefined) return '';
	if (first.isOfAll === true) return `${problemMessage(first)}.`;
	const { subject, instance } = first;
	const isOne = instance !== undefined && kind.every((problem) => problem.instance === instance);
	const which = isOne ? ` (instance ${String(instance)})` : '';
	const where = whereText(kind, rowCount);
	const title = subject === undefined ? capitalised(where) : `${subject}${which}, ${where}`;
	return `${title}: ${problemMessage(first)}${otherValues(first, kind)}.`;
}

function whereText(kind: readonly ReportedProblem[], rowCount: number): string {
	const plans = new Set(kind.map(({ plan }) => plan));
	const byName = groupBy(kind, ({ plan }) => plan.name);
	if (plans.size <= SHOWN_PLANS && !byName.has(undefined)) {
		const parts = [...byName].map(([name = '', ofName]) => `${shownRows(ofName)} (${name})`);
		return parts.join(' and ');
	}
	const count = new Set(kind.flatMap(({ rows }) => rows)).size;
	return count === rowCount && count > 2 ? `all ${String(count)} rows` : shownRows(kind);
}

function shownRows(problems: readonly ReportedProblem[]): string {
	return rowsText(
		problems.flatMap(({ rows }) => rows),
		SHOWN_ROWS,
	);
}

/**
 * Lists all values of `kind` except that of `first`, each with its rows. Returns empty text if an option fixes all
 * values.
 */
function otherValues(first: ReportedProblem, kind: readonly ReportedProblem[]): string {
	if (first.option !== undefined) return '';
	const values = groupBy(kind, ({ value }) => value);
	values.delete(first.value);
	if (values.size === 0) return '';
	const shown = [...values].map(([value = '', ofValue]) => `${value} in ${shownRows(ofValue)}`);
	return `. Also: ${listText(shown.slice(0, SHOWN_VALUES), values.size)}`;
}

/** Formats row numbers for the beginning of a sentence: "Rows 7 and 40". */
export function rowsTitle({ rows, name }: Pick<PlanProblems, 'rows' | 'name'>): string {
	const title = capitalised(rowsText(rows));
	return name === undefined ? title : `${title} (${name})`;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
