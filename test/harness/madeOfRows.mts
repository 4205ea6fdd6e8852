/** Rows as Create reads them from n8n, and the request that the node's own function builds from them. */
import {
	type CreateRequest,
	createRequest,
	type CreateRequestOptions,
} from '#connector/domain/create/createRequest.ts';
import { bodyOf, detailsOf } from '#connector/domain/create/details.ts';
import type { Row } from '#connector/domain/create/sheetRow.ts';
import { InputError } from '#connector/domain/inputError.ts';
import { problemText } from '#connector/domain/problem.ts';
import type { Form } from '#connector/domain/template/form.ts';
import { guid } from './generatedTemplate.mts';

/** A row that is mapped automatically, or by the mapper's column IDs. */
export function rowOf(
	values: Row['values'],
	others: Partial<Row> & { by?: 'columns' | 'autoMap' } = {},
): Row {
	const { by = 'autoMap', ...row } = others;
	const labels = by === 'columns' ? new Map() : undefined;
	return { number: 1, values, labels, additionalFields: {}, task: undefined, ...row };
}

/** Default settings for reading rows. */
export const MAKING: CreateRequestOptions = {
	templateId: guid(0),
	timeZone: 'America/New_York',
	validate: true,
	groupColumn: undefined,
	isUsed: () => false,
};

/** The request for one item or for the rows of one group. Throws with all of their problems. */
export function requestOf(
	form: Form,
	rows: readonly [Row, ...Row[]],
	making: Partial<CreateRequestOptions> = {},
): CreateRequest {
	const [question] = form.questions;
	// Rows of a sheet have all its columns, even if they have no answers.
	const whole = (row: Row): Row => {
		if (row.labels !== undefined || question === undefined) return row;
		return { ...row, values: { [question.fieldId]: '', ...row.values } };
	};
	const [first, ...others] = rows;
	return createRequest(form, [whole(first), ...others.map(whole)], { ...MAKING, ...making });
}

/** The request for the rows of one group with automatic mapping, numbered from 1. */
export function groupRequest(
	form: Form,
	given: readonly Row['values'][],
	making: Partial<CreateRequestOptions> = {},
): CreateRequest {
	const [first = rowOf({}), ...others] = given.map((values, n) => rowOf(values, { number: n + 1 }));
	return requestOf(form, [first, ...others], { groupColumn: 'No', ...making });
}

/** The request's members other than answers, and their problems. The node's fields must have unique names. */
export function detailsBody(fields: Row['additionalFields'], hasTask = false) {
	const row = { additionalFields: fields, task: fields };
	const { details, problems } = detailsOf(row, { timeZone: 'UTC' });
	return { body: bodyOf(details, hasTask), problems: problems.map(problemText) };
}

/** Why some work is rejected: the message, then one line per problem. */
export function problemOf(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return [error.message, ...(error.detail ?? [])].join('\n');
	}
	return 'no problem';
}
