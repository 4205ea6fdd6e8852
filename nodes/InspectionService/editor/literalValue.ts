import type { INodeListSearchItems, INodePropertyOptions, ResourceMapperField } from 'n8n-workflow';

import { listName } from '../domain/template/keys';

/** What begins with `=`, and for n8n 2.41's editor what has `{{`. */
const LOOKS_LIKE_EXPRESSION = /^=|\{\{/;
/** Behind a `=`, all but these stands for itself. n8n refuses `.constructor` in any expression. */
const READ_BY_N8N = /[{}\\]|constructor/;
/** Where a text is cut, so that no part of it has two braces in a row, `.constructor`, or the `$json` of an expression. */
const CUTS = /(?<=\{)(?=\{)|(?<=\})(?=\})|(?<=\.)(?=\s*constructor)|(?<=\$)/;

/**
 * The parameter that n8n works out to exactly this text: `==10 mm` for `=10 mm`, `={{ "={" + "{ key }" + "}" }}` for
 * `={{ key }}`. Otherwise a text from the service would be worked out at every execution, with the workflow's data.
 */
export function literalValue(text: string): string {
	if (!LOOKS_LIKE_EXPRESSION.test(text)) return text;
	if (!READ_BY_N8N.test(text)) return `=${text}`;
	const parts = text.split(CUTS).map((part) => JSON.stringify(part));
	// n8n's parser takes these two for the end of a line.
	const code = parts.join(' + ').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
	return `={{ ${code} }}`;
}

export function withShownName<Entry extends INodePropertyOptions | INodeListSearchItems>(
	entry: Entry,
): Entry {
	const { name, value } = entry;
	const shown = listName(name) || listName(String(value));
	return { ...entry, name: shown, value: typeof value === 'string' ? literalValue(value) : value };
}

export function withCleanName(column: ResourceMapperField): ResourceMapperField {
	const { id, displayName, options } = column;
	const name = listName(displayName) || listName(id);
	if (options === undefined) return { ...column, displayName: name };
	return { ...column, displayName: name, options: options.map(withShownName) };
}
