import type { Answer, SentAnswer } from '../answer/answer';
import { encodingFix } from '../encoding';
import { listText } from '../formatting';
import { InputError } from '../inputError';
import type { JsonRecord } from '../json';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import { checkDraft, NO_ANSWER } from './checkDraft';
import { bodyOf } from './details';
import { draftOf, OTHER_TEMPLATE } from './draft';
import { isGroupColumn } from './groupRows';
import type { Row, RowReading } from './sheetRow';
import {
	findSuspiciousValues,
	findTotals,
	type SuspiciousValue,
	totalCauses,
} from './suspiciousValues';
import {
	causesIn,
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
	/** How to remove a title above the header, for manually mapped rows (`titleFix`). */
	titleFix?: string | undefined;
	/** Whether no question has a value or an expression in the node. */
	isMappingEmpty?: boolean | undefined;
}

/** A create request without problems. */
export interface CreateRequest {
	body: JsonRecord;
	sent: readonly SentAnswer[];
	/** Columns that match no question. */
	unmatched: readonly string[];
	/** Filled columns that are reserved for the inspection itself (`reservedColumns`). */
	reserved: readonly string[];
	/** Values that are sent, but most likely wrong. */
	suspicious: readonly SuspiciousValue[];
}

/**
 * Builds the create request for one inspection (`createInspection` in docs/service.openapi.yaml). `rows` contains several
 * rows only if rows are grouped. Throws InputError with all problems of the rows. Send nothing in that case.
 */
export function createRequest(
	form: Form,
	rows: readonly [Row, ...Row[]],
	options: CreateRequestOptions,
): CreateRequest {
	const {
		templateId,
		allowMissing = false,
		groupColumn,
		isUsed,
		keyProblems = [],
		header,
	} = options;
	const { titleFix, isMappingEmpty = false } = options;
	const isGroup = (key: string) => isGroupColumn(key, groupColumn);
	const automatic = rows.filter(({ labels }) => labels === undefined);
	const unmapped = unmappedRows(form, automatic, (key) => isUsed(key) || isGroup(key), options);
	const suspiciousTotals = findTotals(automatic);
	const totals = totalCauses(suspiciousTotals, automatic.length);
	if (unmapped !== undefined) throw InputError.ofRow([...totals, unmapped]);
	const draft = draftOf(form, rows, options);
	const foreign = draft.problems.find(({ kind }) => kind === OTHER_TEMPLATE);
	if (foreign !== undefined) throw InputError.of(foreign);
	const unknown = [...draft.unknownKeys].filter((key) => !isGroup(key));
	const unmatched = unknown.filter((key) => !isUsed(key));
	const { answers, details, problems } = checkDraft(form, draft, allowMissing);
	const all = [...keyProblems, ...(isMappingEmpty ? withoutMapping(problems) : problems)];
	if (all.length > 0) {
		// List possible causes first. For example, a required answer may be missing because its column matches no
		// question.
		const title = { kind: 'title', isCause: true, isOfAll: true };
		const causes = [
			...(titleFix === undefined ? [] : [{ ...title, message: titleFix }]),
			...totals,
			...garbledValues(draft.answers),
			...causesIn(form, unmatched, header),
		];
		throw InputError.ofRow([...causes, ...all], rows.length);
	}
	const own = [...draft.ownKeys].filter((key) => !isGroup(key));
	const others = [...own, ...unknown];
	const isEmpty = answers.length === 0 && !others.some(isUsed);
	if (isEmpty && others.length > 0 && form.questions.length > 0) {
		throw InputError.ofRow([...totals, noAnswers(form, own, unknown)]);
	}
	// Keep only what is sent, to save memory: requests wait until all rows are checked.
	const sent = answers.map(({ question, order, value }) => ({ question, order, value }));
	return {
		body: { template_id: templateId, ...bodyOf(details, draft.hasTask), ...dataOf(sent) },
		sent,
		unmatched,
		reserved: automatic.flatMap(({ values }) => reservedColumns(form, values)),
		suspicious: [...findSuspiciousValues(draft, rows[0].number), ...suspiciousTotals],
	};
}

/** Replaces the problems of all unanswered required questions with one problem: nothing is mapped yet. */
function withoutMapping(problems: readonly Problem[]): Problem[] {
	const others = problems.filter(({ kind }) => kind !== NO_ANSWER);
	if (others.length === problems.length) return others;
	const message =
		'No question has a value yet. Drag columns onto the questions under "Answers", or set "Mapping Column Mode" to "Map Automatically"';
	return [{ message, kind: 'nothing mapped', isOfAll: true }, ...others];
}

/**
 * Explains how to fix the encoding of garbled values that broke a rule. In the right encoding, they may match a choice.
 */
function garbledValues(answers: readonly Answer[]): Problem[] {
	const broken = answers.filter(({ problem }) => problem !== undefined);
	const texts = broken.flatMap(({ given }): unknown[] => (Array.isArray(given) ? given : [given]));
	const fix = encodingFix(texts.filter((text) => typeof text === 'string'));
	return fix === undefined ? [] : [{ message: fix, isCause: true }];
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
