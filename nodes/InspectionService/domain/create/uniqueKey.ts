import { shownValue } from '../answer/shownValue';
import { InputError } from '../inputError';
import { type JsonRecord, recordsOf, textOf } from '../json';
import { conflictOf } from '../problem';
import { mayBeOfTemplate } from '../template/templateOfInspection';
import { compareTimestamps, type Timestamp, timestampOf } from '../timestamp';
import { namingRow } from './draft';
import { comparedText, utcText } from './groupRows';

/** What a user gave as the key of one inspection, such as `ORDER-1042`. */
export interface UniqueKey {
	/** The name of the custom field that keeps it. */
	readonly field: string;
	/** As keys are compared (`comparedText`); never empty. */
	readonly value: string;
}

/**
 * The key that a value stands for. Keys are compared as `comparedText`: `A1` and `a1` are two keys.
 * @throws InputError where the value is empty or cannot be read as text
 */
export function uniqueKeyOf(value: unknown, field: string): UniqueKey {
	const text = comparedText(value);
	if (text === undefined) {
		throw new InputError(
			'Unique Key is empty. Give a value that only this inspection has, such as an order number, or remove the option.',
		);
	}
	if (typeof value !== 'object' || utcText(value) !== undefined) return { field, value: text };
	const wrong = 'is no text. Give a text or a number';
	throw InputError.of({ subject: 'Unique Key', value: shownValue(value), wrong });
}

/** What one row of a group gives as the key; `row` is the number by which people know it. */
interface KeyOfRow {
	row: number;
	value: unknown;
}

/**
 * The key of the rows of one inspection: the first that is not empty.
 * @throws InputError where another row gives another key, where all are empty, or where one cannot be read as text
 */
export function keyOfRows(rows: readonly [KeyOfRow, ...KeyOfRow[]], field: string): UniqueKey {
	const given = rows.filter(({ value }) => comparedText(value) !== undefined);
	const keyOf = ({ row, value }: KeyOfRow) => namingRow(row, () => uniqueKeyOf(value, field));
	const [first, ...others] = given;
	if (first === undefined) return uniqueKeyOf(rows[0].value, field);
	const key = keyOf(first);
	for (const other of others) {
		const { value } = keyOf(other);
		if (value !== key.value) {
			const [one, another] = [
				{ row: first.row, says: `"${key.value}"` },
				{ row: other.row, says: `"${value}"` },
			];
			throw InputError.of(conflictOf('Unique Key', one, another, 'key'));
		}
	}
	return key;
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
	return comparedText(fields.find(({ name }) => textOf(name) === field)?.value);
}

interface Kept {
	inspection: JsonRecord;
	/** The inspection itself; `{ template }` for one of this execution, because the response may leave its template out. */
	tellsTemplate: JsonRecord;
}

/**
 * The inspections that carry unique keys, by key. Only those of the wanted keys are kept. Of the others the time of
 * creation is, so that they are found again in one request: memory grows with the keys and hardly with the list.
 */
export class KeyedInspections {
	private readonly field: string;
	private readonly kept = new Map<string, Kept[]>();
	private readonly passed = new Map<string, Set<Timestamp>>();

	constructor(field: string) {
		this.field = field;
	}

	add(inspections: readonly JsonRecord[], wanted: ReadonlySet<string>): void {
		for (const inspection of inspections) {
			const key = keyOfInspection(inspection, this.field);
			if (key === undefined) continue;
			const created = timestampOf(inspection.created_at);
			if (wanted.has(key) || created === undefined) this.keep(key, inspection, inspection);
			else this.passed.set(key, (this.passed.get(key) ?? new Set()).add(created));
		}
	}

	/** Keeps an inspection. `tellsTemplate` is what says its template (`mayBeOfTemplate`). */
	keep(key: string, inspection: JsonRecord, tellsTemplate: JsonRecord): void {
		const known = this.kept.get(key) ?? [];
		const others = known.filter((one) => one.inspection.id !== inspection.id);
		this.kept.set(key, [...others, { inspection, tellsTemplate }]);
	}

	/** When the inspections were created that have the key and were not kept. */
	passedAt(key: string): readonly Timestamp[] {
		return [...(this.passed.get(key) ?? [])];
	}

	/** Call this once all of `passedAt` were read again. */
	forgetPassed(key: string): void {
		this.passed.delete(key);
	}

	/**
	 * The inspection that has the key. `template` is the one that it is to be made from: a key counts within its template.
	 * Of several the first created counts, so that every run gives the same one.
	 */
	get(key: string, template: JsonRecord): JsonRecord | undefined {
		let first: JsonRecord | undefined;
		for (const { inspection, tellsTemplate } of this.kept.get(key) ?? []) {
			if (!mayBeOfTemplate(tellsTemplate, template)) continue;
			if (first === undefined || isEarlier(inspection, first)) first = inspection;
		}
		return first;
	}
}

/** Compares the times of creation, then the ids, so that inspections of one instant always have the same order. */
function isEarlier(one: JsonRecord, other: JsonRecord): boolean {
	const [first, second] = [timestampOf(one.created_at), timestampOf(other.created_at)];
	if (first === undefined || second === undefined) return first !== undefined;
	const order = compareTimestamps(first, second);
	return order === 0 ? String(one.id) < String(other.id) : order < 0;
}
