/** Functions that build rows as Create reads them from n8n, and the requests that Create sends for them. */
import { createdOf } from '#connector/domain/create/createdInspection.ts';
import {
	type CreateRequest,
	createRequest,
	type CreateRequestOptions,
} from '#connector/domain/create/createRequest.ts';
import { bodyOf, detailsOf } from '#connector/domain/create/details.ts';
import { sheetFacts } from '#connector/domain/create/sheet.ts';
import { SheetNotices } from '#connector/domain/create/sheetNotices.ts';
import type { Row } from '#connector/domain/create/sheetRow.ts';
import { InputError } from '#connector/domain/inputError.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { problemText } from '#connector/domain/problem.ts';
import type { Form } from '#connector/domain/template/form.ts';
import { guid } from './generatedTemplate.mts';

/** Builds a row. `by` tells whether its values are mapped automatically or have the mapper's column IDs as keys. */
export function rowOf(
	values: Row['values'],
	others: Partial<Row> & { by?: 'columns' | 'autoMap' } = {},
): Row {
	const { by = 'autoMap', ...row } = others;
	const labels = by === 'columns' ? new Map() : undefined;
	const cells = labels === undefined ? values : {};
	return { number: 1, values, cells, labels, additionalFields: {}, task: undefined, ...row };
}

/** The default settings for building a request from rows. */
const REQUEST_OPTIONS = {
	templateId: guid(0),
	timeZone: 'America/New_York',
	groupColumns: [],
	usedColumns: new Set<string>(),
};

/** Returns the request for one item, or for the rows of one group. Throws an error with all problems of the rows. */
export function requestOf(
	form: Form,
	rows: readonly [Row, ...Row[]],
	making: Partial<CreateRequestOptions> = {},
): NotedRequest {
	const notices = new SheetNotices();
	const cells = rows.map((row) => row.cells);
	// Other rows of the sheet answer questions, even if these rows have no answers.
	const sheet = { ...sheetFacts(form, cells, making.words), unmatched: undefined };
	const request = createRequest(form, rows, { ...REQUEST_OPTIONS, sheet, ...making }, notices);
	const hints = notices.hints(1).map(({ message }) => message);
	return { ...request, hints, unmatched: hints.flatMap(columnsIn) };
}

/** A request, with the hints about its rows, and the columns that the hints list because they match no question. */
export interface NotedRequest extends CreateRequest {
	readonly hints: readonly string[];
	readonly unmatched: readonly string[];
}

function columnsIn(hint: string): string[] {
	if (!/match(?:es)? no question\.$/.test(hint)) return [];
	return [...hint.matchAll(/"([^"]*)"(?: \(did you mean "[^"]*"\?\))?/g)].map(
		([, name = '']) => name,
	);
}

/** Returns the request for the rows of one group. The rows are mapped automatically and numbered from 1. */
export function groupRequest(
	form: Form,
	given: readonly Row['values'][],
	making: Partial<CreateRequestOptions> = {},
): NotedRequest {
	const [first = rowOf({}), ...others] = given.map((values, n) => rowOf(values, { number: n + 1 }));
	return requestOf(form, [first, ...others], { groupColumns: ['No'], ...making });
}

/**
 * Returns the members of a request that don't come from answers, and the problems of their values. `fields` are used
 * for both the inspection and its task.
 */
export function detailsBody(fields: Row['additionalFields'], hasTask = false) {
	const row = { number: 1, additionalFields: fields, task: fields };
	const { details, problems } = detailsOf(row, { timeZone: 'UTC' });
	return { body: bodyOf(details, hasTask), problems: problems.map(problemText) };
}

/** Returns the message of the InputError that some work throws, then its problems, one per line. */
export function problemOf(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return [error.message, ...(error.detail ?? [])].join('\n');
	}
	return 'no problem';
}

/** Returns the inspection that Create outputs for a response to a request with these answers, and without details. */
export function createdInspection(answer: JsonRecord, sent: CreateRequest['sent']) {
	return createdOf(answer, { body: {}, sent, unused: [] });
}
