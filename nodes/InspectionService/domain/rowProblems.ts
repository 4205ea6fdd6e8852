import { groupBy } from './groupBy';
import { type Problem, saying } from './problem';
import { fewRowsText, rowsText } from './rowNumbers';
import { cleanLine, listText } from './shownText';

/** Lines that one message shows, each a kind of problem. A screen of n8n's error panel has room for them. */
const SHOWN_LINES = 20;
/** Characters of all lines. They fill such a screen. */
const SHOWN_LENGTH = 4_000;
/** Characters of one line among few. It stays a paragraph. Among many it has 200 at least. */
const MOST_LENGTH = 600;
/** Values of one kind that a line names. Who has more of them looks into the rows. */
const SHOWN_VALUES = 8;
/** Inspections that a line names. With more, the line says in how many rows the problem is. */
const SHOWN_NAMES = 2;
/** Kinds beyond SHOWN_LINES that are named. Each takes a few words. */
const NAMED_KINDS = 30;

/** What is wrong with the rows of one inspection. */
export interface UnitProblems {
	/** The numbers of its rows; never empty. */
	rows: readonly number[];
	/** What people know it by, beside the rows: `"Nr." 18`; undefined for a row by itself. */
	name: string | undefined;
	problems: readonly Problem[];
}

/** How many rows there are, and how they are counted. */
export interface Counting {
	rowCount: number;
	counted: string;
}

/** "2 of 50 rows need a correction (row 1 is the first below the header; …)." */
export function countSentence(
	units: readonly UnitProblems[],
	{ rowCount, counted }: Counting,
): string {
	const problems = told(units).filter(({ problem }) => problem.isCause !== true);
	const rows = new Set(problems.flatMap((one) => one.rows));
	const verb = rows.size === 1 ? 'needs a correction' : 'need a correction';
	return `${String(rows.size)} of ${String(rowCount)} rows ${verb} (${counted}).`;
}

/**
 * One line for each question and kind of problem, however many rows have it: `"Date of visit", 32 rows (3, 5, 7 …): …`.
 * Every kind has a line or, where there are more than a screen shows, is named in the last one. The first value stands
 * for its kind. Others are named where each of them has to be corrected.
 */
export function problemLines(units: readonly UnitProblems[], { rowCount }: Counting): string[] {
	const all = told(units);
	const problems = all.filter(({ problem }) => problem.isCause !== true);
	const causes = all.filter(({ problem }) => problem.isCause === true);
	const ofKind = ({ problem }: Told) =>
		JSON.stringify([problem.subject, problem.kind ?? problem.wrong]);
	const kinds = [...groupBy([...causes, ...problems], ofKind).values()];
	const length = Math.floor(SHOWN_LENGTH / Math.min(kinds.length, SHOWN_LINES));
	const most = Math.min(length, MOST_LENGTH);
	const lines = kinds.slice(0, SHOWN_LINES).map((kind) => cleanLine(lineOf(kind, rowCount), most));
	const others = kinds.slice(SHOWN_LINES);
	if (others.length === 0) return lines;
	const named = others.slice(0, NAMED_KINDS).map((kind) => titleOf(kind, rowCount));
	return [...lines, `… and in other ways: ${listText(named, others.length)}.`];
}

/** A problem with the inspection that has it. */
interface Told {
	problem: Problem;
	/** The numbers of the rows that have it. */
	rows: readonly number[];
	unit: UnitProblems;
}

function told(units: readonly UnitProblems[]): Told[] {
	return units.flatMap((unit) =>
		unit.problems.map((problem) => ({ problem, rows: problem.rows ?? unit.rows, unit })),
	);
}

function lineOf(kind: readonly Told[], rowCount: number): string {
	const [first] = kind;
	if (first === undefined) return '';
	const text = `${saying(first.problem)}${otherValues(first.problem, kind)}`;
	return `${capitalised(titleOf(kind, rowCount))}: ${text}.`;
}

/** What problems of one kind are about, and their rows: `"Severity", row 33 ("Nr." 18)`. */
function titleOf(kind: readonly Told[], rowCount: number): string {
	const [first] = kind;
	const place = placeOf(kind, rowCount);
	const { subject, instance } = first?.problem ?? {};
	if (subject === undefined) return place;
	const isOne = kind.every(({ problem }) => problem.instance === instance);
	const which = isOne && instance !== undefined ? ` (instance ${String(instance)})` : '';
	return `${subject}${which}, ${place}`;
}

function placeOf(kind: readonly Told[], rowCount: number): string {
	const rows = new Set(kind.flatMap((one) => one.rows));
	const byUnit = groupBy(kind, ({ unit }) => unit);
	const isNamed = byUnit.size <= SHOWN_NAMES && kind.every(({ unit }) => unit.name !== undefined);
	if (!isNamed && rows.size === rowCount && rowCount > 2) return `all ${String(rowCount)} rows`;
	if (!isNamed) return fewRowsText([...rows]);
	const byName = groupBy(kind, ({ unit }) => unit.name);
	const places = [...byName].map(
		([name = '', ofName]) => `${fewRowsText(ofName.flatMap((one) => one.rows))} (${name})`,
	);
	return places.join(' and ');
}

/** The values beside the first that are wrong in the same way, each with its rows. */
function otherValues(first: Problem, kind: readonly Told[]): string {
	if (first.option !== undefined) return '';
	const values = groupBy(kind, ({ problem }) => problem.value);
	values.delete(first.value);
	if (values.size === 0) return '';
	const shown = [...values].slice(0, SHOWN_VALUES).map(([value = '', ofValue]) => {
		const rows = ofValue.flatMap((one) => one.rows);
		return ofValue.length * 2 > kind.length ? value : `${value} in ${fewRowsText(rows)}`;
	});
	return `. Also: ${listText(shown, values.size)}`;
}

/** The rows at the beginning of a sentence: "Rows 7 and 40". */
export function rowsTitle({ rows, name }: Pick<UnitProblems, 'rows' | 'name'>): string {
	return `${capitalised(rowsText(rows))}${name === undefined ? '' : ` (${name})`}`;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
