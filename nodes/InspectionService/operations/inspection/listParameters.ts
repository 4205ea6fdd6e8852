import type { IExecuteFunctions } from 'n8n-workflow';

import { shownValue } from '../../domain/answer/shownValue';
import { guidOf } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import type { JsonRecord } from '../../domain/json';
import {
	type Include,
	type InspectionFilter,
	type SortBy,
	type SortOrder,
	STATUSES,
} from '../../domain/list/inspectionQuery';
import { isEmptyRange, rangeOf } from '../../domain/list/keyRange';
import { teamOf, templateReference } from '../../fields/locators';
import { outputChoice } from '../../fields/outputFields';
import {
	booleanOf,
	choiceOf,
	choicesOf,
	dateOf,
	endOf,
	membersOf,
	textsOf,
	wholeNumberOf,
} from '../../fields/parameterValue';
import { includesFor, type OutputChoice } from '../../output/outputChoice';

/** Get Many's parameters for one item, checked. */
export interface ListParameters extends OutputChoice {
	/** Undefined stands for Return All. */
	limit: number | undefined;
	filter: InspectionFilter;
	/** Id or identifier; undefined for any template. */
	template: string | undefined;
	sortBy: SortBy;
	sortOrder: SortOrder;
}

const DATES = [
	['Created After', 'createdAfter', dateOf],
	['Created Before', 'createdBefore', endOf],
	['Updated After', 'updatedAfter', dateOf],
	['Updated Before', 'updatedBefore', endOf],
] as const;
/** The newest first, because with a limit most people want the newest inspections. */
const DEFAULT_SORT = { sortBy: 'updated_at', sortOrder: 'desc' } as const;

/** A sentence for each pair of dates that no inspection can match, because After is later than Before. */
export function impossibleDates({ filter }: ListParameters): string[] {
	return (['created_at', 'updated_at'] as const).flatMap((time) => {
		const range = rangeOf(filter, time);
		if (!isEmptyRange(range)) return [];
		const name = time === 'created_at' ? 'Created' : 'Updated';
		return `${name} After (${range.after ?? ''}) is later than ${name} Before (${range.before ?? ''}): no inspection can match both.`;
	});
}

/** @throws InputError where a value cannot be used: nothing is sent then */
export function listParameters(context: IExecuteFunctions, item: number): ListParameters {
	const filters = membersOf(context.getNodeParameter('filters', item, {}));
	const options = membersOf(context.getNodeParameter('options', item, {}));
	const isAll = booleanOf('Return All', context.getNodeParameter('returnAll', item, false), false);
	return {
		...outputChoice(context.getNodeParameter('output', item, 'simplified'), options),
		limit: isAll
			? undefined
			: wholeNumberOf('Limit', context.getNodeParameter('limit', item, 50), { min: 1 }),
		filter: filterOf(filters, context.getTimezone()),
		template: templateReference(filters.templateId),
		sortBy:
			choiceOf('Sort By', options.sortBy, ['updated_at', 'created_at']) ?? DEFAULT_SORT.sortBy,
		sortOrder: choiceOf('Sort Order', options.sortOrder, ['asc', 'desc']) ?? DEFAULT_SORT.sortOrder,
	};
}

function filterOf(filters: JsonRecord, timeZone: string): InspectionFilter {
	const status = choicesOf('Status', filters.status, STATUSES);
	const templateControlIds = controlIdsOf(filters.templateControlIds);
	const filter: InspectionFilter = {
		teamId: teamOf(filters.teamId),
		status: status.length > 0 ? status : undefined,
		flaggedItemsOnly: booleanOf('Flagged Items Only', filters.flaggedItemsOnly, false) || undefined,
		templateControlIds: templateControlIds.length > 0 ? templateControlIds : undefined,
	};
	for (const [label, name, read] of DATES) filter[name] = read(label, filters[name], timeZone);
	return filter;
}

/**
 * Throws InputError for a text that is no control ID. The service would give no inspections for it, and that would look
 * like a true result.
 */
function controlIdsOf(given: unknown): string[] {
	return textsOf(given).map((text) => {
		const id = guidOf(text);
		if (id !== undefined) return id;
		throw new InputError(
			`Questions (Control IDs): ${shownValue(text)} is not a control ID. Give template_control_id values, such as 3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f, with commas between them: Template → Get with the output Questions lists them.`,
		);
	});
}

/** Adds `data` for a data filter, which has no effect without it (listInspections of docs/service.openapi.yaml). */
export function includesOf(parameters: ListParameters): Include[] {
	const { flaggedItemsOnly, templateControlIds } = parameters.filter;
	const isDataFiltered = flaggedItemsOnly === true || templateControlIds !== undefined;
	const wanted = includesFor(parameters);
	return isDataFiltered && !wanted.includes('data') ? ['data', ...wanted] : wanted;
}
