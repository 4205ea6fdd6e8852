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
	/** Undefined with automatic mapping. */
	readonly mapped: MappedColumns | undefined;
	readonly additionalFields: SheetRow;
	readonly task: SheetRow | undefined;
}

/** The columns that are mapped one by one. */
export interface MappedColumns {
	/** Their names, by their ids. */
	readonly labels: ReadonlyMap<string, string>;
	/** What to do about a column that the template does not have; undefined for the usual advice. */
	readonly cure: string | undefined;
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

export interface Finding {
	answer?: Answer;
	problem?: Problem;
	unread?: RepeatableSection;
	unknownKey?: string;
	ownKey?: string;
}

/** How the rows of an inspection are read. */
export interface RowReading extends ReadingOptions {
	/** Undefined where each row is an inspection of its own. */
	groupColumn: string | undefined;
}

export interface ReadRow {
	readonly form: Form;
	readonly row: Row;
	readonly how: RowReading;
}

/** What one row says about an inspection. Each value is read once, here. */
export function draftOf(form: Form, row: Row, how: RowReading): Draft {
	const reading = { form, row, how };
	const found = [
		...(row.mapped === undefined ? readKeys(reading) : readColumns(reading, row.mapped)),
	];
	const { details, problems } = detailsOf(row, how);
	return {
		row: row.number,
		answers: closedUp(found.flatMap(({ answer }) => answer ?? [])),
		details,
		hasTask: row.task !== undefined,
		problems: [...found.flatMap(({ problem }) => problem ?? []), ...problems],
		unknownKeys: found.flatMap(({ unknownKey }) => unknownKey ?? []),
		ownKeys: found.flatMap(({ ownKey }) => ownKey ?? []),
		unread: new Set(found.flatMap(({ unread }) => unread ?? [])),
	};
}

function* readKeys(reading: ReadRow): Generator<Finding> {
	const { values } = reading.row;
	const isOwn = ownKeysOf(values);
	for (const [name, value] of Object.entries(values)) {
		if (isBlank(value)) continue;
		const key = withoutByteOrderMark(name);
		if (isOwn(key)) yield { ownKey: key };
		else yield* readKey(reading, key, value);
	}
}

function* readKey(reading: ReadRow, key: string, given: unknown): Generator<Finding> {
	const { columns, instance } = reading.form.keys.find(key);
	const [column, another] = columns;
	if (column === undefined) {
		if (!isAddedByN8n(key)) yield { unknownKey: key };
	} else if (another !== undefined) {
		yield { problem: ambiguousKey(key, columns) };
	} else if (isQuestion(column)) {
		const order = instance ?? 1;
		yield* readValue(reading, { question: column, order, given, key, inArray: false });
	} else if (instance === undefined) {
		yield* readSection(reading, column, given);
	} else {
		const wrong = `"${column.name}" is a section and takes all its instances at once, without ":${String(instance)}"`;
		yield { problem: { subject: `"${key}"`, wrong } };
	}
}

const GONE_CURE =
	'take it out under Answers or, where another template was chosen, use ⋮ → Refresh Question List there';

/** The columns of n8n's mapper. Those that the template does not have are one problem. */
function* readColumns(
	reading: ReadRow,
	{ labels, cure = GONE_CURE }: MappedColumns,
): Generator<Finding> {
	const gone: string[] = [];
	for (const [id, given] of Object.entries(reading.row.values)) {
		if (isBlank(given)) continue;
		const column = reading.form.columnOf(id);
		if (column === undefined) gone.push(`"${labels.get(id) ?? id}": ${shownValue(given)}`);
		else if (!isQuestion(column)) yield* readSection(reading, column, given);
		else yield* readValue(reading, { question: column, order: 1, given, key: id, inArray: false });
	}
	if (gone.length === 0) return;
	const wrong = `${gone.join(', ')} cannot be sent, because the template has no such question; ${cure}`;
	yield { problem: { wrong, kind: 'no such question' } };
}

/** Reads a value that is not empty. Nothing comes of it where it is no answer. */
export function* readValue(
	{ row, how }: ReadRow,
	given: Pick<Answer, 'question' | 'order' | 'given' | 'key' | 'inArray'>,
): Generator<Finding> {
	const isGrouped = how.groupColumn !== undefined;
	const { question, order, key } = given;
	if (isGrouped && order !== 1 && !given.inArray) {
		const wrong = `with Group Rows By each instance has a row of its own; put the answer into one, under "${question.name}"`;
		yield { problem: { subject: `"${key}"`, wrong } };
		return;
	}
	const { value, problem } = readAnswer(question, given.given, how);
	if (value === undefined && problem === undefined) return;
	const place = { element: order, row: isGrouped ? row.number : undefined };
	yield { answer: { ...given, ...place, value: value ?? asGiven(given.given), problem } };
}

/** The value as JSON holds it, such as the ISO 8601 text of a date. A value that JSON cannot hold becomes text. */
function asGiven(value: unknown): JsonValue {
	const json = jsonText(value);
	if (json === undefined) return typeof value === 'object' ? shownValue(value) : String(value);
	const copy: JsonValue = JSON.parse(json);
	return copy;
}

/** An element of an array without any answer is no instance, and the elements after it move up. */
function closedUp(answers: readonly Answer[]): Answer[] {
	const inArrays = answers.filter(({ inArray }) => inArray);
	const orders = new Map<RepeatableSection | null, Map<number, number>>();
	for (const [section, ofSection] of groupBy(inArrays, ({ question }) => question.section)) {
		const elements = [...new Set(ofSection.map(({ element }) => element))].sort((a, b) => a - b);
		orders.set(section, new Map(elements.map((element, place) => [element, place + 1])));
	}
	return answers.map((answer) => {
		const order = answer.inArray && orders.get(answer.question.section)?.get(answer.element);
		return order ? { ...answer, order } : answer;
	});
}
