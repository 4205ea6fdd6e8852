import { isEmpty, isoOf, shownValue } from '../answer/answer';
import { InputError } from '../inputError';
import { type JsonRecord, recordsOf, textOf } from '../json';
import { compareTimestamps, timestampOf } from '../timestamp';

/** The custom field that holds the key where the user names none (docs/exactly-once.md). */
export const DEFAULT_KEY_FIELD = 'Unique key';
/** How far back inspections are looked for where the user does not say, in days (docs/exactly-once.md). */
export const DEFAULT_KEY_DAYS = 90;

/** What a user gave as the key of one inspection, such as `ORDER-1042`. */
export interface UniqueKey {
	/** The name of the custom field that keeps it. */
	readonly field: string;
	/** Without outer blanks, never empty. */
	readonly value: string;
}

/**
 * The key that a value stands for. Keys are compared exactly after trimming: `A1` and `a1` are two keys. A number
 * counts as its text.
 * @throws InputError where the value is empty or cannot be read as text
 */
export function uniqueKeyOf(value: unknown, field: string): UniqueKey {
	const text = typeof value === 'object' ? isoOf(value) : String(value).trim();
	if (isEmpty(value) || text === '') {
		throw new InputError(
			'Unique Key is empty. Give a value that only this inspection has, such as an order number, or remove the option.',
		);
	}
	if (text !== undefined) return { field, value: text };
	throw new InputError(`Unique Key: ${shownValue(value)} is no text. Give a text or a number.`);
}

/**
 * The create request with its key in a custom field.
 * @throws InputError where the request has a custom field of that name already
 */
export function withUniqueKey(body: JsonRecord, { field, value }: UniqueKey): JsonRecord {
	const customFields = recordsOf(body.custom_fields);
	if (customFields.some(({ name }) => textOf(name) === field)) {
		throw new InputError(
			`Custom Fields: "${field}" is where Unique Key is kept. Remove that custom field, or choose another name under Unique Key Field.`,
		);
	}
	return { ...body, custom_fields: [...customFields, { name: field, value }] };
}

/** The key that an inspection of the service carries, undefined for none. */
export function keyOfInspection(inspection: JsonRecord, field: string): string | undefined {
	const fields = recordsOf(inspection.custom_fields);
	const value = fields.find(({ name }) => textOf(name) === field)?.value;
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
}

/**
 * The inspections that carry the wanted keys, by key. Only these are kept, so that memory grows with the keys and not
 * with the list. Of several inspections with one key the first created counts, so that every run gives the same one.
 */
export class KeyedInspections {
	private readonly field: string;
	private readonly wanted: ReadonlySet<string>;
	private readonly found = new Map<string, JsonRecord>();

	constructor(field: string, wanted: ReadonlySet<string>) {
		this.field = field;
		this.wanted = wanted;
	}

	add(inspections: readonly JsonRecord[]): void {
		for (const inspection of inspections) {
			const key = keyOfInspection(inspection, this.field);
			if (key === undefined || !this.wanted.has(key)) continue;
			const known = this.found.get(key);
			if (known === undefined || isEarlier(inspection, known)) this.found.set(key, inspection);
		}
	}

	get(key: string): JsonRecord | undefined {
		return this.found.get(key);
	}
}

/** Compares the times of creation, then the ids, so that inspections of one instant always have the same order. */
function isEarlier(one: JsonRecord, other: JsonRecord): boolean {
	const [first, second] = [timestampOf(one.created_at), timestampOf(other.created_at)];
	if (first === undefined || second === undefined) return first !== undefined;
	const order = compareTimestamps(first, second);
	return order === 0 ? String(one.id) < String(other.id) : order < 0;
}
