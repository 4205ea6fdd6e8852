import { documentedOperations } from './serviceDocument.mts';
import type { SandboxSettings } from './settings.mts';

/** Parameters that the document has as arrays, those inside of data_filter included. */
const LISTS = new Set([
	...documentedOperations.flatMap(({ parameters }) =>
		parameters.filter(({ schema }) => schema.type === 'array').map(({ name }) => name),
	),
	'data_filter[template_control_ids]',
]);

/** `name`, `name[]` and `name[0]` are one list; `name[member]` is a member of an object. */
const NAME = /^([^[\]]+(?:\[[^[\]\d][^[\]]*\])?)(?:\[\d*\])?$/;
const MEMBER = /^data_filter\[(.+)\]$/;

function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Values of a list, perhaps comma-separated; empty ones fall out. A status counts without regard to case. */
function listOf(name: string, texts: readonly string[]): string[] {
	const values = texts.flatMap((text) => text.split(',')).map((value) => value.trim());
	const kept = values.filter((value) => value !== '');
	return name === 'status' ? kept.map((value) => value.toLowerCase()) : kept;
}

/**
 * The parameters of a query as the document's schemas want them: lists as arrays, data_filter as an object, all else
 * as text; a value that is given more than once stays an array, which no schema of a single value takes.
 */
export function readQuery(
	query: string,
	encoding: SandboxSettings['dataFilter'],
): Record<string, unknown> {
	const texts = new Map<string, string[]>();
	for (const [key, text] of new URLSearchParams(query)) {
		const name = NAME.exec(key)?.[1];
		if (name === undefined || (name !== key && !LISTS.has(name))) continue;
		texts.set(name, [...(texts.get(name) ?? []), text]);
	}
	const values: [string, unknown][] = [];
	const filter: [string, unknown][] = [];
	for (const [name, given] of texts) {
		const value = LISTS.has(name) ? listOf(name, given) : given.length === 1 ? given[0] : given;
		const member = MEMBER.exec(name)?.[1];
		if (member === undefined) values.push([name, value]);
		else filter.push([member, value]);
	}
	const found = Object.fromEntries(values);
	if (encoding === 'brackets') {
		return filter.length === 0 || 'data_filter' in found
			? found
			: { ...found, data_filter: Object.fromEntries(filter) };
	}
	const { data_filter: json, ...others } = found;
	return json === undefined ? others : { ...others, data_filter: readJson(String(json)) };
}
