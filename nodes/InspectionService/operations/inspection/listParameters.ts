import type { IExecuteFunctions } from 'n8n-workflow';

import { shownValue } from '../../domain/answer';
import { utcDateOf } from '../../domain/dateAnswer';
import { InputError } from '../../domain/inputError';
import {
	INCLUDES,
	STATUSES,
	type InspectionFilter,
	type SortBy,
	type SortOrder,
} from '../../domain/inspectionQuery';
import { isRecord, textOf, type JsonRecord } from '../../domain/json';
import { templateReference } from '../../fields/templateLocator';
import { OUTPUT_MODES, type OutputChoice } from '../../output/inspectionOutput';

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
	['Created After', 'createdAfter'],
	['Created Before', 'createdBefore'],
	['Updated After', 'updatedAfter'],
	['Updated Before', 'updatedBefore'],
] as const;
/** The service's own defaults (interface, section 3). */
const DEFAULT_SORT = { sortBy: 'updated_at', sortOrder: 'asc' } as const;

/** @throws InputError where a value cannot be used: nothing is sent then */
export function listParameters(context: IExecuteFunctions, item: number): ListParameters {
	const filters = recordOf(context.getNodeParameter('filters', item, {}));
	const options = recordOf(context.getNodeParameter('options', item, {}));
	const isAll = context.getNodeParameter('returnAll', item, false) === true;
	const filter = filterOf(filters, context.getTimezone());
	const includes = choicesOf('Include', options.include, INCLUDES);
	return {
		limit: isAll ? undefined : limitOf(context.getNodeParameter('limit', item, 50)),
		filter,
		template: templateReference(filters.templateId),
		sortBy:
			choiceOf('Sort By', options.sortBy, ['updated_at', 'created_at']) ?? DEFAULT_SORT.sortBy,
		sortOrder: choiceOf('Sort Order', options.sortOrder, ['asc', 'desc']) ?? DEFAULT_SORT.sortOrder,
		output:
			choiceOf('Output', context.getNodeParameter('output', item, 'simplified'), OUTPUT_MODES) ??
			'simplified',
		// data_filter is only effective when includes contains data (interface, section 3).
		includes: needsData(filter) ? [...includes, 'data'] : includes,
		downloadFiles: options.downloadFiles === true,
	};
}

function filterOf(filters: JsonRecord, timeZone: string): InspectionFilter {
	const status = choicesOf('Statuses', filters.status, STATUSES);
	const templateControlIds = textsOf(filters.templateControlIds);
	const filter: InspectionFilter = {
		teamId: textOf(String(filters.teamId ?? '').trim()),
		status: status.length > 0 ? status : undefined,
		flaggedItemsOnly: filters.flaggedItemsOnly === true || undefined,
		templateControlIds: templateControlIds.length > 0 ? templateControlIds : undefined,
	};
	for (const [label, name] of DATES) filter[name] = dateOf(label, filters[name], timeZone);
	return filter;
}

function needsData({ flaggedItemsOnly, templateControlIds }: InspectionFilter): boolean {
	return flaggedItemsOnly === true || templateControlIds !== undefined;
}

/** Text, Luxon and JavaScript dates and n8n's date picker, whose text has no zone and means the workflow's. */
function dateOf(label: string, given: unknown, timeZone: string): string | undefined {
	if (given === undefined || given === null || given === '') return undefined;
	const date = utcDateOf(given, { timeZone, showTime: true });
	if (date !== undefined) return date;
	throw new InputError(
		`${label}: ${shownValue(given)} is not a date. Pick one, or give a text such as 2026-01-31T09:00:00Z.`,
	);
}

function limitOf(given: unknown): number {
	const limit = typeof given === 'string' ? Number(given) : given;
	if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return limit;
	throw new InputError(`Limit: ${shownValue(given)} is not a whole number of 1 or more.`);
}

function choiceOf<Choice extends string>(
	label: string,
	given: unknown,
	choices: readonly Choice[],
): Choice | undefined {
	return choicesOf(label, given, choices)[0];
}

/** An array, or text with commas as an expression may give it; in any case of letters. */
function choicesOf<Choice extends string>(
	label: string,
	given: unknown,
	choices: readonly Choice[],
): Choice[] {
	return textsOf(given).map((text) => {
		const choice = choices.find((candidate) => candidate === text.toLowerCase());
		if (choice !== undefined) return choice;
		throw new InputError(`${label}: ${shownValue(text)} is none of ${choices.join(', ')}.`);
	});
}

function textsOf(given: unknown): string[] {
	if (given === undefined || given === null) return [];
	const parts: unknown[] = Array.isArray(given) ? given : String(given).split(',');
	return parts.map((part) => String(part).trim()).filter((part) => part !== '');
}

function recordOf(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}
