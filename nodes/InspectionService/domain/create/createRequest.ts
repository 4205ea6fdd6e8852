import { checkAnswers, type CheckOptions, type SentAnswer } from '../answer/answerCheck';
import type { AnswerMapping } from '../answer/answerMapping';
import type { TemplateForm } from '../answer/templateForm';
import { unmatchedColumns } from '../answer/unmatchedColumns';
import { InputError } from '../inputError';
import type { JsonRecord } from '../json';
import { headerCure } from '../misreadSheet';
import { createDetails, type CreateDetails, type DetailFields } from './createDetails';

/** Everything that one inspection is made from. */
export interface CreateInput<Details = DetailFields> extends CheckOptions {
	/** The template's GUID, or its identifier where the service gave no GUID. */
	templateId: string;
	form: TemplateForm;
	mapping: AnswerMapping;
	details: Details;
	/** How many rows make the inspection; 1 where it is left out. */
	rowCount?: number;
}

/** A request without problems, and the answers in it, to be compared with what the service stores. */
export interface CreateRequest {
	body: JsonRecord;
	sent: SentAnswer[];
}

/**
 * The create request of one inspection (createInspection of docs/service.openapi.yaml).
 * @throws InputError with all problems of the inspection, as a list where there are several; then nothing may be sent
 */
export function createRequest(input: CreateInput): CreateRequest {
	return checkedRequest({ ...input, details: createDetails(input.details, input) });
}

/** Like `createRequest`, for details that were read before. */
export function checkedRequest({
	templateId,
	form,
	mapping,
	details,
	rowCount = 1,
	...options
}: CreateInput<CreateDetails>): CreateRequest {
	const checked = checkAnswers(form, mapping, options);
	const problems = [...checked.problems, ...details.problems];
	if (problems.length > 0) throw refusal(problems, unmatchedCause(form, mapping), rowCount);
	return {
		body: { template_id: templateId, ...details.body, ...dataOf(checked.answers) },
		sent: checked.answers,
	};
}

/** Names the columns that match no question, as sentences. Undefined where there are none. */
function unmatchedCause(
	form: TemplateForm,
	{ unknownKeys }: Pick<AnswerMapping, 'unknownKeys'>,
): string | undefined {
	const unmatched = unmatchedColumns(form, unknownKeys);
	return unmatched && `${unmatched}${headerCure(unknownKeys)}.`;
}

/**
 * The error with all problems. `cause` names columns that match no question. It stands after the problems, because such
 * a column may have caused them.
 */
function refusal(
	problems: readonly string[],
	cause: string | undefined,
	rowCount: number,
): InputError {
	const sentences = problems.map((problem) => `${problem}.`);
	if (cause !== undefined) sentences.push(cause);
	if (problems.length === 1) return new InputError(sentences.join(' '));
	const subject = rowCount === 1 ? 'this row' : 'these rows';
	return new InputError(`${String(problems.length)} problems with ${subject}`, sentences);
}

function dataOf(answers: readonly SentAnswer[]): JsonRecord {
	if (answers.length === 0) return {};
	return { data: { item_type: 'question_response', items: answers.map(itemOf) } };
}

/** The order is sent where there can be several instances (DataItem of docs/service.openapi.yaml). */
function itemOf({ question, order, value }: SentAnswer): JsonRecord {
	const hasInstances = question.section !== null || order !== 1;
	return {
		field_id: question.fieldId,
		response: { value },
		...(hasInstances ? { repeat_section_order: order } : {}),
	};
}
