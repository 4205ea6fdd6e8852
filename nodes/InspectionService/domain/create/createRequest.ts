import type { Answer, SentAnswer } from '../answer/answer';
import { isSameButForNow } from '../answer/sameAnswer';
import { InputError } from '../inputError';
import { type JsonRecord, jsonText } from '../json';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import { checkDraft } from './checkDraft';
import { bodyOf } from './details';
import type { Draft, Row } from './draft';
import { isGroupColumn } from './groupRows';
import { mergeDrafts } from './mergeDrafts';
import { draftOf, type RowReading } from './rowAnswers';
import {
	carriedError,
	ownColumns,
	unmappedItems,
	unmatchedCause,
	unmatchedProblems,
	unusedDetails,
} from './unusedColumns';

/** How an inspection is made of its rows. */
export interface Making extends Omit<RowReading, 'isGrouped'> {
	/** The template's GUID, or its identifier where the service gave no GUID. */
	templateId: string;
	/** See `checkDraft`. */
	validate: boolean;
	/** The column by which rows are put together; undefined where each row is an inspection of its own. */
	groupColumn: string | undefined;
	/** True for a column that an expression uses though it is no question: no message calls it one that matches none. */
	isOfUse(key: string): boolean;
}

/** A request without problems. */
export interface CreateRequest {
	body: JsonRecord;
	/** The answers in it, to be compared with what the service stores. */
	sent: readonly SentAnswer[];
	/** Columns that match no question. */
	unmatched: readonly string[];
	/** Columns that look as if they were meant for Additional Fields, each with what to enter there; see `unusedDetails`. */
	unusedDetails: readonly string[];
	/** Columns that are not taken for the question of their name, each with what to do; see `ownColumns`. */
	ownColumns: readonly string[];
	/** The answers that are most likely a hundredth of the percentage that is meant; see `isPartOfPercent`. */
	partsOfPercent: readonly SentAnswer[];
	/** The rows that say something else than the first one, where the inspection is made of the first alone. */
	unusedRows: readonly Row[];
}

/**
 * The create request of the inspection that the rows make (createInspection of docs/service.openapi.yaml). Without groups
 * it is made of the first row: the others have its unique key.
 * @throws InputError with all problems of the rows, as a list where there are several; then nothing may be sent
 */
export function createRequest(
	form: Form,
	rows: readonly [Row, ...Row[]],
	{ templateId, validate, groupColumn, isOfUse, ...reading }: Making,
): CreateRequest {
	const how = { ...reading, isGrouped: groupColumn !== undefined };
	const isGroup = (key: string) => groupColumn !== undefined && isGroupColumn(key, groupColumn);
	const automatic = rows.filter(({ mapped }) => mapped === undefined);
	refuseUnmapped(form, automatic, (key) => isOfUse(key) || isGroup(key));
	const drafts = rows.map((row) => ({ row, draft: draftOf(form, row, how) }));
	const draft = how.isGrouped
		? mergeDrafts(drafts.map(({ row, draft: said }) => ({ row: row.number, draft: said })))
		: (drafts[0]?.draft ?? draftOf(form, rows[0], how));
	const unmatched = draft.unknownKeys.filter((key) => !isOfUse(key) && !isGroup(key));
	const { answers, problems } = checkDraft(form, draft, validate);
	if (problems.length > 0) {
		// A column that matches no question may have caused the problems, so it is told behind them.
		const all = [...problems, ...unmatchedProblems(form, unmatched)];
		throw InputError.ofRow(all, { cause: unmatchedCause(form, unmatched), rowCount: rows.length });
	}
	if (answers.length === 0) refuseOwnOnly(form, draft, { isOfUse, isGroup });
	// A request waits until all rows are checked, so nothing of the rows is kept that is not sent.
	const sent = answers.map(toSend);
	return {
		body: { template_id: templateId, ...bodyOf(draft.details, draft.hasTask), ...dataOf(sent) },
		sent,
		unmatched,
		unusedDetails: automatic.flatMap((row) =>
			unusedDetails(form, row.values, row.additionalFields),
		),
		ownColumns: automatic.flatMap(({ values }) => ownColumns(form, values)),
		partsOfPercent: answers.filter(isPartOfPercent).map(toSend),
		unusedRows: how.isGrouped ? [] : differing(drafts),
	};
}

/**
 * Throws InputError where a row carries an error of an earlier node, or where no column of any row is a question. Within
 * a group, a row without a question is fine beside one that has some.
 */
function refuseUnmapped(form: Form, rows: readonly Row[], isKnown: Making['isOfUse']): void {
	if (rows.length === 0) return;
	const [carried] = rows.flatMap(({ number, values }): Problem[] => {
		const wrong = carriedError(form, values);
		return wrong === undefined ? [] : [{ wrong, rows: rows.length === 1 ? undefined : [number] }];
	});
	if (carried !== undefined) throw InputError.of(carried);
	const items = rows.map(({ values }) => values);
	const unmapped = unmappedItems(form, items, isKnown);
	// Rows differ in the cells that they have. The columns of the first row are enough.
	if (unmapped === undefined) return;
	throw InputError.of({ wrong: unmapped, kind: 'no question' });
}

/**
 * Throws InputError where the only values are in columns that Get Many's rows have of their own, such as `id`: no answer
 * is taken from them, so the inspection would be made of nothing.
 */
function refuseOwnOnly(
	form: Form,
	{ ownKeys, unknownKeys }: Draft,
	{ isOfUse, isGroup }: Pick<Making, 'isOfUse'> & { isGroup: Making['isOfUse'] },
): void {
	const keys = [...ownKeys, ...unknownKeys].filter((key) => !isGroup(key));
	const isMore = (key: string) => !ownKeys.includes(key) || isOfUse(key);
	if (keys.length === 0 || keys.some(isMore) || form.questions.length === 0) return;
	const names = keys.map((key) => `"${key}"`).join(', ');
	const wrong = `Only ${names} ${keys.length === 1 ? 'has' : 'have'} a value, and no answer is taken from ${keys.length === 1 ? 'this column' : 'these columns'}; fill in an answer, or take the row out`;
	throw InputError.of({ wrong, kind: 'own columns only' });
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

function toSend({ question, order, value }: Answer): SentAnswer {
	return { question, order, value };
}

/**
 * True for a number cell such as 0.87 under a label with a percent sign. A sheet shows it as 87 %, and n8n hands over
 * what the sheet keeps. It is sent as it is, because 0.87 % may be meant as well.
 */
function isPartOfPercent({ question, given }: Answer): boolean {
	if (question.type !== 'number' || !question.label.includes('%')) return false;
	return typeof given === 'number' && given !== 0 && Math.abs(given) < 1;
}

/** The rows that say something else than the first one. */
function differing([first, ...others]: readonly { row: Row; draft: Draft }[]): Row[] {
	if (first === undefined || others.length === 0) return [];
	const content = contentOf(first.draft);
	return others
		.filter(({ draft }) => !isSameButForNow(contentOf(draft), content))
		.map(({ row }) => row);
}

function contentOf({ answers, details, hasTask }: Draft): string {
	const said = answers.map(({ question, order, value }) => [question.fieldId, order, value]);
	return jsonText([said, bodyOf(details, hasTask)]) ?? '';
}
