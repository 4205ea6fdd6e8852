import { type Answer, readAnswer, type ReadingOptions } from '../answer/answer';
import { shownValue } from '../answer/shownValue';
import { groupBy } from '../groupBy';
import { jsonText, type JsonValue } from '../json';
import { isBlank, withoutByteOrderMark } from '../plainText';
import type { Problem } from '../problem';
import { isAddedByN8n, ownKeysOf } from '../rowKeys';
import type { Form } from '../template/form';
import { isQuestion } from '../template/questions';
import { detailsOf } from './details';
import type { Draft, MappedColumns, Row } from './draft';
import { ambiguousKey, readSection } from './sectionAnswers';

/** How the rows of an inspection are read. */
export interface RowReading extends ReadingOptions {
	/** Whether several rows may make one inspection. Then each answer names its row in messages. */
	isGrouped: boolean;
}

/** A row while it is read. */
export interface RowReader {
	form: Form;
	/** What the row says, as far as it was read. */
	draft: Draft;
	/** Reads a value that is not empty. Nothing is added where it is no answer. */
	add(given: Pick<Answer, 'question' | 'order' | 'given' | 'key' | 'inArray'>): void;
}

/**
 * What one row says about an inspection. With automatic mapping each key is taken for the question or section that it
 * means, except the row's own keys. Each value is read once, here.
 */
export function draftOf(form: Form, row: Row, how: RowReading): Draft {
	const { details, problems } = detailsOf(row, how);
	const draft: Draft = {
		...{ answers: [], details, hasTask: row.task !== undefined },
		...{ problems: [], detailProblems: problems, unknownKeys: [], ownKeys: [], unread: new Set() },
	};
	const reader: RowReader = {
		form,
		draft,
		add(given) {
			if (how.isGrouped && given.order !== 1 && !given.inArray) {
				draft.problems.push(numberedKey(given));
				return;
			}
			const answer = answerOf(given, how, how.isGrouped ? row.number : undefined);
			if (answer !== undefined) draft.answers.push(answer);
		},
	};
	if (row.mapped === undefined) readKeys(reader, row.values);
	else readColumns(reader, row.values, row.mapped);
	closeUp(draft.answers);
	return draft;
}

function readKeys(reader: RowReader, values: Row['values']): void {
	const isOwn = ownKeysOf(values);
	for (const [name, value] of Object.entries(values)) {
		if (isBlank(value)) continue;
		const key = withoutByteOrderMark(name);
		if (isOwn(key)) reader.draft.ownKeys.push(key);
		else readKey(reader, key, value);
	}
}

function readKey(reader: RowReader, key: string, value: unknown): void {
	const { form, draft } = reader;
	const { columns, instance } = form.keys.find(key);
	const [column, another] = columns;
	if (column === undefined) {
		if (!isAddedByN8n(key)) draft.unknownKeys.push(key);
	} else if (another !== undefined) {
		draft.problems.push(ambiguousKey(key, columns));
	} else if (isQuestion(column)) {
		reader.add({ question: column, order: instance ?? 1, given: value, key, inArray: false });
	} else if (instance === undefined) {
		readSection(reader, column, value);
	} else {
		draft.problems.push({
			subject: `"${key}"`,
			wrong: `"${column.name}" is a section and takes all its instances at once, without ":${String(instance)}"`,
		});
	}
}

const GONE_CURE =
	'take it out under Answers or, where another template was chosen, use ⋮ → Refresh Question List there';

/** Reads the columns of n8n's mapper. Those that the template does not have are one problem. */
function readColumns(
	reader: RowReader,
	values: Row['values'],
	{ labels, cure = GONE_CURE }: MappedColumns,
): void {
	const gone: string[] = [];
	for (const [id, value] of Object.entries(values)) {
		if (isBlank(value)) continue;
		const column = reader.form.columnOf(id);
		if (column === undefined) gone.push(`"${labels.get(id) ?? id}": ${shownValue(value)}`);
		else if (!isQuestion(column)) readSection(reader, column, value);
		else reader.add({ question: column, order: 1, given: value, key: id, inArray: false });
	}
	if (gone.length === 0) return;
	reader.draft.problems.push({
		wrong: `${gone.join(', ')} cannot be sent, because the template has no such question; ${cure}`,
		kind: 'no such question',
	});
}

function numberedKey({ key, question }: Pick<Answer, 'key' | 'question'>): Problem {
	const wrong = `with Group Rows By each instance has a row of its own; put the answer into one, under "${question.name}"`;
	return { subject: `"${key}"`, wrong };
}

/** The answer that a value is; undefined for none. */
function answerOf(
	{ question, order, given, key, inArray }: Parameters<RowReader['add']>[0],
	how: RowReading,
	row: number | undefined,
): Answer | undefined {
	const read = readAnswer(question, given, how);
	if (read.kind === 'none') return undefined;
	const isAnswer = read.kind === 'answer';
	const value = isAnswer ? read.value : asGiven(given);
	const problem = isAnswer ? undefined : read.problem;
	return { question, order, value, given, key, element: order, row, inArray, problem };
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
		for (const answer of ofSection) answer.order = orders.get(answer.element) ?? answer.element;
	}
}
