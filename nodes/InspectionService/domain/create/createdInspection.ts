import type { SentAnswer } from '../answer/answerCheck';
import { isStoredAs } from '../answer/sameAnswer';
import { storedResponsesOf } from '../answer/storedResponse';
import { idKey } from '../id';
import { isRecord, type JsonRecord, jsonText, type JsonValue, textOf } from '../json';
import { isShallow, shallowCopy } from '../nesting';

/** What became of one create request: both response shapes of the service made one. */
export interface CreatedInspection extends JsonRecord {
	/** GUID of the task, null where none was made. */
	task_id: string | null;
	warnings: string[];
	/** Answers sent that the service's response does not hold; null where it holds no responses to compare. */
	unstored_responses: JsonRecord[] | null;
	/** True where it was found by its unique key and not created. */
	already_existed: boolean;
}

type CreateFacts = Pick<
	CreatedInspection,
	'task_id' | 'warnings' | 'unstored_responses' | 'already_existed'
>;

/**
 * The output of one create: `id`, `name`, `status`, what is known of the create, then the rest of the inspection. The
 * service answers with the inspection, or with an object around it (CreatedInspection of docs/service.openapi.yaml). Never
 * throws: the inspection is there, and its id must not be lost. What cannot be compared counts as not
 * stored, and null stands for what is nested too deep for n8n.
 */
export function createdInspection(
	answer: JsonRecord,
	sent: readonly SentAnswer[],
): CreatedInspection {
	const inspection = isRecord(answer.inspection) ? answer.inspection : answer;
	const envelope = inspection === answer ? {} : answer;
	return withFacts(inspection, {
		task_id: textOf(envelope.task_id) ?? null,
		warnings: warningsOf(envelope.warnings),
		unstored_responses: unstoredResponses(inspection, sent),
		already_existed: false,
	});
}

/**
 * The output for an inspection that was found in the list and not in a create's response: of its task and its answers
 * nothing is known.
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

/** First what a person looks for in n8n's table. A member of the service with the name of a fact gives way. */
function withFacts(inspection: JsonRecord, facts: CreateFacts): CreatedInspection {
	const { id, name, status, ...others } = isShallow(inspection)
		? inspection
		: shallowCopy(inspection);
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
 * Answers that were sent and are not found, in the order sent: the service takes malformed ones with a 200 and
 * leaves them out (createInspection of docs/service.openapi.yaml).
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
