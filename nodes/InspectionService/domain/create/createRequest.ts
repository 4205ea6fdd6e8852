import type { SentAnswer } from '../answer/answer';
import { encodingFix } from '../encoding';
import { shownValue } from '../formatting';
import { InputError } from '../inputError';
import type { JsonRecord } from '../json';
import { hasNoValue } from '../normalizeText';
import type { Problem } from '../problem';
import { ownKeysOf } from '../rowKeys';
import type { Form } from '../template/form';
import { checkDraft, NO_ANSWER } from './checkDraft';
import { bodyOf } from './details';
import { type Draft, draftOf, OTHER_TEMPLATE } from './draft';
import {
	carriedErrors,
	filledCells,
	headerProblem,
	isPrefilled,
	looksLikeTotal,
} from './inspectionRows';
import { isColumnOf, type SheetFacts, unmatchedColumn, unmatchedText } from './sheet';
import type { SheetNotices } from './sheetNotices';
import { isOneOf, type Row, type SheetRowOptions } from './sheetRow';
import { findSuspiciousValues, suspiciousText, type SuspiciousValue } from './suspiciousValues';

/** How to create an inspection from its rows. */
export interface CreateRequestOptions extends SheetRowOptions {
	/** The template's GUID, or its identifier if the service returned no GUID. */
	templateId: string;
	/** The columns that expressions of other fields than the answers read, such as Unique Key. They aren't ignored. */
	usedColumns: ReadonlySet<string>;
	/** Problems with the unique key. */
	keyProblems?: readonly Problem[] | undefined;
	sheet: SheetFacts;
	/** Whether the mapping is manual, and no question has a value or an expression. */
	isMappingEmpty?: boolean | undefined;
}

/** A create request without problems. */
export interface CreateRequest {
	body: JsonRecord;
	sent: readonly SentAnswer[];
	/** The columns with a value that match no question and have no other use. */
	unused: string[];
	/** Values that are sent, but most likely wrong. */
	suspicious: readonly SuspiciousValue[];
}

/**
 * Builds the create request for one inspection (`createInspection` in docs/service.openapi.yaml). `rows` contains several
 * rows only if rows are grouped. Throws InputError with all problems of the rows. Send nothing in that case. Adds to
 * `notices` what else is remarkable about the rows.
 */
export function createRequest(
	form: Form,
	rows: readonly [Row, ...Row[]],
	options: CreateRequestOptions,
	notices: SheetNotices,
): CreateRequest {
	const { templateId, allowMissing = false, keyProblems = [], sheet } = options;
	const refuse = (problems: readonly Problem[]) => {
		if (problems.length > 0) throw InputError.ofRow(problems, rows.length, notices.ofErrors());
	};
	addOddRows(rows, sheet, notices);
	refuse(otherRows(form, rows, sheet));
	if (sheet.unmatched !== undefined && rows[0].labels === undefined) refuse([sheet.unmatched]);
	const draft = draftOf(form, rows, options, sheet.choices);
	refuse(draft.problems.filter(({ kind }) => kind === OTHER_TEMPLATE));
	const { answers, details, problems } = checkDraft(form, draft, allowMissing);
	const ownKeys = ownKeysOf(rows.map(({ values }) => values));
	const unused = [...draft.unusedKeys].filter(
		(key) =>
			!ownKeys.has(key) && !options.usedColumns.has(key) && !isOneOf(key, options.groupColumns),
	);
	const all = [
		...new Set(unused.flatMap((key) => sheet.meant.get(key) ?? [])),
		...keyProblems,
		...(options.isMappingEmpty ? withoutMapping(problems) : problems),
	];
	if (all.length === 0) refuse(noAnswers(form, rows, draft, options));
	const ignored = unused.filter((key) => !sheet.meant.has(key));
	if (all.length > 0) addCauses(draft, ignored, sheet, notices);
	for (const column of ignored) notices.add('ignored', unmatchedColumn(form, column));
	refuse(all);
	const hasTask = rows.some(({ task }) => task !== undefined);
	const suspicious = findSuspiciousValues(draft, rows);
	for (const one of suspicious) notices.add(one.kind, suspiciousText(one));
	// Keep only what is sent, to save memory: requests wait until all rows are checked.
	const sent = answers.map(({ question, order, value }) => ({ question, order, value }));
	return {
		body: { template_id: templateId, ...bodyOf(details, hasTask), ...dataOf(sent) },
		sent,
		unused: ignored,
		suspicious,
	};
}

/**
 * Adds the rows that are most likely no inspections: totals, and rows that nobody filled in. They aren't left out. Also
 * adds the columns whose name is reserved in their row.
 */
function addOddRows(rows: readonly Row[], { reserved }: SheetFacts, notices: SheetNotices): void {
	for (const { number, cells, labels } of rows) {
		const filled = filledCells(cells);
		const shown = shownValue(filled[0]?.[1]);
		if (looksLikeTotal(cells)) notices.add('total', shown, number);
		else if (isPrefilled(cells)) notices.add('prefilled', shown, number);
		if (labels !== undefined) continue;
		const own = ownKeysOf([cells]);
		const renamed = filled.flatMap(([key]) => (own.has(key) ? (reserved.get(key) ?? []) : []));
		for (const columns of renamed) notices.add('reserved', columns);
	}
}

/** Returns the problems of rows that aren't inspections: a header row, a line of a form, or an error. */
function otherRows(
	form: Form,
	rows: readonly Row[],
	{ vertical, titleFix, takesErrors }: SheetFacts,
): readonly Problem[] {
	// A title above the header row has its own advice.
	if (titleFix === undefined) {
		if (vertical !== undefined) return [vertical];
		const isName = (name: string) => isColumnOf(form, name);
		const headers = rows.flatMap((row) => headerProblem(row, isName) ?? []);
		if (headers.length > 0) return headers;
	}
	const automatic = rows.filter(({ labels }) => labels === undefined);
	return takesErrors ? [] : carriedErrors(automatic);
}

/** Adds how to fix a title above the header row, or an encoding, that may have caused the problems of a draft. */
function addCauses(
	{ answers }: Draft,
	ignored: readonly string[],
	{ titleFix }: SheetFacts,
	notices: SheetNotices,
): void {
	const refused = answers.filter(({ problem }) => problem !== undefined);
	const texts = [...ignored, ...refused.flatMap(({ given }): unknown => given)];
	const garbled = encodingFix(texts.filter((text) => typeof text === 'string'));
	for (const fix of [titleFix, garbled]) if (fix !== undefined) notices.add('cause', fix);
}

/** Replaces the problems of all unanswered required questions with one problem: nothing is mapped yet. */
function withoutMapping(problems: readonly Problem[]): Problem[] {
	const others = problems.filter(({ kind }) => kind !== NO_ANSWER);
	if (others.length === problems.length) return others;
	const message =
		"No question has a value yet. Drag columns onto the questions under 'Answers', or set 'Mapping Column Mode' to 'Map Automatically'";
	return [{ message, kind: 'nothing mapped', isOfAll: true }, ...others];
}

/**
 * Returns the problem of rows without any answer, such as one with totals: they have values only in columns without a
 * use. Returns nothing for other rows.
 */
function noAnswers(
	form: Form,
	rows: readonly [Row, ...Row[]],
	{ answers, unusedKeys }: Draft,
	{ groupColumns, usedColumns, isMappingEmpty = false }: CreateRequestOptions,
): Problem[] {
	if (answers.length > 0 || form.questions.length === 0 || isMappingEmpty) return [];
	const isManual = rows[0].labels !== undefined;
	const ofCells = rows.flatMap(({ cells }) => filledCells(cells).map(([key]) => key));
	const keys = isManual ? ofCells : [...unusedKeys];
	const columns = keys.filter((key) => !isOneOf(key, groupColumns));
	if (columns.length === 0 || columns.some((key) => usedColumns.has(key))) return [];
	if (isManual && rows.some(({ values }) => !hasNoValue(values))) return [];
	const message = isManual
		? "No question that is mapped under 'Answers' has a value. Fill in a cell, or remove the row with a Filter node before this one"
		: `${unmatchedText(form, columns)}, and no other cell has a value. Fill in an answer, or remove the row with a Filter node before this one`;
	return [{ message, kind: 'no answers' }];
}

function dataOf(answers: readonly SentAnswer[]): JsonRecord {
	if (answers.length === 0) return {};
	const items = answers.map(({ question, order, value }) => {
		const item = { field_id: question.fieldId, response: { value } };
		// Send the instance number if there can be several instances (`DataItem` in docs/service.openapi.yaml).
		return question.section === null ? item : { ...item, repeat_section_order: order };
	});
	return { data: { item_type: 'question_response', items } };
}
