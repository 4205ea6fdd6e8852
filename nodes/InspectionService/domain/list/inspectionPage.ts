import { cleanLine, listText } from '../formatting';
import { MAX_ID_LENGTH, sentId, STAND_IN } from '../id';
import { ENVELOPE_NAMES, isRecord, type JsonRecord, textOf } from '../json';
import { shortHash } from '../shortHash';
import type { Timestamp } from '../timestamp';
import { shapeOf, UnexpectedResponseError } from '../unexpectedResponse';
import type { Include } from './inspectionQuery';

export type InspectionRecord = JsonRecord & { id: string };

export interface InspectionPage {
	readonly inspections: readonly InspectionRecord[];
	/** Whether the response reports that this is the last page. Most services send no such field. */
	readonly isLast?: boolean;
	/** The time when the service sent the page, from the `Date` header. Undefined without this header. */
	readonly sentAt?: Timestamp | undefined;
}

/**
 * Extracts the inspections from the response to a list request. Throws UnexpectedResponseError if the response has an
 * unknown form. Also throws if it contains more than `pageSize` inspections, because an endless page would fill n8n's
 * memory.
 */
export function inspectionPageOf(
	body: unknown,
	sentAt: Timestamp | undefined,
	pageSize = Infinity,
): InspectionPage {
	const inspections = inspectionsOf(body);
	if (inspections.length > pageSize) {
		throw new UnexpectedResponseError(
			`The service sent ${inspections.length} inspections, but the request allowed at most ${pageSize} (page_size)`,
		);
	}
	const envelopes = [body, ...valuesIn(body, ENVELOPE_NAMES)];
	const more = envelopes.flatMap((envelope) => valuesIn(envelope, MORE_PAGES_NAMES));
	const next = envelopes.flatMap((envelope) => valuesIn(envelope, NEXT_PAGE_NAMES));
	if (inspections.length === 0 && more.includes(true)) {
		throw new UnexpectedResponseError(
			'The service sent a page without inspections, but reported more pages. Continuing could skip inspections',
		);
	}
	const endSignals = [
		...more.map((value) => value === false),
		...next.map((value) => value === null),
	];
	return { inspections, isLast: endSignals.length > 0 && endSignals.every(Boolean), sentAt };
}

const MORE_PAGES_NAMES = ['has_more', 'has_next', 'has_next_page'];
const NEXT_PAGE_NAMES = ['next', 'next_page'];
const ERROR_NAMES = ['error', 'errors', 'message'];

function valuesIn(envelope: unknown, names: readonly string[]): unknown[] {
	const record = isRecord(envelope) ? envelope : {};
	return names.map((name) => record[name]).filter((value) => value !== undefined);
}

function inspectionsOf(body: unknown): InspectionRecord[] {
	const outer = valuesIn(body, ENVELOPE_NAMES);
	const inner = outer.flatMap((member) => valuesIn(member, ENVELOPE_NAMES));
	const candidates = [body, ...outer, ...inner];
	// Some services send an empty page without a body, or with null instead of the array.
	const isError = valuesIn(body, ERROR_NAMES).some((value) => value !== null);
	const isEmpty = candidates.includes(null) && !isError;
	const isArray = (value: unknown): value is unknown[] => Array.isArray(value);
	const list = candidates.find(isArray) ?? (isEmpty ? [] : undefined);
	if (list === undefined) {
		throw new UnexpectedResponseError(
			`The service sent the list of inspections in an unknown form: ${shapeOf(body)}. Expected an array, or an object with an array under ${ENVELOPE_NAMES.join(', ')}`,
		);
	}
	if (list.length > 0 && !list.some(isRecord)) {
		throw new UnexpectedResponseError(
			`The service sent a list without inspections. Its first element is ${shapeOf(list[0])}`,
		);
	}
	return list.map(withId);
}

/**
 * Returns an inspection of the list. Without a usable ID, the inspection gets a stand-in, so that it keeps its place: a
 * page proves what comes next only if none of its inspections is missing.
 */
function withId(item: unknown): InspectionRecord {
	if (isRecord(item) && hasId(item)) return item;
	const id = STAND_IN + shortHash(JSON.stringify(item));
	return isRecord(item) ? { ...item, id } : { id };
}

/** Whether an inspection has an ID of the service. All others are left out of every output. */
export function hasUsableId({ id }: JsonRecord): boolean {
	return textOf(id)?.startsWith(STAND_IN) !== true;
}

/** Maximum inspections in a warning. Chosen: enough to recognize what they have in common. */
const MAX_NAMED = 3;

/** Returns a warning that names the inspections without a usable ID. Empty if there are none. */
export function leftOutWarnings(inspections: readonly InspectionRecord[]): string[] {
	const unusable = inspections.filter((inspection) => !hasUsableId(inspection));
	if (unusable.length === 0) return [];
	const named = unusable.slice(0, MAX_NAMED).map(({ name, updated_at, created_at }) => {
		const time = textOf(updated_at) ?? textOf(created_at) ?? 'an unknown time';
		return `"${cleanLine(textOf(name) ?? 'without a name', 100)}" of ${cleanLine(time, 40)}`;
	});
	return [
		`The service sent inspections without a usable ID (text of 1 to ${MAX_ID_LENGTH} characters), so they are left out: ${listText(named, unusable.length)}. Ask the service administrator.`,
	];
}

function hasId(item: JsonRecord): item is InspectionRecord {
	return sentId(item.id) !== undefined;
}

const PARTS = [
	['data', 'answers'],
	['files', 'files'],
] as const;

/** Returns a warning for each requested part (answers or files) that none of the inspections contains. */
export function missingParts(
	inspections: readonly InspectionRecord[],
	includes: readonly Include[],
): string[] {
	if (inspections.length === 0) return [];
	const missing = PARTS.filter(
		([part]) => includes.includes(part) && inspections.every((one) => (one[part] ?? null) === null),
	);
	return missing.map(
		([part, name]) =>
			`The service sent all inspections without ${name} ("${part}"), although they were requested. Values that are empty in these items might exist in the service. Don't overwrite good data with them, and ask the service administrator.`,
	);
}
