import type { SentAnswer } from '../answer/answer';
import { encodingFix } from '../encoding';
import { listText, shownValue } from '../formatting';
import { InputError } from '../inputError';
import type { JsonRecord } from '../json';
import { hasNoValue } from '../normalizeText';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import { checkDraft, NO_ANSWER } from './checkDraft';
import { bodyOf } from './details';
import { draftOf, OTHER_TEMPLATE } from './draft';
import { isGroupColumn } from './groupColumn';
import { filledCells, headerProblem, isPrefilled, looksLikeTotal } from './inspectionRows';
import type { SheetNotices } from './sheetNotices';
import type { Draft, Row, RowReading } from './sheetRow';
import { findSuspiciousValues, suspiciousText, type SuspiciousValue } from './suspiciousValues';
import {
	headerFix,
	isColumnOf,
	isWithoutHeader,
	namedColumns,
	reservedColumns,
	reservedColumnsFix,
	SHOWN_COLUMNS,
	unmappedRows,
} from './unusedColumns';

/** How to create an inspection from its rows. */
export interface CreateRequestOptions extends RowReading {
	/** The template's GUID, or its identifier if the service returned no GUID. */
	templateId: string;
	/** Whether an expression in a parameter other than the answers uses the column. */
	isUsed: (key: string) => boolean;
	/** Problems with the unique key. */
	keyProblems?: readonly Problem[] | undefined;
	/** A sentence about the row that seems to be the header (`headerRow`). */
	header?: string | undefined;
	/** Whether any row of the sheet has a column that matches a question. */
	isMapped?: boolean | undefined;
	/** The problem of a sheet that lists the questions in its rows (`verticalProblem`). */
	vertical?: Problem | undefined;
	/** The problems of columns that match no question, but seem to be meant for one (`nearColumns`, `ChoiceColumns`). */
	near?: ReadonlyMap<string, Problem> | undefined;
	/** How to remove a title above the header, for manually mapped rows (`titleFix`). */
	titleFix?: string | undefined;
	/** Whether no question has a value or an expression in the node. */
	isMappingEmpty?: boolean | undefined;
}

/** A create request without problems. */
export interface CreateRequest {
	body: JsonRecord;
	sent: readonly SentAnswer[];
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
	const { templateId, allowMissing = false, groupColumn, isUsed, keyProblems = [] } = options;
	const isGroup = (key: string) => isGroupColumn(key, groupColumn);
	const automatic = rows.filter(({ labels }) => labels === undefined);
	addOddRows(rows, notices);
	refuseOtherRows(form, rows, options, notices);
	const unmapped = unmappedRows(form, automatic, (key) => isUsed(key) || isGroup(key), options);
	if (unmapped !== undefined) throw InputError.ofRow([unmapped], 1, notices.ofErrors());
	const draft = draftOf(form, rows, options);
	const foreign = draft.problems.find(({ kind }) => kind === OTHER_TEMPLATE);
	if (foreign !== undefined) throw InputError.of(foreign);
	const unknown = [...draft.unknownKeys].filter((key) => !isGroup(key));
	const unused = unknown.filter((key) => !isUsed(key));
	const near = new Set(unused.flatMap((key) => options.near?.get(key) ?? []));
	const unmatched = unused.filter((key) => options.near?.has(key) !== true);
	const { answers, details, problems } = checkDraft(form, draft, allowMissing);
	const all = [
		...near,
		...keyProblems,
		...(options.isMappingEmpty ? withoutMapping(problems) : problems),
	];
	if (all.length > 0) {
		for (const cause of headerCauses(draft, unmatched, options)) notices.add('header', cause);
		notices.addUnmatched(unmatched, form);
		throw InputError.ofRow(all, rows.length, notices.ofErrors());
	}
	const own = [...draft.ownKeys].filter((key) => !isGroup(key));
	const others = [...own, ...unknown];
	const isEmpty = answers.length === 0 && others.length > 0 && !others.some(isUsed);
	const none = isEmpty ? noAnswers(form, own, unknown) : unfilledRows(rows, options);
	if (none !== undefined && form.questions.length > 0) {
		throw InputError.ofRow([none], 1, notices.ofErrors());
	}
	notices.addUnmatched(unmatched, form);
	for (const column of automatic.flatMap(({ values }) => reservedColumns(form, values))) {
		notices.add('reserved', reservedColumnsFix(form, [column]));
	}
	const suspicious = findSuspiciousValues(draft, rows);
	for (const one of suspicious) notices.add(one.kind, suspiciousText(one));
	// Keep only what is sent, to save memory: requests wait until all rows are checked.
	const sent = answers.map(({ question, order, value }) => ({ question, order, value }));
	return {
		body: { template_id: templateId, ...bodyOf(details, draft.hasTask), ...dataOf(sent) },
		sent,
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

/** Throws InputError if a row isn't an inspection, but a header, or a line of a form. */
function refuseOtherRows(
	form: Form,
	rows: readonly Row[],
	{ vertical, titleFix }: CreateRequestOptions,
	notices: SheetNotices,
): void {
	// A title above the header has its own advice.
	if (titleFix !== undefined || rows.some(({ cells }) => Object.keys(cells).some(isWithoutHeader)))
		return;
	const headers = rows.flatMap((row) => headerProblem(row, (name) => isColumnOf(form, name)) ?? []);
	const problems = vertical === undefined ? headers : [vertical];
	if (problems.length > 0) throw InputError.ofRow(problems, rows.length, notices.ofErrors());
}

/** Explains how to fix a header or an encoding that may have caused the problems of a draft. */
function headerCauses(
	{ answers }: Draft,
	unmatched: readonly string[],
	{ header, titleFix }: CreateRequestOptions,
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

/**
 * Returns the problem of a row that would create an empty inspection, such as a row of totals. All its values are in
 * columns that match no question, or in reserved columns such as `id`.
 */
function noAnswers(form: Form, own: readonly string[], unknown: readonly string[]): Problem {
	const named = [...own.map((key) => `"${key}"`), ...namedColumns(form, unknown)];
	const shown = listText(named.slice(0, SHOWN_COLUMNS), named.length);
	const isOne = named.length === 1;
	const [have, matches] = isOne ? ['has', 'it matches'] : ['have', 'they match'];
	const only = `Only ${shown} ${have} a value`;
	const reserved = own.filter((key) => form.keys.find(key).columns.length > 0);
	const message =
		reserved.length > 0
			? `${only}. ${reservedColumnsFix(form, reserved)}`
			: `${only}, and ${matches} no question; fill in an answer, or remove the row with a Filter node before this one`;
	return { message, kind: 'no answers' };
}

/** Returns the problem of manually mapped rows without a value for any question, or in a column with another use. */
function unfilledRows(
	rows: readonly Row[],
	{ isMappingEmpty = false, isUsed }: CreateRequestOptions,
): Problem | undefined {
	const isUnfilled = ({ labels, values, cells }: Row) =>
		labels !== undefined &&
		Object.values(values).every((value) => hasNoValue(value)) &&
		filledCells(cells).every(([column]) => !isUsed(column));
	const isBlank = rows.every(({ cells }) => filledCells(cells).length === 0);
	if (isMappingEmpty || isBlank || !rows.every(isUnfilled)) return undefined;
	const message =
		"No question that is mapped under 'Answers' has a value; fill in a cell, or remove the row with a Filter node before this one";
	return { message, kind: 'no answers' };
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
