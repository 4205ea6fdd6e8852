import type { IExecuteFunctions } from 'n8n-workflow';

import type { SheetRow } from '../../../domain/create/sheetRow';
import { shownValue } from '../../../domain/formatting';
import { InputError } from '../../../domain/inputError';
import { foldName, isBlank } from '../../../domain/normalizeText';
import { expressionOf, rawParameter } from '../../../fields/parameterValue';

/** Matches an expression within text, such as the end of `Gate-{{ $json.Day }}`. */
const PART = /\{\{.*?\}\}/gs;

export function keyExpression(context: IExecuteFunctions): string | undefined {
	return expressionOf(rawParameter(context, 'uniqueKey'));
}

export function hasUniqueKey(context: IExecuteFunctions): boolean {
	return isSet(context, 'uniqueKey');
}

/** Whether a parameter contains text or an expression. The expression can still evaluate to nothing for a row. */
export function isSet(context: IExecuteFunctions, name: string): boolean {
	const raw: unknown = context.getNodeParameter(name, 0, '', { rawExpressions: true });
	return !isBlank(expressionOf(raw) ?? raw);
}

/**
 * Returns an item's unique key. `given` is the field's value as n8n evaluates it. If a part of the expression has no
 * value, the key contains `undefined`, and is rejected later. n8n would omit the part, so that all such rows have the
 * same key, such as `Gate-`. Throws InputError for fixed text that is the name of a column.
 */
export function givenKey(context: IExecuteFunctions, item: number, given: unknown): unknown {
	if (isBlank(given)) return given;
	const expression = keyExpression(context);
	if (expression === undefined) return fixedKey(given, context.getInputData()[item]?.json ?? {});
	// The field is a single expression, and `given` isn't blank, so no part is missing.
	if (expression.match(PART)?.[0] === expression) return given;
	let hasGap = false;
	const text = expression.replace(PART, (part) => {
		const value: unknown = context.evaluateExpression(part, item);
		const isGap = value === undefined || value === null;
		hasGap ||= isGap;
		return isGap ? ' undefined ' : String(value);
	});
	return hasGap ? text : given;
}

/**
 * Rejects fixed text that is a column's name. All rows would have the same key, so every run after the first would
 * create nothing.
 */
function fixedKey(given: unknown, row: SheetRow): unknown {
	const key = foldName(String(given));
	const column = Object.keys(row).find((name) => foldName(name) === key);
	if (column === undefined && !key.includes('{{')) return given;
	const message = `is the same for every row; switch the field to "Expression" and use a column, such as {{ $json[${JSON.stringify(column ?? 'Order No')}] }}`;
	throw InputError.of({ subject: 'Unique Key', value: shownValue(given), message });
}
