import { isRecord, type JsonRecord, textOf } from '../json';
import { shapeOf } from '../responseShape';
import { UnexpectedResponseError } from '../unexpectedResponse';

/**
 * InspectionList of docs/service.openapi.yaml does not show the envelope: the object around the list. Recognised are a
 * bare array, and an object with the array under one of these names, also one level deeper: `{data: {items: [...]}}`.
 * Totals and page counts are ignored, because a wrong one would end the reading too early.
 */
const ARRAY_NAMES = ['data', 'items', 'inspections', 'results'] as const;

/** An inspection as the list returns it. Only its id is certain. */
export type InspectionRecord = JsonRecord & { id: string };

/** Takes the envelope off one page of the list. Throws UnexpectedResponseError naming the keys that came instead. */
export function inspectionsOf(body: unknown): InspectionRecord[] {
	const list = arrayIn(body);
	if (list === undefined) {
		throw new UnexpectedResponseError(
			`The service's list of inspections has an unknown shape: ${shapeOf(body)}. Known are an array, or an object with an array under ${ARRAY_NAMES.join(', ')}`,
		);
	}
	return list.map(inspectionOf);
}

function arrayIn(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (!isRecord(body)) return undefined;
	const candidates = ARRAY_NAMES.map((name) => body[name]);
	return arrayAmong(candidates) ?? arrayAmong(candidates.flatMap(valuesUnderNames));
}

function arrayAmong(candidates: readonly unknown[]): unknown[] | undefined {
	return candidates.find((candidate) => Array.isArray(candidate));
}

function valuesUnderNames(value: unknown): unknown[] {
	return isRecord(value) ? ARRAY_NAMES.map((name) => value[name]) : [];
}

function inspectionOf(item: unknown, index: number): InspectionRecord {
	if (isRecord(item) && hasId(item)) return item;
	throw new UnexpectedResponseError(
		`Item ${index + 1} of the service's list of inspections has no text under "id": ${shapeOf(item)}`,
	);
}

function hasId(item: JsonRecord): item is InspectionRecord {
	return textOf(item.id) !== undefined;
}
