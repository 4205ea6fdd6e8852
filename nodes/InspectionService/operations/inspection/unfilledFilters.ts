import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../domain/inputError';
import { isRecord } from '../../domain/json';
import { isBlank } from '../../domain/plainText';
import { rowNumbers, rowsText } from '../../domain/rowNumbers';
import { shownValue } from '../../domain/shownText';
import { fieldLabel } from '../../fields/field';
import { FILTER_FIELDS } from '../../fields/filters';
import { expressionOf, membersOf } from '../../fields/parameterValue';
import type { Hint } from '../hints';

/** The filters whose expression gave nothing for an item, and which are not applied: the user has to be told. */
export function unfilledFilters(context: IExecuteFunctions) {
	const items = new Map<string, number[]>();
	return {
		/** Throws InputError where an expression gives undefined: a field that the item does not have is a mistake. */
		check(item: number): void {
			const filters = (options?: { rawExpressions: true }) =>
				membersOf(context.getNodeParameter('filters', item, {}, options));
			const values = filters();
			for (const [name, raw] of Object.entries(filters({ rawExpressions: true }))) {
				const expression = expressionOf(contentOf(raw));
				if (expression === undefined) continue;
				const value = contentOf(values[name]);
				if (value === undefined) {
					throw new InputError(
						`${fieldLabel(FILTER_FIELDS, name)}: the expression ${shownValue(expression)} gives nothing for this item. Correct it, or remove the filter; null and an empty text mean any.`,
					);
				}
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
