import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../../domain/json';
import { isBlank } from '../../domain/plainText';
import { rowNumbers, rowsText } from '../../domain/rowNumbers';
import { fieldLabel } from '../../fields/field';
import { FILTER_FIELDS } from '../../fields/filters';
import { expressionOf, membersOf } from '../../fields/parameterValue';
import type { Hint } from '../hints';

/** The filters whose expression gave nothing for an item, and which are not applied: the user has to be told. */
export function unfilledFilters(context: IExecuteFunctions) {
	const items = new Map<string, number[]>();
	return {
		note(item: number): void {
			const filters = (options?: { rawExpressions: true }) =>
				membersOf(context.getNodeParameter('filters', item, {}, options));
			const values = filters();
			for (const [name, raw] of Object.entries(filters({ rawExpressions: true }))) {
				if (expressionOf(contentOf(raw)) === undefined) continue;
				const value = contentOf(values[name]);
				const isEmpty = isBlank(value) || (Array.isArray(value) && value.length === 0);
				if (isEmpty) items.set(name, [...(items.get(name) ?? []), item]);
			}
		},
		hints(): Hint[] {
			const numbers = rowNumbers(context.getInputData().map(({ json }) => json));
			return [...items].map(([name, some]) => ({
				message: `The filter "${fieldLabel(FILTER_FIELDS, name)}" was not applied to ${rowsText(some.map((item) => numbers.of(item)))}: its expression gives nothing there.`,
				type: 'warning',
			}));
		},
	};
}

function contentOf(given: unknown): unknown {
	return isRecord(given) && '__rl' in given ? given.value : given;
}
