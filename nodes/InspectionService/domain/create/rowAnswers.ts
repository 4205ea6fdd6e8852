import { type Answer, readAnswer, type ReadingOptions } from '../answer/answer';
import { groupBy } from '../groupBy';
import { jsonText, type JsonValue } from '../json';
import { isBlank, withoutByteOrderMark } from '../plainText';
import type { Problem } from '../problem';
import { isAddedByN8n, ownKeysOf } from '../rowKeys';
import { shownValue } from '../shownText';
import type { Form } from '../template/form';
import { isQuestion, type RepeatableSection } from '../template/questions';
import { type Detail, detailsOf } from './details';
import type { SheetRow } from './groupRows';
import { ambiguousKey, readSection } from './sectionAnswers';

/** What n8n gives for one input item. */
export interface Row {
	/** The number by which people know it (`rowNumbers`). */
	readonly number: number;
	/** The item's own fields with automatic mapping, else the values of the mapper's columns, by column id. */
	readonly values: SheetRow;
	/** The names of the mapper's columns, by their ids; undefined with automatic mapping. */
	readonly labels: ReadonlyMap<string, string> | undefined;
	readonly additionalFields: SheetRow;
	readonly task: SheetRow | undefined;
	/** The columns and questions whose texts had C1 control characters (`repaired`). */
	readonly repaired?: readonly string[];
}

/** What one row, or several, say about an inspection. */
export interface Draft {
	/** The number of the row; of several, that of the first. */
	row: number;
	answers: Answer[];
	details: Detail[];
	hasTask: boolean;
	problems: Problem[];
	/** Keys with a value that match nothing in the template. */
	unknownKeys: string[];
	/** Keys with a value that are the row's own, such as `name`. They are never taken for a question. */
	ownKeys: string[];
	/** Sections whose value could not be read. Their required questions are not reported as well. */
	unread: Set<RepeatableSection>;
}

/** How the rows of an inspection are read. */
export interface RowReading extends ReadingOptions {
	/** Undefined where each row is an inspection of its own. */
	groupColumn: string | undefined;
	/** What to do about a mapped question that the template does not have; undefined for the usual advice. */
	goneCure?: string | undefined;
}

/** A row that is being read, and what was found in it so far. */
export interface ReadRow {
	readonly form: Form;
	readonly row: Row;
	readonly how: RowReading;
	readonly draft: Draft;
}

/** What one row says about an inspection. Each value is read once, here. */
export function draftOf(form: Form, row: Row, how: RowReading): Draft {
	const { details, problems } = detailsOf(row, how);
	const draft: Draft = {
		row: row.number,
		answers: [],
		details,
		hasTask: row.task !== undefined,
		problems: [],
		unknownKeys: [],
		ownKeys: [],
		unread: new Set(),
	};
	const reading = { form, row, how, draft };
	if (row.labels === undefined) readKeys(reading);
	else readColumns(reading, row.labels);
	closeUp(draft.answers);
	draft.problems.push(...problems);
	return draft;
}

function readKeys(reading: ReadRow): void {
	const { values } = reading.row;
	const isOwn = ownKeysOf(values);
	for (const [name, value] of Object.entries(values)) {
		if (isBlank(value)) continue;
		const key = withoutByteOrderMark(name);
		if (isOwn(key)) reading.draft.ownKeys.push(key);
		else readKey(reading, key, value);
	}
}

function readKey(reading: ReadRow, key: string, given: unknown): void {
	const { problems, unknownKeys } = reading.draft;
	const { columns, instance } = reading.form.keys.find(key);
	const [column, another] = columns;
	if (column === undefined) {
		if (!isAddedByN8n(key)) unknownKeys.push(key);
	} else if (another !== undefined) {
		problems.push(ambiguousKey(key, columns));
	} else if (isQuestion(column)) {
		readGiven(reading, { question: column, order: instance ?? 1, given, key, inArray: false });
	} else if (instance === undefined) {
		readSection(reading, column, given);
	} else {
		const wrong = `"${column.name}" is a section and takes all its instances at once, without ":${String(instance)}"`;
		problems.push({ subject: `"${key}"`, wrong });
	}
}

const GONE_CURE =
	'take it out under Answers or, where another template was chosen, use ⋮ → Refresh Question List there';

/** The columns of n8n's mapper. Those that the template does not have are one problem. */
function readColumns(reading: ReadRow, labels: ReadonlyMap<string, string>): void {
	const { form, row, how, draft } = reading;
	const gone: string[] = [];
	for (const [id, given] of Object.entries(row.values)) {
		if (isBlank(given)) continue;
		const column = form.columnOf(id);
		if (column === undefined) gone.push(`"${labels.get(id) ?? id}": ${shownValue(given)}`);
		else if (!isQuestion(column)) readSection(reading, column, given);
		else readGiven(reading, { question: column, order: 1, given, key: id, inArray: false });
	}
	if (gone.length === 0) return;
	const wrong = `${gone.join(', ')} cannot be sent, because the template has no such question; ${how.goneCure ?? GONE_CURE}`;
	draft.problems.push({ wrong, kind: 'no such question' });
}

/** Reads a value that is not empty. Nothing comes of it where it is no answer. */
export function readGiven(
	{ row, how, draft }: ReadRow,
	given: Pick<Answer, 'question' | 'order' | 'given' | 'key' | 'inArray'>,
): void {
	const isGrouped = how.groupColumn !== undefined;
	const { question, order, key } = given;
	if (isGrouped && order !== 1 && !given.inArray) {
		const wrong = `with Group Rows By each instance has a row of its own; put the answer into one, under "${question.name}"`;
		draft.problems.push({ subject: `"${key}"`, wrong });
		return;
	}
	const { value, problem } = readAnswer(question, given.given, how);
	if (value === undefined && problem === undefined) return;
	const place = { element: order, row: isGrouped ? row.number : undefined };
	draft.answers.push({ ...given, ...place, value: value ?? asGiven(given.given), problem });
}

/** The value as JSON holds it, such as the ISO 8601 text of a date. A value that JSON cannot hold becomes text. */
function asGiven(value: unknown): JsonValue {
	const json = jsonText(value);
	if (json === undefined) return typeof value === 'object' ? shownValue(value) : String(value);
	const copy: JsonValue = JSON.parse(json);
	return copy;
}

/** An element of an array without any answer is no instance, and the elements after it move up. */
function closeUp(answers: readonly Answer[]): void {
	const inArrays = answers.filter(({ inArray }) => inArray);
	for (const ofSection of groupBy(inArrays, ({ question }) => question.section).values()) {
		const elements = [...new Set(ofSection.map(({ element }) => element))].sort((a, b) => a - b);
		const orders = new Map(elements.map((element, place) => [element, place + 1]));
		for (const answer of ofSection) answer.order = orders.get(answer.element) ?? answer.order;
	}
}
