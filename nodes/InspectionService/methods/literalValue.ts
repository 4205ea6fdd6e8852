import { listName } from '../domain/template/keys';

/** Matches text that begins with `=`, and text with `{{`, which the editor of n8n 2.41 treats as an expression. */
const LOOKS_LIKE_EXPRESSION = /^=|\{\{/;
/** Matches text that n8n changes or rejects after a leading `=`. n8n rejects `.constructor` in any expression. */
const READ_BY_N8N = /[{}\\]|constructor/;
/** Splits text so that no part contains two consecutive braces, `.constructor`, or the `$json` of an expression. */
const CUTS = /(?<=\{)(?=\{)|(?<=\})(?=\})|(?<=\.)(?=\s*constructor)|(?<=\$)/;

/**
 * Returns a parameter that n8n evaluates to exactly this text: `==10 mm` for `=10 mm`, `={{ "={" + "{ key }" + "}" }}`
 * for `={{ key }}`. Otherwise n8n would run text from the service as an expression, with access to the workflow's data.
 */
export function literalValue(text: string): string {
	if (!LOOKS_LIKE_EXPRESSION.test(text)) return text;
	if (!READ_BY_N8N.test(text)) return `=${text}`;
	const parts = text.split(CUTS).map((part) => JSON.stringify(part));
	// n8n's parser treats these two characters as line breaks.
	const code = parts.join(' + ').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
	return `={{ ${code} }}`;
}

/** Returns an entry of a list in the editor, from text that the service sent. */
export function listEntry(name: string, value: string) {
	return { name: listName(name) || listName(value), value: literalValue(value) };
}
