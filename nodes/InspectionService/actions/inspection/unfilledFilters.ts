import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../../domain/json';
import { isBlank } from '../../domain/normalizeText';
import type { Hint } from '../../domain/notices';
import { type RowNumbers, rowsText } from '../../domain/rowNumbers';
import { fieldLabel } from '../../fields/field';
import { FILTER_FIELDS } from '../../fields/filters';
import { expressionOf, membersOf } from '../../fields/parameterValue';

/**
 * Collects filters that weren't applied because their expressions returned nothing for an item. A hint then lists these
 * filters.
 */
export class UnfilledFilters {
	private readonly context: IExecuteFunctions;
	private readonly items = new Map<string, number[]>();

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	addItem(item: number): void {
		const values = this.filtersOf(item);
		for (const [name, raw] of Object.entries(this.filtersOf(item, { rawExpressions: true }))) {
			if (expressionOf(contentOf(raw)) === undefined) continue;
			const value = contentOf(values[name]);
			const isEmpty = isBlank(value) || (Array.isArray(value) && value.length === 0);
			if (isEmpty) this.items.set(name, [...(this.items.get(name) ?? []), item]);
		}
	}

	hints(numbers: RowNumbers): Hint[] {
		return [...this.items].map(([name, some]) => ({
			message: `The filter '${fieldLabel(FILTER_FIELDS, name)}' wasn't applied to ${rowsText(some.map((item) => numbers.of(item)))}, because its expression returned nothing.`,
			type: 'warning',
		}));
	}

	private filtersOf(item: number, options?: { rawExpressions: true }): JsonRecord {
		return membersOf(this.context.getNodeParameter('filters', item, {}, options));
	}
}

function contentOf(given: unknown): unknown {
	return isRecord(given) && '__rl' in given ? given.value : given;
}
