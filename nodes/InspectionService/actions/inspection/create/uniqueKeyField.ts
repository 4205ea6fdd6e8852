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
 * Returns the unique key of an item whose field evaluates to `given`. Writes `undefined` for a part without a value, as
 * JavaScript does in text. n8n omits such parts, and the remaining `Gate-` in each later row would match an inspection
 * that already exists. Throws InputError for fixed text that is the name of a column.
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

/** Rejects a column's name as the key: each run after the first would find its inspection and create none. */
function fixedKey(given: unknown, row: SheetRow): unknown {
	const key = foldName(String(given));
	const column = Object.keys(row).find((name) => foldName(name) === key);
	if (column === undefined && !key.includes('{{')) return given;
	const message = `is the same for every row; switch the field to Expression and use a column, such as {{ $json[${JSON.stringify(column ?? 'Order No')}] }}`;
	throw InputError.of({ subject: 'Unique Key', value: shownValue(given), message });
}
