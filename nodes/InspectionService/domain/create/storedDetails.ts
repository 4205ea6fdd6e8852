import { isStoredText } from '../answer/sameAnswer';
import { shownValue } from '../formatting';
import { type JsonRecord, type JsonValue, recordsOf, textOf } from '../json';
import { foldName } from '../normalizeText';
import { keyOfInspection, type UniqueKey } from './uniqueKey';

/**
 * Warns about each detail of a request (everything except answers) that the created inspection shows differently. The
 * service can drop malformed data and respond with 200 (createInspection of docs/service.openapi.yaml). A member
 * missing from the response isn't reported, except for the unique key: without it, the next execution creates
 * duplicates.
 */
export function storedDetailWarnings(
	inspection: JsonRecord,
	body: JsonRecord,
	key?: UniqueKey,
): string[] {
	return [
		...statusWarnings(inspection, body),
		...textWarnings('name', inspection, body),
		...textWarnings('description', inspection, body),
		...customFieldWarnings(inspection, body, key),
		...locationWarnings(inspection, body),
		...keyWarnings(inspection, key),
	];
}

function statusWarnings({ status: stored }: JsonRecord, { status: sent }: JsonRecord): string[] {
	const [wanted, found] = [textOf(sent), textOf(stored)];
	if (wanted === undefined || found === undefined) return [];
	return statusName(found) === statusName(wanted) ? [] : [insteadOf('status', wanted, found)];
}

/** Normalizes `In Progress` to `in_progress`. */
function statusName(status: string): string {
	return foldName(status).replace(/[ -]/g, '_');
}

function textWarnings(
	name: 'name' | 'description',
	{ [name]: stored }: JsonRecord,
	{ [name]: sent }: JsonRecord,
): string[] {
	if (sent === undefined || stored === undefined || isStoredText(sent, stored)) return [];
	const isEmpty = stored === null || stored === '';
	return [isEmpty ? `The service did not store the ${name}.` : insteadOf(name, sent, stored)];
}

function insteadOf(name: string, sent: JsonValue, stored: JsonValue): string {
	return `The service stored the ${name} ${shownValue(stored)} instead of ${shownValue(sent)}.`;
}

/** Ignores fields without a value, because they have nothing to lose. */
function customFieldWarnings(
	{ custom_fields: stored }: JsonRecord,
	{ custom_fields: sent }: JsonRecord,
	key: UniqueKey | undefined,
): string[] {
	if (stored === undefined) return [];
	const found = recordsOf(stored);
	const lost = recordsOf(sent).filter(({ name = null, value = null }) => {
		if (value === '' || name === key?.field) return false;
		return !found.some(
			(field) => isStoredText(name, field.name ?? null) && isStoredText(value, field.value ?? null),
		);
	});
	const names = lost.map(({ name }) => shownValue(name)).join(', ');
	const fields = lost.length === 1 ? 'custom field' : 'custom fields';
	return lost.length === 0 ? [] : [`The service did not store the ${fields} ${names}.`];
}

/** Only counts locations: their fields are unknown, so a service can store them in another form. */
function locationWarnings(
	{ locations: stored }: JsonRecord,
	{ locations: sent }: JsonRecord,
): string[] {
	if (stored === undefined || !Array.isArray(sent)) return [];
	const count = Array.isArray(stored) ? stored.length : 0;
	if (count >= sent.length) return [];
	return [`The service stored ${String(count)} of ${String(sent.length)} locations.`];
}

function keyWarnings(inspection: JsonRecord, key: UniqueKey | undefined): string[] {
	if (key === undefined || keyOfInspection(inspection, key.field) === key.value) return [];
	return [
		`The service did not store the custom field "${key.field}" with the unique key: the next execution does not recognize this inspection and creates it again.`,
	];
}
