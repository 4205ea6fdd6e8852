import { isoOf } from '../answer/answer';
import { cleanLine, shownValue } from '../formatting';
import { outlineOf } from '../id';
import { InputError, namingRow } from '../inputError';
import { type JsonRecord, recordsOf, textOf } from '../json';
import { hasUsableId } from '../list/inspectionPage';
import { MemoryBudget } from '../memoryBudget';
import { shortHash } from '../shortHash';
import { mayBeOfTemplate, templateIdOf } from '../template/templateOfInspection';
import { compareTimestamps, type Timestamp, timestampOf } from '../timestamp';
import { UnexpectedResponseError } from '../unexpectedResponse';
import { rowConflicts } from './groupRows';
import { comparedText, lookOf, SHOWN_VALUE, whyNoIdentity } from './identity';

/** Name of the custom field that stores the key (docs/no-duplicates.md). */
export const KEY_FIELD = 'Unique key';

const HIDDEN = `The service's list leaves out custom fields, so 'Unique Key' can't find existing inspections`;
const NO_ID =
	'The service sent the inspection that already has this unique key without a usable ID. Ask the service administrator';

/**
 * Parses a unique key, and normalizes it for comparison (`comparedText`). Throws InputError if it's empty, doesn't
 * identify a single inspection, or isn't text.
 */
export function uniqueKeyOf(value: unknown): string {
	const text = comparedText(value);
	if (text === undefined) {
		throw new InputError(
			"'Unique Key' has no value. Fill in the cell with a value that only this inspection has, such as an order number. To create inspections without a key, remove the expression from the field.",
		);
	}
	const why =
		typeof value === 'object' && isoOf(value) === undefined
			? { value: shownValue(value), message: "isn't text. Enter text or a number" }
			: whyNoIdentity(value);
	if (why !== undefined) throw InputError.of({ subject: 'Unique Key', ...why });
	return text;
}

/** Returns the first nonempty key of one inspection's rows. Throws InputError if another row has a different key. */
export function keyOfRows(rows: readonly { row: number; value: unknown }[]): string {
	const given = rows.filter(({ value }) => comparedText(value) !== undefined);
	const keys = given.map(({ row, value }) => {
		const key = namingRow(row, () => uniqueKeyOf(value));
		return { row, key, shown: `"${key}"` };
	});
	const conflicts = rowConflicts('Unique Key', 'key', keys);
	if (conflicts.length > 0) throw InputError.ofRow(conflicts);
	return keys[0]?.key ?? uniqueKeyOf(undefined);
}

/**
 * Adds the unique key to the custom fields of a request. Throws InputError if the request already has a custom field
 * with that name.
 */
export function withUniqueKey(body: JsonRecord, key: string): JsonRecord {
	const customFields = recordsOf(body.custom_fields);
	if (customFields.some(isKeyField)) {
		throw new InputError(
			`Custom Fields: the node stores the unique key in the custom field "${KEY_FIELD}". Remove that custom field, or give it a different name.`,
		);
	}
	return { ...body, custom_fields: [...customFields, { name: KEY_FIELD, value: key }] };
}

export function keyOfInspection(inspection: JsonRecord): string | undefined {
	return comparedText(recordsOf(inspection.custom_fields).find(isKeyField)?.value);
}

function isKeyField({ name }: JsonRecord): boolean {
	return textOf(name) === KEY_FIELD;
}

/**
 * Maximum bytes of the inspections that one `InspectionsByKey` keeps: 10,000 inspections of 6 kB each. Up to ten
 * instances of this class stay in memory (`uniqueKeyIndex.ts`).
 */
const MAX_KEPT = 64 * 1024 * 1024;
/** Maximum inspections without their custom fields. Chosen: with more, the list shows no custom fields at all. */
const MAX_HIDDEN = 1_000;
const TOO_LARGE =
	'The inspections that already have these unique keys are too large to be kept (more than 64 MB). Send fewer rows to the node at a time, for example with a Loop Over Items node';

/** Maximum keys of the same look that are kept, because a message names only one. */
const KEYS_OF_LOOK = 3;

/** Maximum looks that are kept, so that a long list needs little memory. Chosen: as many as `MAX_PASSED`. */
const MAX_LOOKS = 100_000;

interface Kept {
	readonly inspection: JsonRecord;
	readonly bytes: number;
}

/** A key of an existing inspection, shortened for messages, and the inspection's template. */
interface Look {
	readonly hash: string;
	readonly shown: string;
	readonly template_id: string | null;
}

/**
 * Maximum creation times that one `InspectionsByKey` keeps of inspections with other keys. Each takes 331 bytes (Node 24),
 * so ten lists take at most 330 MB.
 */
const MAX_PASSED = 100_000;

/**
 * Finds existing inspections by their unique keys. Keeps full inspections only for wanted keys. For other keys, keeps
 * only the creation time, so that one request can find the inspection again. This way, a long list needs little memory.
 */
export class InspectionsByKey {
	private readonly budget = new MemoryBudget(TOO_LARGE, MAX_KEPT);
	/** The kept inspections, by key and ID. */
	private readonly kept = new Map<string, Map<unknown, Kept>>();
	/**
	 * Creation times of inspections that aren't kept, by the hash of their key, because a key can be long. If two keys
	 * have the same hash, one more request is sent.
	 */
	private readonly passed = new Map<string, Set<Timestamp>>();
	/** What inspections whose custom fields the list doesn't show contain about their templates, by ID. */
	private readonly hidden = new Map<string, JsonRecord>();
	/**
	 * The shortened keys of all inspections, by the hash of their look (`lookOf`). At most `KEYS_OF_LOOK` each,
	 * and `MAX_LOOKS` in total: beyond that, the warning about look-alikes is incomplete.
	 */
	private readonly looks = new Map<string, Look[]>();
	private readonly maxPassed: number;
	private passedCount = 0;

	constructor(maxPassed = MAX_PASSED) {
		this.maxPassed = maxPassed;
	}

	/**
	 * Adds inspections of the service's list. Throws UnexpectedResponseError if the list doesn't show the custom fields of
	 * many inspections. Throws InputError if the inspections with wanted keys are too large.
	 */
	add(inspections: readonly JsonRecord[], wanted: ReadonlySet<string>): void {
		for (const inspection of inspections) {
			const { custom_fields: fields, custom_fields_count: count } = inspection;
			if (recordsOf(fields).length === 0 && Number(count) > 0) {
				const { id, template, template_id } = inspection;
				this.hidden.set(String(id), { template, template_id });
				if (this.hidden.size > MAX_HIDDEN) throw new UnexpectedResponseError(HIDDEN);
				continue;
			}
			this.hidden.delete(String(inspection.id));
			const key = keyOfInspection(inspection);
			if (key === undefined) continue;
			this.addLook(key, inspection);
			const created = timestampOf(inspection.created_at);
			if (wanted.has(key) || created === undefined) {
				this.forget(key, inspection.id);
				this.put(key, inspection, this.budget.add(inspection));
				continue;
			}
			this.passedCount += 1;
			if (this.hasForgottenPassed()) {
				this.passed.clear();
				continue;
			}
			const hash = shortHash(key);
			this.passed.set(hash, (this.passed.get(hash) ?? new Set()).add(created));
		}
	}

	/**
	 * Keeps a created inspection, or an outline if it's too large. Never throws, because the inspection was already
	 * created.
	 */
	keep(key: string, inspection: JsonRecord): void {
		this.forget(key, inspection.id);
		this.addLook(key, inspection);
		const bytes = this.budget.tryAdd(inspection);
		if (bytes === undefined) this.put(key, outlineOf(inspection), 0);
		else this.put(key, inspection, bytes);
	}

	private addLook(key: string, inspection: JsonRecord): void {
		const [look, hash] = [shortHash(lookOf(key)), shortHash(key)];
		const known = this.looks.get(look) ?? [];
		if (known.length >= KEYS_OF_LOOK || known.some((one) => one.hash === hash)) return;
		if (known.length === 0 && this.looks.size >= MAX_LOOKS) return;
		this.looks.set(look, [
			...known,
			{ hash, shown: cleanLine(key, SHOWN_VALUE), template_id: templateIdOf(inspection) ?? null },
		]);
	}

	/** Returns a different key of an inspection of the template that looks like this key. Shortened for messages. */
	lookalikeOf(key: string, template: JsonRecord): string | undefined {
		const hash = shortHash(key);
		const known = this.looks.get(shortHash(lookOf(key))) ?? [];
		return known.find(
			(one) => one.hash !== hash && mayBeOfTemplate({ template_id: one.template_id }, template),
		)?.shown;
	}

	private forget(key: string, id: unknown): void {
		const known = this.kept.get(key);
		this.budget.free(known?.get(id)?.bytes ?? 0);
		known?.delete(id);
	}

	private put(key: string, inspection: JsonRecord, bytes: number): void {
		const known = this.kept.get(key) ?? new Map<unknown, Kept>();
		this.kept.set(key, known.set(inspection.id, { inspection, bytes }));
	}

	/** Returns the kept inspections with any of the keys. */
	withKeys(keys: Iterable<string>): JsonRecord[] {
		const kept = [...keys].flatMap((key) => [...(this.kept.get(key)?.values() ?? [])]);
		return kept.map(({ inspection }) => inspection);
	}

	/**
	 * Whether there were too many inspections with other keys. Then the whole list must be read again to find a key that
	 * wasn't wanted before.
	 */
	hasForgottenPassed(): boolean {
		return this.passedCount > this.maxPassed;
	}

	/** Returns the creation times of inspections that have the key, but weren't kept. */
	passedAt(key: string): readonly Timestamp[] {
		return [...(this.passed.get(shortHash(key)) ?? [])];
	}

	/** Forgets the creation times of a key. Call this after fetching the key's inspections again. */
	forgetPassed(key: string): void {
		this.passed.delete(shortHash(key));
	}

	/**
	 * Returns the inspections with a key: of a template, or of all templates. The first created comes first. Throws
	 * UnexpectedResponseError if none has a usable ID, or if none is found, but custom fields that the list doesn't show
	 * can contain the key.
	 */
	all(key: string, template?: JsonRecord): JsonRecord[] {
		const isMeant = (one: JsonRecord) => template === undefined || mayBeOfTemplate(one, template);
		const found = this.withKeys([key]).filter(isMeant);
		const usable = found.filter(hasUsableId).sort(byCreation);
		if (usable.length > 0) return usable;
		if (found.length > 0) throw new UnexpectedResponseError(NO_ID);
		if ([...this.hidden.values()].some(isMeant)) throw new UnexpectedResponseError(HIDDEN);
		return [];
	}

	/**
	 * Finds the inspection with a key, which is unique per template. If several have the key, returns the first created,
	 * so that every run returns the same one. Throws like `all`.
	 */
	get(key: string, template: JsonRecord): JsonRecord | undefined {
		return this.all(key, template)[0];
	}
}

/** Orders by creation time, then by ID. Inspections without a time come last. */
function byCreation(one: JsonRecord, other: JsonRecord): number {
	const [first, second] = [timestampOf(one.created_at), timestampOf(other.created_at)];
	if (first === undefined) return second === undefined ? 0 : 1;
	if (second === undefined) return -1;
	return compareTimestamps(first, second) || (String(one.id) < String(other.id) ? -1 : 1);
}
