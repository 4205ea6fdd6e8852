import { cleanLine, listText } from './formatting';

/**
 * Maximum characters of JSON, about 5,000 tokens. A model reads them again with every step, and many models accept
 * 32,000 in total.
 */
export const MOST_CHARACTERS = 20_000;
/** Room for the sentence about what was left out: ten names of 60 characters, and the words around them. */
const SENTENCE_CHARACTERS = 1_000;
const SHOWN_FIELDS = 10;
const SHOWN_CHARACTERS = 60;
const TOO_MUCH = 'were left out, because they are too large for a model';
const FIX =
	'For the rest, request less at once: use a filter, a smaller limit, one ID, or fewer fields. If this tool has no such parameter, tell the user.';

/**
 * Chooses items and fields whose JSON has at most `most` characters: the first `count` items, without the first item's
 * fields that are too large, and a sentence about what was left out.
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

/** Returns how many items, from the first, fit into `room` characters. */
function fitting(items: readonly object[], room: number): number {
	let used = 0;
	for (const [place, item] of items.entries()) {
		used += jsonSize(item);
		if (used > room) return place;
	}
	return items.length;
}

/** Returns the fields that don't fit. Skips a large field, and keeps smaller ones after it. */
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

/** Characters of the JSON, including the comma after it. */
function jsonSize(item: object): number {
	return JSON.stringify(item).length + 1;
}
