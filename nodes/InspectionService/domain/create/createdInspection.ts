import type { SentAnswer } from '../answer/answer';
import { isStoredAs, isStoredText } from '../answer/sameAnswer';
import { type StoredResponse, storedResponsesOf } from '../answer/storedResponse';
import { cleanLine, listText, shownValue } from '../formatting';
import { idKey, outlineOf, sentId } from '../id';
import { isRecord, type JsonRecord, jsonText, type JsonValue, recordsOf, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { foldName } from '../normalizeText';
import type { Question } from '../template/questions';
import { isOfTemplate } from '../template/templateOfInspection';
import { isLater, type Timestamp, timestampOf } from '../timestamp';
import type { CreateRequest } from './createRequest';
import { keyOfInspection, type UniqueKey } from './uniqueKey';

/**
 * Maximum items in one cell, and characters of each. An Excel cell holds 32,767. The output Raw has the items in full.
 */
const [SHOWN_ENTRIES, ENTRY_LENGTH] = [20, 300];

/**
 * Maximum characters of a non-text warning, as JSON: about a page. Every version of Node can convert the nesting that
 * fits into it.
 */
const MAX_JSON_LENGTH = 4_000;

/** What is known about a create besides the inspection. */
interface CreateFacts {
	task_id: string | null;
	warnings: string[];
	unstored_responses: JsonRecord[] | null;
	already_existed: boolean;
}

/** The result of one create request, whatever the shape of the response: the inspection and the facts. */
export type CreatedInspection = JsonRecord & CreateFacts;

export function createFactsOf(created: CreateFacts): CreateFacts {
	const { task_id, warnings, unstored_responses, already_existed } = created;
	return { task_id, warnings, unstored_responses, already_existed };
}

/**
 * Returns the output of one create from a response that is the inspection or an object around it (CreatedInspection of
 * docs/service.openapi.yaml). Never throws, because the inspection exists. An answer that can't be compared counts as
 * not stored.
 */
export function createdInspection(
	answer: JsonRecord,
	sent: readonly SentAnswer[],
): CreatedInspection {
	const inspection = isRecord(answer.inspection) ? answer.inspection : answer;
	return withFacts(inspection, {
		task_id: textOf(answer.task_id) ?? null,
		warnings: warningTexts(answer.warnings),
		unstored_responses: unstoredResponses(inspection, sent),
		already_existed: false,
	});
}

/**
 * Like `createdInspection`, with a warning for everything else in the request that the response shows differently
 * without explanation.
 */
export function createdOf(
	answer: JsonRecord,
	{ body, sent }: Pick<CreateRequest, 'body' | 'sent'>,
	key?: UniqueKey,
): CreatedInspection {
	const created = createdInspection(answer, sent);
	const warnings = [...created.warnings];
	if (body.task !== undefined && created.task_id === null && warnings.length === 0) {
		warnings.push('The service returned no task. Check there whether it was created.');
	}
	warnings.push(...storedDetailWarnings(created, body, key));
	return { ...created, warnings };
}

/**
 * Returns the output for a response that's too large to keep: what identifies the inspection, and why the rest is
 * missing.
 */
export function createdOutline(created: CreatedInspection, why: string): CreatedInspection {
	const { task_id, warnings } = created;
	const short = warnings.slice(0, SHOWN_ENTRIES).filter(({ length }) => length <= ENTRY_LENGTH);
	return withFacts(outlineOf(created), {
		...createFactsOf(created),
		task_id: sentId(task_id) ?? null,
		warnings: [...short, why],
	});
}

/**
 * Returns the output for an inspection from the list. Only the response of a create has its task and stored answers.
 */
export function lookedUpInspection(
	inspection: JsonRecord,
	facts: Pick<CreatedInspection, 'already_existed' | 'warnings'>,
): CreatedInspection {
	return withFacts(inspection, { task_id: null, unstored_responses: null, ...facts });
}

/** Puts the most important fields first in n8n's table. A fact replaces the inspection's member of the same name. */
function withFacts(inspection: JsonRecord, facts: CreateFacts): CreatedInspection {
	const { id, name, status, ...others } = inspection;
	return { id, name, status, ...facts, ...others, ...facts };
}

function warningTexts(value: unknown): string[] {
	const given: unknown[] = Array.isArray(value) ? value : [value];
	return given.flatMap((warning) => {
		if (warning === null || warning === undefined || warning === '') return [];
		if (typeof warning === 'string') return [warning];
		const json = jsonText(warning);
		const isShown = json !== undefined && json.length <= MAX_JSON_LENGTH;
		return [isShown ? json : 'a warning that is too large to show'];
	});
}

/**
 * Finds answers that weren't stored. The service drops malformed answers and responds with 200 (createInspection of
 * docs/service.openapi.yaml).
 */
function unstoredResponses(
	inspection: JsonRecord,
	sent: readonly SentAnswer[],
): JsonRecord[] | null {
	if (sent.length === 0) return [];
	const stored = storedResponsesOf(inspection);
	if (stored === undefined) return null;
	const byField = valuesByKey(stored, ({ fieldId }) => fieldId);
	// Most services return field IDs, so control IDs are rarely needed.
	let byControl: typeof byField | undefined;
	const storedValue = ({ fieldId, controlId }: Question, order: number) => {
		const value = byField.get(instanceKey(order, fieldId));
		if (value !== undefined) return value;
		byControl ??= valuesByKey(stored, (response) => idKey(response.controlId));
		return byControl.get(instanceKey(order, idKey(controlId)));
	};
	const unstored: JsonRecord[] = [];
	for (const { question, order, value } of sent) {
		const found = storedValue(question, order);
		if (found !== undefined && isStoredAs(question, value, found)) continue;
		const { label, path } = question;
		unstored.push({ label, path, repeat_section_order: order, value });
	}
	return unstored;
}

/** Responses without this kind of ID are left out. */
function valuesByKey(
	stored: readonly StoredResponse[],
	idOf: (response: StoredResponse) => string,
): ReadonlyMap<string, JsonValue | undefined> {
	const values = new Map<string, JsonValue | undefined>();
	for (const response of stored) {
		const id = idOf(response);
		if (id !== '') values.set(instanceKey(response.order, id), response.value);
	}
	return values;
}

const instanceKey = (order: number, id: string) => `${String(order)} ${id}`;

/** Returns the output Raw. `group` comes with the other facts, before the many members of an inspection. */
export function rawCreated(created: CreatedInspection, group: JsonRecord): JsonRecord {
	return withFacts(created, { ...createFactsOf(created), ...group });
}

/** Returns the facts about a create as values for cells. The output Row adds them after the row. */
export function createdCells(created: CreatedInspection): JsonRecord {
	const { warnings, unstored_responses: unstored } = created;
	const unstored_responses = unstored && cellText(unstored.map(unstoredText));
	return { ...createFactsOf(created), warnings: cellText(warnings), unstored_responses };
}

/** `"Weather": "Wet"`, and `"Kind:2": "crack"` for the second instance. */
function unstoredText({ label, repeat_section_order: order, value }: JsonRecord): string {
	const instance = typeof order === 'number' && order > 1 ? `:${String(order)}` : '';
	return `"${String(label)}${instance}": ${shownValue(value)}`;
}

function cellText(entries: readonly string[]): string {
	const shown = entries.slice(0, SHOWN_ENTRIES).map((entry) => cleanLine(entry, ENTRY_LENGTH));
	return listText(shown, entries.length, '; ');
}

/**
 * Returns the inspections that a create with an unknown outcome may have created: those created since then with its
 * name, or with its template if it has no name.
 */
export function sameNameSince(
	since: Timestamp,
	inspections: readonly InspectionRecord[],
	body: JsonRecord,
): InspectionRecord[] {
	const name = textOf(body.name);
	return inspections.filter((inspection) => {
		const created = timestampOf(inspection.created_at);
		if (created === undefined || isLater(since, created)) return false;
		if (name !== undefined) return inspection.name === name;
		return isOfTemplate(inspection, textOf(body.template_id) ?? '');
	});
}

/**
 * Warns about each detail of a request (everything except answers) that the created inspection shows differently. The
 * service can drop malformed data and respond with 200 (createInspection of docs/service.openapi.yaml). A member
 * missing from the response isn't reported, except for the unique key: without it, the next execution creates
 * duplicates.
 */
function storedDetailWarnings(inspection: JsonRecord, body: JsonRecord, key?: UniqueKey): string[] {
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
