import { type Answer, readAnswer } from '../answer/answer';
import { listText, quotedList, SHOWN_NAMES, shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import { isRecord, type JsonRecord, parseJson } from '../json';
import { isBlank } from '../normalizeText';
import { type Problem, problemText } from '../problem';
import { isAddedByN8n, ownKeysOf } from '../rowKeys';
import type { Form } from '../template/form';
import {
	type Column,
	isQuestion,
	type Question,
	type RepeatableSection,
} from '../template/questions';
import { type Detail, detailsOf } from './details';
import { type ChoiceColumns, chosenAnswers } from './meantColumns';
import { unmatchedColumn } from './sheet';
import type { Row, SheetRowOptions } from './sheetRow';

/** The content of an inspection, read from one or more rows. Rows can repeat answers and details. */
export interface Draft {
	answers: Answer[];
	details: Detail[];
	problems: Problem[];
	/** Keys that have a value, but answer no question: unknown ones, and reserved ones, such as `name`. */
	readonly unusedKeys: Set<string>;
	/** Sections whose value couldn't be read. Their required questions aren't also reported as unanswered. */
	readonly unread: Set<RepeatableSection>;
}

/** A row that is being read into the lists of a draft. */
interface ReadRow extends Pick<Draft, 'answers' | 'problems' | 'unusedKeys' | 'unread'> {
	readonly form: Form;
	readonly row: Row;
	readonly how: SheetRowOptions;
}

/**
 * Reads the rows of one inspection into one draft, in linear time. Several rows belong to one inspection only with Group
 * Rows By (docs/sheets.md).
 */
export function draftOf(
	form: Form,
	rows: readonly [Row, ...Row[]],
	how: SheetRowOptions,
	choices: ChoiceColumns,
): Draft {
	const [unusedKeys, unread] = [new Set<string>(), new Set<RepeatableSection>()];
	const counts = new Map<RepeatableSection, number>();
	const read = rows.map((row) => {
		const reading: ReadRow = { form, row, how, answers: [], problems: [], unusedKeys, unread };
		if (row.labels === undefined) readKeys(reading, choices);
		else readColumns(reading, row.labels);
		const { answers } = reading;
		numberInstances(answers, counts);
		const { details, problems } = detailsOf(row, how);
		const all = [...reading.problems, ...problems];
		const inRow = (problem: Problem) => ({ ...problem, rows: [row.number] });
		return { answers, details, problems: rows.length === 1 ? all : all.map(inRow) };
	});
	return {
		answers: read.flatMap(({ answers }) => answers),
		details: read.flatMap(({ details }) => details),
		problems: onceEach(read.flatMap(({ problems }) => problems)),
		unusedKeys,
		unread,
	};
}

/**
 * Numbers the instances that one row has in each section. They come after those of earlier rows: `counts` has the
 * highest number so far. An array element without any answer isn't an instance, so later numbers decrease by one.
 */
function numberInstances(answers: readonly Answer[], counts: Map<RepeatableSection, number>): void {
	for (const [section, ofSection] of groupBy(answers, ({ question }) => question.section)) {
		if (section === null) continue;
		const before = counts.get(section) ?? 0;
		const inArray = ofSection.flatMap((answer) => (answer.inArray ? [answer.element] : []));
		const elements = [...new Set(inArray)].sort((a, b) => a - b);
		const orders = new Map(elements.map((element, index) => [element, index + 1]));
		for (const answer of ofSection) {
			const order = answer.inArray ? orders.get(answer.element) : answer.order;
			answer.order = before + (order ?? answer.order);
			counts.set(section, Math.max(counts.get(section) ?? 0, answer.order));
		}
	}
}

/**
 * Returns each problem once. A problem that several rows have in common has no row number, because its cause is in the
 * columns.
 */
function onceEach(problems: readonly Problem[]): Problem[] {
	const same = groupBy(problems, (problem) => problemText({ ...problem, rows: undefined }));
	return [...same.values()].flatMap(([first, ...others]) => {
		if (first === undefined) return [];
		const isAlone = others.every(({ rows }) => rows?.[0] === first.rows?.[0]);
		return [isAlone ? first : { ...first, rows: undefined }];
	});
}

function readKeys(reading: ReadRow, choices: ChoiceColumns): void {
	const { values } = reading.row;
	const ownKeys = ownKeysOf([values]);
	for (const [key, value] of Object.entries(values)) {
		if (isBlank(value)) continue;
		if (ownKeys.has(key)) reading.unusedKeys.add(key);
		else if (!choices.has(key)) readKey(reading, key, value);
	}
	for (const { refused, ...given } of chosenAnswers(values, choices, reading.how.words)) {
		readGiven(reading, given, refused);
	}
}

function readKey(reading: ReadRow, key: string, given: unknown): void {
	const { form, problems, unusedKeys } = reading;
	const { columns, instance } = form.keys.find(key);
	const [column, another] = columns;
	if (column === undefined) {
		if (!isAddedByN8n(key)) unusedKeys.add(key);
	} else if (another !== undefined) {
		problems.push(ambiguousKey(key, columns));
	} else if (isQuestion(column)) {
		readGiven(reading, { question: column, order: instance ?? 1, given, key, inArray: false });
	} else if (instance === undefined) {
		readSection(reading, column, given);
	} else {
		const message = `"${column.name}" is a section. Enter all its instances as one list in square brackets, and remove ":${String(instance)}" from the column's name`;
		problems.push({ subject: `"${key}"`, message });
	}
}

const REFRESH_QUESTIONS =
	"Under 'Answers', choose ⋮ → 'Refresh Question List', then map the columns again";

/** The `kind` of the problem that the template has none of the mapped questions. */
export const OTHER_TEMPLATE = 'other template';

/**
 * Reads the columns of n8n's mapper. Reports all columns that the template doesn't have as one problem. If the template
 * has none of the columns, another template was chosen after the mapping.
 */
function readColumns(reading: ReadRow, labels: ReadonlyMap<string, string>): void {
	const { form, row, how, problems } = reading;
	const gone: string[] = [];
	const filled = Object.entries(row.values).filter(([, given]) => !isBlank(given));
	for (const [id, given] of filled) {
		const column = form.columnOf(id);
		if (column === undefined) gone.push(`"${labels.get(id) ?? id}": ${shownValue(given)}`);
		else if (!isQuestion(column)) readSection(reading, column, given);
		else readGiven(reading, { question: column, order: 1, given, key: id, inArray: false });
	}
	if (gone.length === 0) return;
	if (gone.length === filled.length) {
		const message = `The questions under 'Answers' belong to another template. ${how.otherTemplateFix ?? REFRESH_QUESTIONS}`;
		problems.push({ message, kind: OTHER_TEMPLATE, isOfAll: how.otherTemplateFix === undefined });
		return;
	}
	const message = `${gone.join(', ')} can't be sent, because the template has no such question. Remove ${gone.length === 1 ? 'it' : 'them'} under 'Answers'`;
	problems.push({ message, kind: 'no such question' });
}

/** Maximum number of questions in an example. */
const EXAMPLE_QUESTIONS = 3;

/** Reads the instances of a section: an array, a single object for one instance, or either as JSON text. */
function readSection(reading: ReadRow, section: RepeatableSection, given: unknown): void {
	const { form, answers, problems, unusedKeys } = reading;
	const refuse = ({ message, ...problem }: Problem) => {
		const example = sectionExample(form.questionsIn(section));
		const fix = `Enter a list in square brackets with one instance in each pair of braces, such as ${example}`;
		const subject = `"${section.name}"`;
		problems.push({ subject, ...problem, message: `${message}. ${fix}` });
		reading.unread.add(section);
	};
	const value = typeof given === 'string' ? (parseJson(given) ?? given) : given;
	const elements: unknown[] = Array.isArray(value) ? value : [value];
	const odd = elements.find((element) => !isBlank(element) && !isRecord(element));
	if (odd !== undefined) {
		refuse({ value: shownValue(odd), message: "isn't an instance of the section" });
		return;
	}
	const before = answers.length + problems.length;
	const paths = elements.flatMap((element, index) => {
		const instance = { reading, section, order: index + 1 };
		return isRecord(element) ? readMembers(instance, [], element) : [];
	});
	const unknown = [...new Set(paths)].map((path) => `${section.name}/${path}`);
	if (answers.length + problems.length > before || unknown.length === 0) {
		for (const key of unknown) unusedKeys.add(key);
		return;
	}
	// Reject an array without any known question, because the inspection would be created without its instances.
	const named = unknown.slice(0, SHOWN_NAMES).map((key) => unmatchedColumn(form, key));
	refuse({ message: `no question in the section is named ${listText(named, unknown.length)}` });
}

/** An instance of a section that is being read. */
interface Instance {
	readonly reading: ReadRow;
	readonly section: RepeatableSection;
	readonly order: number;
}

/** Maximum levels of nested objects in an instance. Forms have a handful of levels. */
const MAX_LEVELS = 20;

/** Reads the members of an instance, or of an object at a path inside it. Returns the paths that match no question. */
function readMembers(instance: Instance, path: readonly string[], members: JsonRecord): string[] {
	const filled = Object.entries(members).filter(([, given]) => !isBlank(given));
	return filled.flatMap(([name, given]) => readMember(instance, [...path, name], given));
}

function readMember(instance: Instance, path: readonly string[], given: unknown): string[] {
	const { reading, section, order } = instance;
	const { form, answers, problems } = reading;
	const key = path.join('/');
	const { columns, instance: number } = form.keysIn(section).find(key);
	const [question, another] = columns;
	if (another !== undefined) {
		problems.push(ambiguousKey(key, columns));
	} else if (question !== undefined && isQuestion(question) && number === undefined) {
		readGiven(reading, { question, order, given, key, inArray: true });
	} else if (question !== undefined) {
		const message = `the list of "${section.name}" numbers its instances by their order. Remove ":${String(number)}" from the name`;
		problems.push({ subject: `"${key}"`, message });
	} else {
		const before = answers.length + problems.length;
		const isNested = isRecord(given) && path.length < MAX_LEVELS;
		const unknown = isNested ? readMembers(instance, path, given) : [key];
		const sections = form.sectionKeys.find(path.at(-1) ?? '').columns;
		if (sections.length === 0 || answers.length + problems.length > before) return unknown;
		const message = `"${path.at(-1) ?? ''}" inside "${section.name}" is a separate repeatable section. Enter its instances under ${shownNames(sections)}`;
		problems.push({ message });
	}
	return [];
}

/** Reads a cell's value as an answer, and adds it to the draft. Adds nothing if the answer is empty. */
function readGiven(
	{ row, how, answers, problems }: ReadRow,
	given: Pick<Answer, 'question' | 'order' | 'given' | 'key' | 'inArray'>,
	read = readAnswer(given.question, given.given, how),
): void {
	const isGrouped = how.groupColumns.length > 0;
	const { question, order, key } = given;
	if (isGrouped && order !== 1 && !given.inArray) {
		const message = `with 'Group Rows By', each instance has its own row. Enter the answer in a separate row, under "${question.name}"`;
		problems.push({ subject: `"${key}"`, message });
		return;
	}
	const { value, problem } = read;
	if (value === undefined && problem === undefined) return;
	const origin = { element: order, row: isGrouped ? row.number : undefined };
	// A refused value is never sent. Comparisons use the given value.
	answers.push({ ...given, ...origin, value: value ?? null, problem });
}

/** Returns the problem that a key matches several questions or sections. */
function ambiguousKey(key: string, columns: readonly Column[]): Problem {
	const isQuestions = columns.slice(0, SHOWN_NAMES).every(isQuestion);
	const kind = isQuestions ? 'questions' : 'questions or sections';
	const message = `${String(columns.length)} ${kind} are named "${key}". Rename the column to ${shownNames(columns)}`;
	return { message };
}

/** Lists the first of several columns, because thousands can have the same name. */
function shownNames(columns: readonly Column[]): string {
	const shown = columns.slice(0, SHOWN_NAMES).map(({ name }) => name);
	return quotedList(shown, ' or ');
}

/** Returns an example of a section's array, as JSON: `[{"Name": "…", "Size": 1}]`. */
export function sectionExample(inside: readonly Question[]): string {
	const members = inside
		.slice(0, EXAMPLE_QUESTIONS)
		.map((question) => `${JSON.stringify(question.name)}: ${JSON.stringify(exampleOf(question))}`);
	return `[{${members.join(', ')}}]`;
}

function exampleOf({ type, choices, showTime }: Question): string | number {
	if (type === 'number') return 1;
	if (type === 'date') return showTime ? '2026-05-31T14:30:00Z' : '2026-05-31';
	return choices[0] ?? '…';
}
