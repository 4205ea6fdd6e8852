import type { IExecuteFunctions } from 'n8n-workflow';

import { shownValue } from '../../domain/answer/shownValue';
import { InputError } from '../../domain/inputError';
import { isRecord } from '../../domain/json';
import { isBlank } from '../../domain/plainText';
import { rowNumbers, rowsText } from '../../domain/rowNumbers';
import { labelOf } from '../../fields/field';
import { FILTER_FIELDS } from '../../fields/filters';
import { expressionOf, membersOf } from '../../fields/parameterValue';
import type { Hint } from '../hints';

/**
 * The filters whose expression gave nothing for an item. They are not applied, so the user has to be told: the result
 * would look as if the filter had let everything through.
 */
export class UnfilledFilters {
	private readonly items = new Map<string, number[]>();

	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * Looks at the filters of an item.
	 * @throws InputError where an expression gives undefined: a field that the item does not have is a mistake
	 */
	check(item: number): void {
		const { context } = this;
		const raw = membersOf(context.getNodeParameter('filters', item, {}, { rawExpressions: true }));
		const filters = membersOf(context.getNodeParameter('filters', item, {}));
		for (const [name, given] of Object.entries(raw)) {
			const expression = expressionOf(contentOf(given));
			if (expression === undefined) continue;
			const value = contentOf(filters[name]);
			if (value === undefined) {
				throw new InputError(
					`${labelOf(FILTER_FIELDS, name)}: the expression ${shownValue(expression)} gives nothing for this item. Correct it, or remove the filter; null and an empty text mean any.`,
				);
			}
			if (isBlank(value) || (Array.isArray(value) && value.length === 0)) {
				this.items.set(name, [...(this.items.get(name) ?? []), item]);
			}
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
