import type { Answer } from '../answer/answer';
import { shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import { isBlank, withoutByteOrderMark } from '../normalizeText';
import { isAddedByN8n, ownKeysOf } from '../rowKeys';
import type { Form } from '../template/form';
import { isQuestion } from '../template/questions';
import { detailsOf } from './details';
import { ambiguousKey, readSection } from './sectionAnswers';
import { type Draft, readGiven, type ReadRow, type Row, type RowReading } from './sheetRow';

/** Reads the draft of an inspection from one row. Each value is read only here. */
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
	renumberInstances(draft.answers);
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
		const message = `"${column.name}" is a section and accepts all its instances at once, without ":${String(instance)}"`;
		problems.push({ subject: `"${key}"`, message });
	}
}

const GONE_FIX = 'remove it under Answers';
const REFRESH_QUESTIONS = 'Choose ⋮ → Refresh Question List there, then map again';

/** The `kind` of the problem that no mapped question is in the template. */
export const OTHER_TEMPLATE = 'other template';

/**
 * Reads the columns of n8n's mapper. Combines those that the template doesn't have into one problem. If it has none,
 * another template was chosen after the mapping.
 */
function readColumns(reading: ReadRow, labels: ReadonlyMap<string, string>): void {
	const { form, row, how, draft } = reading;
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
		const message = `The questions under Answers belong to another template. ${how.otherTemplateFix ?? REFRESH_QUESTIONS}`;
		draft.problems.push({
			message,
			kind: OTHER_TEMPLATE,
			isOfAll: how.otherTemplateFix === undefined,
		});
		return;
	}
	const message = `${gone.join(', ')} can't be sent, because the template has no such question; ${GONE_FIX}`;
	draft.problems.push({ message, kind: 'no such question' });
}

/** An array element without any answer isn't an instance, so the following elements move up. */
function renumberInstances(answers: readonly Answer[]): void {
	const inArrays = answers.filter(({ inArray }) => inArray);
	for (const ofSection of groupBy(inArrays, ({ question }) => question.section).values()) {
		const elements = [...new Set(ofSection.map(({ element }) => element))].sort((a, b) => a - b);
		const orders = new Map(elements.map((element, place) => [element, place + 1]));
		for (const answer of ofSection) answer.order = orders.get(answer.element) ?? answer.order;
	}
}
