import type { SentAnswer } from '../answer/answer';
import { isStoredAs } from '../answer/sameAnswer';
import { storedResponsesOf } from '../answer/storedResponse';
import { idKey, sentId } from '../id';
import { isRecord, type JsonRecord, jsonText, type JsonValue, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { cleanLine, listText, shownValue } from '../shownText';
import { isOfTemplate } from '../template/templateOfInspection';
import { isLater, type Timestamp, timestampOf } from '../timestamp';
import type { CreateRequest } from './createRequest';
import { outlineOf } from './outline';
import { storedDetailWarnings } from './storedDetails';
import type { UniqueKey } from './uniqueKey';

/** Entries that one cell names, and characters of each. A cell of Excel takes 32,767; the output Raw has them whole. */
const [SHOWN_ENTRIES, ENTRY_LENGTH] = [20, 300];

/**
 * Characters of a warning that isn't text, as JSON. Chosen: a page of text. Much deeper nesting than fits into it has no JSON
 * in some versions of Node.
 */
const MAX_JSON_LENGTH = 4_000;

/** The result of one create request, whichever shape the response has: the inspection and what else is known of it. */
export interface CreatedInspection extends JsonRecord {
	task_id: string | null;
	warnings: string[];
	unstored_responses: JsonRecord[] | null;
	already_existed: boolean;
}

/**
 * The output of one create, of the inspection or of an object around it (CreatedInspection of docs/service.openapi.yaml).
 * Never throws, because the inspection exists: an answer that cannot be compared counts as not stored.
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

/** The same with a warning for everything else of the request that the response shows differently, without a word on it. */
export function createdOf(
	answer: JsonRecord,
	{ body, sent }: Pick<CreateRequest, 'body' | 'sent'>,
	key?: UniqueKey,
): CreatedInspection {
	const created = createdInspection(answer, sent);
	const warnings = [...created.warnings];
	if (body.task !== undefined && created.task_id === null && warnings.length === 0) {
		warnings.push('The service named no task. Look there whether it was made.');
	}
	warnings.push(...storedDetailWarnings(created, body, key));
	return { ...created, warnings };
}

/** The same for a response that is too large to be kept: what the inspection is known by, and why the rest is missing. */
export function createdOutline(created: CreatedInspection, why: string): CreatedInspection {
	const { task_id, warnings, unstored_responses, already_existed } = created;
	const short = warnings.slice(0, SHOWN_ENTRIES).filter(({ length }) => length <= ENTRY_LENGTH);
	return withFacts(outlineOf(created), {
		task_id: sentId(task_id) ?? null,
		warnings: [...short, why],
		unstored_responses,
		already_existed,
	});
}

/** The output for an inspection of the list. Its task and stored answers stand only in the response of a create. */
export function lookedUpInspection(
	inspection: JsonRecord,
	facts: Pick<CreatedInspection, 'already_existed' | 'warnings'>,
): CreatedInspection {
	return withFacts(inspection, { task_id: null, unstored_responses: null, ...facts });
}

/** Puts first what a person looks for in n8n's table. A fact replaces a member of the inspection that has its name. */
function withFacts(inspection: JsonRecord, facts: CreatedInspection): CreatedInspection {
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

/** The service leaves malformed answers out and responds with 200 (createInspection of docs/service.openapi.yaml). */
function unstoredResponses(
	inspection: JsonRecord,
	sent: readonly SentAnswer[],
): JsonRecord[] | null {
	if (sent.length === 0) return [];
	const stored = storedResponsesOf(inspection);
	if (stored === undefined) return null;
	const values = new Map<string, JsonValue | undefined>();
	for (const { fieldId, controlId, order, value } of stored) {
		if (fieldId !== '') values.set(`field ${String(order)} ${fieldId}`, value);
		if (controlId !== '') values.set(`control ${String(order)} ${idKey(controlId)}`, value);
	}
	const unstored: JsonRecord[] = [];
	for (const { question, order, value } of sent) {
		const found =
			values.get(`field ${String(order)} ${question.fieldId}`) ??
			values.get(`control ${String(order)} ${idKey(question.controlId)}`);
		if (found !== undefined && isStoredAs(question, value, found)) continue;
		const { label, path } = question;
		unstored.push({ label, path, repeat_section_order: order, value });
	}
	return unstored;
}

/** The output Raw. `group` stands beside the other facts, before the many members of an inspection. */
export function rawCreated(created: CreatedInspection, group: JsonRecord): JsonRecord {
	const { task_id, warnings, unstored_responses, already_existed } = created;
	return withFacts(created, { task_id, warnings, unstored_responses, already_existed, ...group });
}

/** What is known of a create, each value fit for a cell: what the output Row has behind the row. */
export function createdCells(created: CreatedInspection): JsonRecord {
	const { task_id, warnings, unstored_responses: unstored, already_existed } = created;
	const unstored_responses = unstored && cellText(unstored.map(unstoredText));
	return { task_id, warnings: cellText(warnings), unstored_responses, already_existed };
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

/** What a create in doubt may have made: what has its name since it was sent, or without a name its template. */
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
