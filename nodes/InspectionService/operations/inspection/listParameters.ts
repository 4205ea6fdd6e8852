import type { IExecuteFunctions } from 'n8n-workflow';

import {
	type Include,
	type InspectionFilter,
	type SortBy,
	type SortOrder,
} from '../../domain/list/inspectionQuery';
import { isEmptyRange, rangeOf } from '../../domain/list/keyRange';
import {
	choice,
	field,
	optionsCollection,
	parametersOf,
	propertiesOf,
	toggle,
} from '../../fields/field';
import { FILTERS } from '../../fields/filters';
import { OUTPUT, OUTPUT_OPTIONS } from '../../fields/output';
import { wholeNumberOf } from '../../fields/parameterValue';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { OperationDescription } from '../operation';

const FIELDS_OF_ALL = {
	output: OUTPUT,
	filters: FILTERS,
	options: optionsCollection({
		...OUTPUT_OPTIONS,
		sortBy: choice({
			displayName: 'Sort By',
			options: [
				{ name: 'Created At', value: 'created_at' },
				{ name: 'Updated At', value: 'updated_at' },
			],
			default: 'updated_at',
			description: 'What to sort by. With a limit, the first ones in this order are returned.',
		}),
		sortOrder: choice({
			displayName: 'Sort Order',
			options: [
				{ name: 'Newest First', value: 'desc' },
				{ name: 'Oldest First', value: 'asc' },
			],
			default: 'desc',
			description: 'In which direction to sort. The newest come first unless you change it.',
		}),
	}),
};
const RETURN_ALL = {
	returnAll: toggle({
		displayName: 'Return All',
		description: 'Whether to return all results or only up to a given limit',
	}),
};
const LIMIT = {
	limit: field(
		{
			displayName: 'Limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { returnAll: [false] } },
		},
		// Unlike an option, it must not fall back to its default where an expression gives null.
		(given) => wholeNumberOf('Limit', given, { min: 1 }),
	),
};

/** The fields of Get Many. */
export const LIST_FIELDS = { ...RETURN_ALL, ...LIMIT, ...FIELDS_OF_ALL };

export const getManyDescription: OperationDescription = {
	resource: 'inspection',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many inspections by filter',
		description:
			'Get many inspections: as they are, as rows of a spreadsheet, as answers or as files',
	},
	fields: propertiesOf(LIST_FIELDS),
};

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

/** Throws InputError where a value cannot be used: nothing is sent then. */
export function listParameters(context: IExecuteFunctions, item: number): ListParameters {
	const { output, filters, options } = parametersOf(context, item, FIELDS_OF_ALL);
	const { templateId: template, ...filter } = filters;
	const { returnAll } = parametersOf(context, item, RETURN_ALL);
	const limit = returnAll ? undefined : parametersOf(context, item, LIMIT).limit;
	return { output, ...options, limit, filter, template };
}

/** A sentence for each pair of dates that no inspection can match, because After is later than Before. */
export function impossibleDates({ filter }: ListParameters): string[] {
	return (['created_at', 'updated_at'] as const).flatMap((time) => {
		const range = rangeOf(filter, time);
		if (!isEmptyRange(range)) return [];
		const name = time === 'created_at' ? 'Created' : 'Updated';
		return `${name} After (${range.after ?? ''}) is later than ${name} Before (${range.before ?? ''}): no inspection can match both.`;
	});
}

/** Adds `data` for a data filter, which has no effect without it (listInspections of docs/service.openapi.yaml). */
export function includesOf(parameters: ListParameters): Include[] {
	const { flaggedItemsOnly, templateControlIds = [] } = parameters.filter;
	const isDataFiltered = flaggedItemsOnly === true || templateControlIds.length > 0;
	const wanted = includesFor(parameters);
	return isDataFiltered && !wanted.includes('data') ? ['data', ...wanted] : wanted;
}
