import type { SentAnswer } from '../answer/answer';
import { encodingFix } from '../encoding';
import { shownValue } from '../formatting';
import { InputError } from '../inputError';
import type { JsonRecord } from '../json';
import { hasNoValue } from '../normalizeText';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import { checkDraft, NO_ANSWER } from './checkDraft';
import { isOneOf, isWithoutHeader } from './column';
import { bodyOf } from './details';
import { type Draft, draftOf, OTHER_TEMPLATE } from './draft';
import {
	carriedErrors,
	filledCells,
	headerProblem,
	isPrefilled,
	looksLikeTotal,
} from './inspectionRows';
import { headerFix, type SheetFacts } from './sheet';
import type { SheetNotices } from './sheetNotices';
import type { Row, SheetRowOptions } from './sheetRow';
import { findSuspiciousValues, suspiciousText, type SuspiciousValue } from './suspiciousValues';
import {
	isColumnOf,
	noAnswers,
	reservedColumns,
	reservedColumnsFix,
	unmatchedColumn,
} from './unusedColumns';

/** How to create an inspection from its rows. */
export interface CreateRequestOptions extends SheetRowOptions {
	/** The template's GUID, or its identifier if the service returned no GUID. */
	templateId: string;
	/** Whether an expression in a parameter other than the answers uses the column. */
	isUsed: (key: string) => boolean;
	/** Problems with the unique key. */
	keyProblems?: readonly Problem[] | undefined;
	sheet: SheetFacts;
	/** Whether no question has a value or an expression in the node. */
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
	const isKnown = (key: string) => options.isUsed(key) || isOneOf(key, options.groupColumns);
	const refuse = (problems: readonly Problem[]) => {
		if (problems.length > 0) throw InputError.ofRow(problems, rows.length, notices.ofErrors());
	};
	addOddRows(rows, notices);
	refuse(otherRows(form, rows, sheet));
	const draft = draftOf(form, rows, { ...options, choices: sheet.choices });
	const foreign = draft.problems.find(({ kind }) => kind === OTHER_TEMPLATE);
	if (foreign !== undefined) throw InputError.of(foreign);
	const isAutomatic = rows[0].labels === undefined;
	const none = isAutomatic ? noAnswers(form, draft, options) : unfilledRows(form, rows, options);
	if (isAutomatic && !sheet.isMapped) refuse(none);
	const { answers, details, problems } = checkDraft(form, draft, allowMissing);
	const unused = [...draft.unknownKeys].filter((key) => !isKnown(key));
	const all = [
		...new Set(unused.flatMap((key) => sheet.near.get(key) ?? [])),
		...keyProblems,
		...(options.isMappingEmpty ? withoutMapping(problems) : problems),
	];
	const ignored = unused.filter((key) => !sheet.near.has(key));
	const causes = all.length === 0 ? [] : headerCauses(draft, ignored, sheet);
	if (all.length === 0) refuse(none);
	for (const cause of causes) notices.add('header', cause);
	// If the header is broken, columns without a name are its effect.
	const shown = causes.length === 0 ? ignored : ignored.filter((key) => !isWithoutHeader(key));
	for (const column of shown) notices.add('ignored', unmatchedColumn(form, column));
	refuse(all);
	const suspicious = findSuspiciousValues(draft, rows);
	addDoubts(form, isAutomatic ? rows : [], suspicious, notices);
	// Keep only what is sent, to save memory: requests wait until all rows are checked.
	const sent = answers.map(({ question, order, value }) => ({ question, order, value }));
	return {
		body: { template_id: templateId, ...bodyOf(details, draft.hasTask), ...dataOf(sent) },
		sent,
		unused: ignored,
		suspicious,
	};
}

/** Adds the rows that are most likely no inspections: totals, and rows that nobody filled in. They aren't left out. */
function addOddRows(rows: readonly Row[], notices: SheetNotices): void {
	for (const { number, cells } of rows) {
		const shown = shownValue(filledCells(cells)[0]?.[1]);
		if (looksLikeTotal(cells)) notices.add('total', shown, number);
		else if (isPrefilled(cells)) notices.add('prefilled', shown, number);
	}
}

/** Adds the columns and values that are most likely not meant as they are read. */
function addDoubts(
	form: Form,
	automatic: readonly Row[],
	suspicious: readonly SuspiciousValue[],
	notices: SheetNotices,
): void {
	for (const column of automatic.flatMap(({ values }) => reservedColumns(form, values))) {
		notices.add('reserved', reservedColumnsFix(form, [column]));
	}
	for (const one of suspicious) notices.add(one.kind, suspiciousText(one));
}

/** Returns the problems of rows that aren't inspections, but a header, a line of a form, or an error. */
function otherRows(
	form: Form,
	rows: readonly Row[],
	{ vertical, titleFix, takesErrors }: SheetFacts,
): readonly Problem[] {
	// A title above the header has its own advice.
	const isTitled = rows.some(({ cells }) => Object.keys(cells).some(isWithoutHeader));
	if (titleFix === undefined && !isTitled) {
		if (vertical !== undefined) return [vertical];
		const isName = (name: string) => isColumnOf(form, name);
		const headers = rows.flatMap((row) => headerProblem(row, isName) ?? []);
		if (headers.length > 0) return headers;
	}
	const mapped = rows.filter(({ labels }) => labels === undefined);
	return takesErrors ? [] : carriedErrors(mapped);
}

/** Explains how to fix a header or an encoding that may have caused the problems of a draft. */
function headerCauses(
	{ answers }: Draft,
	unmatched: readonly string[],
	{ header, titleFix }: SheetFacts,
): string[] {
	const broken = answers.filter(({ problem }) => problem !== undefined);
	const texts = broken.flatMap(({ given }): unknown[] => (Array.isArray(given) ? given : [given]));
	const garbled = encodingFix(texts.filter((text) => typeof text === 'string'));
	return [titleFix, garbled, headerFix(unmatched, header)].filter((fix) => fix !== undefined);
}

/** Replaces the problems of all unanswered required questions with one problem: nothing is mapped yet. */
function withoutMapping(problems: readonly Problem[]): Problem[] {
	const others = problems.filter(({ kind }) => kind !== NO_ANSWER);
	if (others.length === problems.length) return others;
	const message =
		"No question has a value yet. Drag columns onto the questions under 'Answers', or set 'Mapping Column Mode' to 'Map Automatically'";
	return [{ message, kind: 'nothing mapped', isOfAll: true }, ...others];
}

/** Returns the problem of manually mapped rows without a value for any question, or in a column with another use. */
function unfilledRows(
	form: Form,
	rows: readonly Row[],
	{ isMappingEmpty = false, isUsed }: CreateRequestOptions,
): Problem[] {
	const isUnfilled = ({ labels, values, cells }: Row) =>
		labels !== undefined &&
		Object.values(values).every((value) => hasNoValue(value)) &&
		filledCells(cells).every(([column]) => !isUsed(column));
	const isBlank = rows.every(({ cells }) => filledCells(cells).length === 0);
	if (form.questions.length === 0 || isMappingEmpty || isBlank || !rows.every(isUnfilled))
		return [];
	const message =
		"No question that is mapped under 'Answers' has a value. Fill in a cell, or remove the row with a Filter node before this one";
	return [{ message, kind: 'no answers' }];
}

function dataOf(answers: readonly SentAnswer[]): JsonRecord {
	if (answers.length === 0) return {};
	const items = answers.map(({ question, order, value }) => {
		const item = { field_id: question.fieldId, response: { value } };
		// Send the instance number if there can be several instances (`DataItem` in docs/service.openapi.yaml).
		const hasInstances = question.section !== null || order !== 1;
		return hasInstances ? { ...item, repeat_section_order: order } : item;
	});
	return { data: { item_type: 'question_response', items } };
}
