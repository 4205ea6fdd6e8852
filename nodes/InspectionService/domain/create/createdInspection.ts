import type { SentAnswer } from '../answer/answer';
import { isStoredAs, isStoredText } from '../answer/sameAnswer';
import { storedResponsesOf } from '../answer/storedResponse';
import { cleanLine, listText, shownValue } from '../formatting';
import { idKey, outlineOf, sentId } from '../id';
import { isRecord, type JsonRecord, jsonText, type JsonValue, recordsOf, textOf } from '../json';
import { foldName } from '../normalizeText';
import type { CreateRequest } from './createRequest';
import { KEY_FIELD, keyOfInspection } from './uniqueKey';

/**
 * Maximum number of warnings or answers in one cell, and maximum characters of each. An Excel cell holds 32,767
 * characters. The output Raw has all of them in full.
 */
const [SHOWN_ENTRIES, ENTRY_LENGTH] = [20, 300];

/** Maximum characters of the JSON of a warning that isn't text: about a page. */
const MAX_JSON_LENGTH = 4_000;

/** The result of one create request: the inspection, and facts about its creation under the names of the output. */
export interface CreatedInspection {
	/** The inspection as the service returned it. */
	readonly inspection: JsonRecord;
	task_id: string | null;
	warnings: string[];
	unstored_responses: JsonRecord[] | null;
	/**
	 * The answers of the rows that an existing inspection has differently. Null if they couldn't be compared. Empty for
	 * a created inspection.
	 */
	changed_responses: JsonRecord[] | null;
	/** The columns with a value in the rows of this inspection that match no question and have no other use. */
	unused_columns: string[];
	already_existed: boolean;
}

/**
 * Builds the result of one create request. The response is the inspection, or an object that contains it
 * (`CreatedInspection` in docs/service.openapi.yaml). Warns about details, such as the name, that the response shows
 * differently. Never throws, because the inspection was already created. An answer that can't be compared counts as not
 * stored.
 */
export function createdOf(
	answer: JsonRecord,
	{ body, sent, unused }: Pick<CreateRequest, 'body' | 'sent' | 'unused'>,
	key?: string,
): CreatedInspection {
	const inspection = isRecord(answer.inspection) ? answer.inspection : answer;
	const task_id = textOf(answer.task_id) ?? null;
	const warnings = warningTexts(answer.warnings);
	if (body.task !== undefined && task_id === null && warnings.length === 0) {
		warnings.push(
			'The service returned no task. Check in the service whether the task was created.',
		);
	}
	// The service drops malformed answers and responds with 200 (createInspection of docs/service.openapi.yaml).
	const unstored = differencesOf(inspection, sent);
	return {
		inspection,
		task_id,
		warnings: [...warnings, ...storedDetailWarnings(inspection, body, key)],
		unstored_responses: unstored && unstored.map(({ answer }) => responseOf(answer)),
		changed_responses: [],
		unused_columns: unused,
		already_existed: false,
	};
}

/**
 * Builds the result for a response that's too large to keep: the inspection's ID and name, and why the rest is missing.
 */
export function createdOutline(created: CreatedInspection, why: string): CreatedInspection {
	const { inspection, task_id, warnings } = created;
	const short = warnings.slice(0, SHOWN_ENTRIES).filter(({ length }) => length <= ENTRY_LENGTH);
	return {
		...created,
		inspection: outlineOf(inspection),
		task_id: sentId(task_id) ?? null,
		warnings: [...short, why],
	};
}

/**
 * Builds the result for an inspection found in the list. The task and unstored answers are null, because only the
 * response to a create request contains them.
 */
export function lookedUpInspection(
	inspection: JsonRecord,
	{ warnings, ...facts }: Omit<CreatedInspection, 'inspection' | 'task_id' | 'unstored_responses'>,
): CreatedInspection {
	return { inspection, task_id: null, warnings, unstored_responses: null, ...facts };
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
 * Finds answers of the rows that an existing inspection doesn't have, or has with another value. Null if the service
 * returned no answers. Ignores answers that only the inspection has, because people add answers in the service.
 */
export function changedResponses(
	inspection: JsonRecord,
	wanted: readonly SentAnswer[],
): JsonRecord[] | null {
	const differences = differencesOf(inspection, wanted);
	if (differences === null) return null;
	return differences.map(({ answer, stored = null }) => {
		return { ...responseOf(answer), stored_value: stored };
	});
}

function responseOf({ question: { label, path }, order, value }: SentAnswer): JsonRecord {
	return { label, path, repeat_section_order: order, value };
}

interface Difference {
	readonly answer: SentAnswer;
	/** Undefined if the inspection has no such answer. */
	readonly stored: JsonValue | undefined;
}

/** Returns the answers that an inspection doesn't have as they were sent. Null if its answers are unknown. */
function differencesOf(inspection: JsonRecord, sent: readonly SentAnswer[]): Difference[] | null {
	if (sent.length === 0) return [];
	const paths = new Map(
		sent.flatMap(({ question }) => idsOf(question).map((id) => [id, question.path] as const)),
	);
	const stored = storedResponsesOf(inspection, (one) =>
		firstOf(idsOf(one).map((id) => paths.get(id))),
	);
	if (stored === undefined) return null;
	const values = new Map(
		stored.flatMap((one) =>
			idsOf(one).map((id) => [`${String(one.order)} ${id}`, one.value] as const),
		),
	);
	return sent.flatMap((answer) => {
		const { question, order, value } = answer;
		const found = firstOf(idsOf(question).map((id) => values.get(`${String(order)} ${id}`)));
		const isStored = found !== undefined && isStoredAs(question, value, found);
		return isStored ? [] : [{ answer, stored: found }];
	});
}

/** Returns the IDs by which answers are compared, because the service may return only one of them. */
function idsOf({ fieldId, controlId }: { fieldId: string; controlId: string }): string[] {
	return [fieldId, idKey(controlId)].filter((id) => id !== '');
}

function firstOf<Value>(values: readonly (Value | undefined)[]): Value | undefined {
	return values.find((value) => value !== undefined);
}

/**
 * Returns an item of the output Raw, with the most important fields first in n8n's table. A fact, or the field of
 * `group`, replaces the inspection's member of the same name.
 */
export function rawCreated(created: CreatedInspection, group: JsonRecord): JsonRecord {
	const { inspection, ...facts } = created;
	const { id, name, status, ...others } = inspection;
	const own = { ...facts, ...group };
	return { id, name, status, ...own, ...others, ...own };
}

/** Returns the facts about a creation as values for cells. */
export function createdCells(created: CreatedInspection): JsonRecord {
	const { task_id, warnings, unused_columns, already_existed } = created;
	const { unstored_responses: unstored, changed_responses: changed } = created;
	return {
		already_existed,
		warnings: cellText(warnings),
		unstored_responses: unstored && cellText(unstored.map(answerText)),
		changed_responses: changed && cellText(changed.map(answerText)),
		unused_columns: cellText(unused_columns.map((name) => shownValue(name))),
		task_id,
	};
}

/** Formats an answer: `"Weather": "Wet"`. With the stored value: `"Cost:2": 350 → 400`, or `"Kind": not answered → "crack"`. */
function answerText({
	label,
	repeat_section_order: order,
	value,
	stored_value: stored,
}: JsonRecord): string {
	const instance = typeof order === 'number' && order > 1 ? `:${String(order)}` : '';
	const before = stored === null ? 'not answered' : shownValue(stored);
	const change = stored === undefined ? '' : `${before} → `;
	return `"${String(label)}${instance}": ${change}${shownValue(value)}`;
}

/** Describes how the rows differ from an existing inspection. Undefined without a difference. */
export function changedProblem(created: CreatedInspection): string | undefined {
	if (!created.changed_responses?.length) return undefined;
	const changes = cellText(created.changed_responses.map(answerText));
	return `The inspection exists with other answers, and the service can't update it: ${changes}. Change it in the service.`;
}

function cellText(entries: readonly string[]): string {
	const shown = entries.slice(0, SHOWN_ENTRIES).map((entry) => cleanLine(entry, ENTRY_LENGTH));
	return listText(shown, entries.length, '; ');
}

/**
 * Warns about each detail of a request (everything except answers) that the created inspection shows differently. The
 * service can drop malformed data and respond with 200 (`createInspection` in docs/service.openapi.yaml). A member
 * missing from the response isn't reported, except for the unique key: without it, the next execution creates
 * duplicates.
 */
function* storedDetailWarnings(
	inspection: JsonRecord,
	body: JsonRecord,
	key: string | undefined,
): Generator<string> {
	for (const name of ['status', 'name', 'description'] as const) {
		const [sent, stored] = [body[name], inspection[name]];
		if (sent === undefined || stored === undefined || isStoredText(sent, stored)) continue;
		if (name === 'status' && [statusName(sent), ''].includes(statusName(stored))) continue;
		yield stored === null || stored === ''
			? `The service did not store the ${name}.`
			: `The service stored the ${name} ${shownValue(stored)} instead of ${shownValue(sent)}.`;
	}
	const { custom_fields: fields, locations } = inspection;
	const lost =
		fields === undefined ? [] : lostFields(recordsOf(fields), recordsOf(body.custom_fields), key);
	if (lost.length > 0) {
		const names = lost.map(({ name }) => shownValue(name)).join(', ');
		yield `The service did not store the ${lost.length === 1 ? 'custom field' : 'custom fields'} ${names}.`;
	}
	// Compare only the number of locations. Their fields are unknown, so a service can store them in a different form.
	const [sent, stored] = [countOf(body.locations), countOf(locations)];
	if (locations !== undefined && stored < sent) {
		yield `The service stored ${String(stored)} of ${String(sent)} locations.`;
	}
	if (key !== undefined && keyOfInspection(inspection) !== key) {
		yield `The service did not store the unique key (custom field "${KEY_FIELD}"). The next execution won't recognize this inspection and creates it again.`;
	}
}

/** Normalizes `In Progress` to `in_progress`. The service can store a status with other case and spaces. */
function statusName(status: JsonValue): string {
	return foldName(textOf(status) ?? '').replace(/[ -]/g, '_');
}

/** Returns the sent custom fields that aren't stored. Leaves out those without a value, because no data is lost. */
function lostFields(
	stored: readonly JsonRecord[],
	sent: readonly JsonRecord[],
	key: string | undefined,
): JsonRecord[] {
	return sent.filter(({ name = null, value = null }) => {
		if (value === '' || (key !== undefined && name === KEY_FIELD)) return false;
		return !stored.some(
			(field) => isStoredText(name, field.name ?? null) && isStoredText(value, field.value ?? null),
		);
	});
}

function countOf(list: JsonValue | undefined): number {
	return Array.isArray(list) ? list.length : 0;
}
