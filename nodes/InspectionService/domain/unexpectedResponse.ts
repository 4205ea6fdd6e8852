import { cleanLine, listText } from './formatting';
import { isRecord, type JsonRecord } from './json';

/**
 * Maximum keys in an error, and maximum characters of all these keys. Chosen: enough to recognize the shape of the
 * response.
 */
const MAX_KEYS_SHOWN = 12;
const MAX_KEYS_LENGTH = 200;

/** Describes the shape of a response for an error. Leaves out its values, because they can be long or private. */
export function shapeOf(value: unknown): string {
	if (isRecord(value)) return `an object with ${shownKeys(value)}`;
	if (value === null) return 'null';
	if (value === undefined || value === '') return 'an empty response';
	return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function shownKeys(record: JsonRecord): string {
	const names = Object.keys(record);
	if (names.length === 0) return 'no keys';
	const shown = names.slice(0, MAX_KEYS_SHOWN).map((name) => {
		const value = record[name];
		if (!isRecord(value)) return name;
		return `${name} {${Object.keys(value).slice(0, MAX_KEYS_SHOWN).join(', ')}}`;
	});
	const keys = cleanLine(shown.join(', '), MAX_KEYS_LENGTH);
	return `the keys ${listText([keys], names.length - shown.length + 1)}`;
}

/**
 * The service sent a response with an unexpected shape. `message` describes what was received and what was expected.
 */
export class UnexpectedResponseError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'UnexpectedResponseError';
	}
}
