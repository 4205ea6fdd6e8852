import type { IExecuteFunctions } from 'n8n-workflow';

import { shownValue } from '../../domain/answer/shownValue';
import { InputError } from '../../domain/inputError';
import { isRecord } from '../../domain/json';
import type {
	Include,
	InspectionFilter,
	SortBy,
	SortOrder,
} from '../../domain/list/inspectionQuery';
import { isEmptyRange, rangeOf } from '../../domain/list/keyRange';
import { isBlank } from '../../domain/plainText';
import { rowNumbers, rowsText } from '../../domain/rowNumbers';
import { labelOf, parametersOf } from '../../fields/field';
import { FILTER_FIELDS } from '../../fields/filters';
import { expressionOf, membersOf } from '../../fields/parameterValue';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { Hint } from '../hints';
import { LIST_FIELDS } from './readingFields';

/** Get Many's parameters for one item, checked. */
export interface ListParameters {
	readonly choice: OutputChoice;
	/** Undefined stands for Return All. */
	readonly limit: number | undefined;
	readonly filter: InspectionFilter;
	/** Id or identifier; undefined for any template. */
	readonly template: string | undefined;
	readonly sortBy: SortBy;
	readonly sortOrder: SortOrder;
}

/** Throws InputError where a value cannot be used: nothing is sent then. */
export function listParameters(context: IExecuteFunctions, item: number): ListParameters {
	const { limit: LIMIT, ...FIELDS } = LIST_FIELDS;
	const { returnAll, output, filters, options } = parametersOf(context, item, FIELDS);
	const { templateId: template, ...filter } = filters;
	const { sortBy, sortOrder, ...others } = options;
	// With Return All, whatever stands in Limit does not count.
	const limit = returnAll ? undefined : parametersOf(context, item, { limit: LIMIT }).limit;
	return { choice: { output, ...others }, limit, filter, template, sortBy, sortOrder };
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
export function includesOf({ choice, filter }: ListParameters): Include[] {
	const { flaggedItemsOnly, templateControlIds = [] } = filter;
	const isDataFiltered = flaggedItemsOnly === true || templateControlIds.length > 0;
	const wanted = includesFor(choice);
	return isDataFiltered && !wanted.includes('data') ? ['data', ...wanted] : wanted;
}

/**
 * The filters whose expression gave nothing for an item. They are not applied, so the user has to be told: the result
 * would look as if the filter had let everything through.
 */
export class UnfilledFilters {
	private readonly context: IExecuteFunctions;
	private readonly items = new Map<string, number[]>();

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	/** Throws InputError where an expression gives undefined: a field that the item does not have is a mistake. */
	check(item: number): void {
		const filters = (options?: { rawExpressions: true }) =>
			membersOf(this.context.getNodeParameter('filters', item, {}, options));
		const values = filters();
		for (const [name, raw] of Object.entries(filters({ rawExpressions: true }))) {
			const expression = expressionOf(contentOf(raw));
			if (expression === undefined) continue;
			const value = contentOf(values[name]);
			if (value === undefined) {
				throw new InputError(
					`${labelOf(FILTER_FIELDS, name)}: the expression ${shownValue(expression)} gives nothing for this item. Correct it, or remove the filter; null and an empty text mean any.`,
				);
			}
			const isEmpty = isBlank(value) || (Array.isArray(value) && value.length === 0);
			if (isEmpty) this.items.set(name, [...(this.items.get(name) ?? []), item]);
		}
	}

	/** One hint for each filter that was not applied. */
	hints(): Hint[] {
		const numbers = rowNumbers(this.context.getInputData().map(({ json }) => json));
		return [...this.items].map(([name, items]) => ({
			message: `The filter "${labelOf(FILTER_FIELDS, name)}" was not applied to ${rowsText(items.map((item) => numbers.of(item)))}: its expression gives nothing there.`,
			type: 'warning',
		}));
	}
}

/** A resource locator's value, or the parameter itself. */
function contentOf(given: unknown): unknown {
	return isRecord(given) && '__rl' in given ? given.value : given;
}
