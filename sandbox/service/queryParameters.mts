import qs from 'qs';

import { documentedOperations } from './serviceDocument.mts';
import type { SandboxSettings } from './settings.mts';

/** The names of the query parameters that are arrays in the OpenAPI document. */
const LISTS = documentedOperations
	.flatMap(({ parameters }) => parameters)
	.filter(({ schema }) => schema.type === 'array')
	.map(({ name }) => name);

/**
 * Returns the values of a list parameter, without empty ones. The parameter can be repeated, and each occurrence can
 * have several values: `a,b` → `["a", "b"]`.
 */
function listOf(given: unknown): string[] {
	const texts = [given].flat().filter((text) => typeof text === 'string');
	const values = texts.flatMap((text) => text.split(','));
	return values.map((value) => value.trim()).filter((value) => value !== '');
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/**
 * Returns data_filter as an object if the client used the encoding that the service expects. Otherwise, returns the
 * text as sent, or undefined for `data_filter[…]=…`.
 */
function filterOf(sent: unknown, encoding: SandboxSettings['dataFilter']): unknown {
	if (typeof sent === 'string') return encoding === 'json' ? readJson(sent) : sent;
	if (encoding === 'json') return undefined;
	const { template_control_ids: ids, ...filter } = Object(sent);
	return ids === undefined ? filter : { ...filter, template_control_ids: listOf(ids) };
}

/**
 * Parses a query into the shape that the OpenAPI document's schemas expect: lists as arrays, data_filter as an object,
 * and all other values as text. If a parameter is repeated, its value is an array, which a schema for a single value
 * rejects.
 */
export function readQuery(
	query: string,
	encoding: SandboxSettings['dataFilter'],
): Record<string, unknown> {
	const { data_filter: sent, ...found } = qs.parse(query, { depth: 2, arrayLimit: 1000 });
	const lists = LISTS.filter((name) => name in found).map((name) => {
		const values = listOf(found[name]);
		return [name, name === 'status' ? values.map((value) => value.toLowerCase()) : values];
	});
	const filter = sent === undefined ? undefined : filterOf(sent, encoding);
	const values = { ...found, ...Object.fromEntries(lists) };
	return filter === undefined ? values : { ...values, data_filter: filter };
}
