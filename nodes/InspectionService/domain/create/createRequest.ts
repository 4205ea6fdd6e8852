import type { Answer, SentAnswer } from '../answer/answer';
import { InputError } from '../inputError';
import type { JsonRecord } from '../json';
import type { HeaderRow } from '../misreadSheet';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import { checkDraft } from './checkDraft';
import { bodyOf } from './details';
import type { Draft, Row } from './draft';
import { isGroupColumn } from './groupRows';
import { mergeDrafts } from './mergeDrafts';
import { draftOf, type RowReading } from './rowAnswers';
import { carriedError, causesIn, causeText, ownColumns, unmappedItems } from './unusedColumns';

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
	/** What is wrong with the unique key. It is told with the problems of the answers. */
	keyProblems: readonly Problem[];
	/** The row of the data in which the header seems to stand; undefined where none does. */
	header?: HeaderRow | undefined;
}

/** A request without problems. */
export interface CreateRequest {
	body: JsonRecord;
	/** The answers in it, to be compared with what the service stores. */
	sent: readonly SentAnswer[];
	/** Columns that match no question. */
	unmatched: readonly string[];
	/** Columns that are not taken for the question of their name; see `ownColumns`. */
	ownColumns: readonly string[];
}

/**
 * The create request of the inspection that the rows make (createInspection of docs/service.openapi.yaml): several rows
 * where they are grouped, else one.
 * @throws InputError with all problems of the rows, as a list where there are several; then nothing may be sent
 */
export function createRequest(
	form: Form,
	rows: readonly [Row, ...Row[]],
	{ templateId, validate, groupColumn, isOfUse, keyProblems, header, ...reading }: Making,
): CreateRequest {
	const how = { ...reading, isGrouped: groupColumn !== undefined };
	const isGroup = (key: string) => groupColumn !== undefined && isGroupColumn(key, groupColumn);
	const automatic = rows.filter(({ mapped }) => mapped === undefined);
	refuseUnmapped(form, automatic, { isKnown: (key) => isOfUse(key) || isGroup(key), header });
	const read = (row: Row) => ({ row: row.number, draft: draftOf(form, row, how) });
	const draft = how.isGrouped ? mergeDrafts(rows.map(read)) : read(rows[0]).draft;
	const unmatched = draft.unknownKeys.filter((key) => !isOfUse(key) && !isGroup(key));
	const { answers, problems: wrong } = checkDraft(form, draft, validate);
	const problems = [...keyProblems, ...wrong];
	if (problems.length > 0) {
		// "Required" follows from a column that matches no question, so such a column is told first.
		const all = [...causesIn(form, unmatched, header), ...problems];
		const cause = causeText(form, unmatched, header);
		throw InputError.ofRow(all, { cause, rowCount: rows.length });
	}
	if (answers.length === 0) refuseOwnOnly(form, draft, { isOfUse, isGroup });
	// A request waits until all rows are checked, so nothing of the rows is kept that is not sent.
	const sent = answers.map(toSend);
	return {
		body: { template_id: templateId, ...bodyOf(draft.details, draft.hasTask), ...dataOf(sent) },
		sent,
		unmatched,
		ownColumns: automatic.flatMap(({ values }) => ownColumns(form, values)),
	};
}

/**
 * Throws InputError where a row carries an error of an earlier node, or where no column of any row is a question. Within
 * a group, a row without a question is fine beside one that has some.
 */
function refuseUnmapped(
	form: Form,
	rows: readonly Row[],
	{ isKnown, header }: { isKnown: Making['isOfUse']; header: HeaderRow | undefined },
): void {
	if (rows.length === 0) return;
	const [carried] = rows.flatMap(({ number, values }): Problem[] => {
		const wrong = carriedError(form, values);
		return wrong === undefined ? [] : [{ wrong, rows: rows.length === 1 ? undefined : [number] }];
	});
	if (carried !== undefined) throw InputError.of(carried);
	const items = rows.map(({ values }) => values);
	const unmapped = unmappedItems(form, items, isKnown, header);
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
