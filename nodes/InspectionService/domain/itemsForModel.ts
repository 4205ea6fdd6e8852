import { cleanLine, listText } from './formatting';

/**
 * Maximum characters of JSON for a language model: about 5,000 tokens. A model reads them again in every step, and many
 * models accept 32,000 tokens in total.
 */
export const MOST_CHARACTERS = 20_000;
/**
 * The characters that are reserved for the sentence about what was left out: ten names of 60 characters, and the other
 * words.
 */
const SENTENCE_CHARACTERS = 1_000;
const SHOWN_FIELDS = 10;
const SHOWN_CHARACTERS = 60;
const TOO_MUCH = 'were left out, because they are too large for a model';
const FIX =
	'To get the rest, request less at a time: use a filter, a smaller limit, one ID, or fewer fields. If this tool has no such parameter, tell the user.';

/**
 * Chooses the items and fields that fit into `most` characters of JSON. Keeps the first `count` items. If not even the
 * first item fits, leaves out its largest fields. `leftOut` is a sentence about what was left out.
 */
export function itemsForModel(items: readonly object[], most = MOST_CHARACTERS) {
	const total = items.length;
	if (fitting(items, most) === total) {
		return { count: total, withoutFields: new Set<string>(), leftOut: undefined };
	}
	const room = most - SENTENCE_CHARACTERS;
	const fits = fitting(items, room);
	const fields = fits === 0 ? largeFields(items[0] ?? {}, room) : [];
	const names = fields.slice(0, SHOWN_FIELDS).map((name) => cleanLine(name, SHOWN_CHARACTERS));
	const count = Math.max(1, fits);
	const sentences = [FIX];
	if (count < total) sentences.unshift(`${total - count} of ${total} items ${TOO_MUCH}.`);
	if (fields.length > 0) {
		sentences.unshift(`Fields of the first item ${TOO_MUCH}: ${listText(names, fields.length)}.`);
	}
	return { count, withoutFields: new Set(fields), leftOut: sentences.join(' ') };
}

/** Returns how many of the first items fit into `room` characters. */
function fitting(items: readonly object[], room: number): number {
	let used = 0;
	for (const [index, item] of items.entries()) {
		used += jsonSize(item);
		if (used > room) return index;
	}
	return items.length;
}

/** Returns the names of the fields that don't fit. After a field that is too large, smaller fields can still fit. */
function largeFields(item: object, room: number): string[] {
	const fields: [string, unknown][] = Object.entries(item);
	let used = 0;
	return fields.flatMap(([name, value]) => {
		const size = jsonSize({ [name]: value });
		if (used + size > room) return [name];
		used += size;
		return [];
	});
}

/** Returns the length of an item's JSON, including the comma after it. */
function jsonSize(item: object): number {
	return JSON.stringify(item).length + 1;
}
