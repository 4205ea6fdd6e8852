import type { SentAnswer } from '../answer/answer';
import { isStoredAs } from '../answer/sameAnswer';
import { storedResponsesOf } from '../answer/storedResponse';
import { idKey } from '../id';
import { isRecord, type JsonRecord, jsonText, type JsonValue, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { isOfTemplate } from '../template/templateOfInspection';
import { isLater, type Timestamp, timestampOf } from '../timestamp';

/** The result of one create request. The service has two shapes of response, and this is one shape for both. */
export interface CreatedInspection extends JsonRecord {
	/** GUID of the task, null where none was made. */
	task_id: string | null;
	warnings: string[];
	/** Sent answers that the service's response does not have; null where the response has no `data` to compare with. */
	unstored_responses: JsonRecord[] | null;
	/** True where the inspection was found by its unique key and not created. */
	already_existed: boolean;
}

type CreateFacts = Pick<
	CreatedInspection,
	'task_id' | 'warnings' | 'unstored_responses' | 'already_existed'
>;

/**
 * The output of one create: `id`, `name`, `status`, what is known of the create, then the rest of the inspection. The
 * service responds with the inspection, or with an object around it (CreatedInspection of docs/service.openapi.yaml).
 *
 * Never throws, because the inspection exists and its id must not be lost. An answer that cannot be compared counts as
 * not stored. Null stands for a value that is nested too deep for n8n.
 */
export function createdInspection(
	answer: JsonRecord,
	sent: readonly SentAnswer[],
): CreatedInspection {
	const inspection = isRecord(answer.inspection) ? answer.inspection : answer;
	return withFacts(inspection, {
		task_id: textOf(answer.task_id) ?? null,
		warnings: warningsOf(answer.warnings),
		unstored_responses: unstoredResponses(inspection, sent),
		already_existed: false,
	});
}

/**
 * The output for an inspection that was found in the list. Nothing is known of its task and its stored answers, because
 * these stand only in the response of a create.
 */
export function lookedUpInspection(
	inspection: JsonRecord,
	{ alreadyExisted, warnings }: { alreadyExisted: boolean; warnings: string[] },
): CreatedInspection {
	return withFacts(inspection, {
		task_id: null,
		warnings,
		unstored_responses: null,
		already_existed: alreadyExisted,
	});
}

/** Puts first what a person looks for in n8n's table. A fact replaces a member of the inspection that has its name. */
function withFacts(inspection: JsonRecord, facts: CreateFacts): CreatedInspection {
	const { id, name, status, ...others } = inspection;
	return { id, name, status, ...facts, ...others, ...facts };
}

function warningsOf(value: unknown): string[] {
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list.flatMap((warning) => {
		if (warning === null || warning === undefined || warning === '') return [];
		return [
			typeof warning === 'string'
				? warning
				: (jsonText(warning) ?? 'a warning that is nested too deep to show'),
		];
	});
}

/**
 * The sent answers that the inspection does not have, in the order sent. The service responds with 200 to malformed
 * answers and leaves them out (createInspection of docs/service.openapi.yaml).
 */
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
	const storedValue = ({ question, order }: SentAnswer) =>
		values.get(`field ${String(order)} ${question.fieldId}`) ??
		values.get(`control ${String(order)} ${idKey(question.controlId)}`);
	return sent.filter((answer) => !isStored(answer, storedValue(answer))).map(unstored);
}

function isStored({ question, value }: SentAnswer, stored: JsonValue | undefined): boolean {
	return stored !== undefined && isStoredAs(question, value, stored);
}

function unstored({ question, order, value }: SentAnswer): JsonRecord {
	return { label: question.label, path: question.path, repeat_section_order: order, value };
}

/**
 * The inspections that a create request in doubt may have made: of those created since it was sent the ones with its
 * name. Where it has no name, those of its template count, because the service then makes a name up.
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
