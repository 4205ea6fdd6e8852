import { isStoredAs } from '../answer/sameAnswer';
import type { SentAnswer } from '../answer/answerCheck';
import { isRecord, textOf } from '../json';
import type { JsonRecord, JsonValue } from '../json';
import { storedResponsesOf } from '../answer/storedResponse';

/** What became of one create request: both answer shapes of the service made one. */
export interface CreatedInspection extends JsonRecord {
	/** GUID of the task, null where none was made. */
	task_id: string | null;
	warnings: string[];
	/** Answers sent that the service's answer does not hold; null where it holds no responses to compare. */
	unstored_responses: JsonRecord[] | null;
}

/**
 * The output of one create: the inspection's own fields, then `task_id`, `warnings` and `unstored_responses`.
 * The service answers with the inspection, or with an object around it (interface, section 2, "Response").
 */
export function createdInspection(
	answer: JsonRecord,
	sent: readonly SentAnswer[],
): CreatedInspection {
	const inspection = isRecord(answer.inspection) ? answer.inspection : answer;
	const envelope = inspection === answer ? {} : answer;
	return {
		...inspection,
		task_id: textOf(envelope.task_id) ?? null,
		warnings: warningsOf(envelope.warnings),
		unstored_responses: unstoredResponses(inspection, sent),
	};
}

function warningsOf(value: unknown): string[] {
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list.flatMap((warning) => {
		if (warning === null || warning === undefined || warning === '') return [];
		return [typeof warning === 'string' ? warning : JSON.stringify(warning)];
	});
}

/**
 * Answers that were sent and are not found, in the order sent: the service takes malformed ones with a 200 and
 * leaves them out (interface, "Behaviour rules").
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
		if (controlId !== '') values.set(`control ${String(order)} ${controlId.toLowerCase()}`, value);
	}
	const storedValue = ({ question, order }: SentAnswer) =>
		values.get(`field ${String(order)} ${question.fieldId}`) ??
		values.get(`control ${String(order)} ${question.controlId.toLowerCase()}`);
	return sent.filter((answer) => !isStored(answer, storedValue(answer))).map(unstored);
}

function isStored({ question, value }: SentAnswer, stored: JsonValue | undefined): boolean {
	return stored !== undefined && isStoredAs(question, value, stored);
}

function unstored({ question, order, value }: SentAnswer): JsonRecord {
	return { label: question.label, path: question.path, repeat_section_order: order, value };
}
