import type { IExecuteFunctions } from 'n8n-workflow';

import type { SheetRow } from '../../domain/create/sheetRow';
import { InputError } from '../../domain/inputError';
import { foldName, isBlank } from '../../domain/plainText';
import { shownValue } from '../../domain/shownText';
import { expressionOf, rawParameter } from '../../fields/parameterValue';

/** What n8n works out in a text, such as the end of `Gate-{{ $json.Day }}`. */
const PART = /\{\{.*?\}\}/gs;

export function keyExpression(context: IExecuteFunctions): string | undefined {
	return expressionOf(rawParameter(context, 'uniqueKey'));
}

export function hasUniqueKey(context: IExecuteFunctions): boolean {
	return isSet(context, 'uniqueKey');
}

/** Whether a parameter has a text or an expression. The expression can still evaluate to nothing for a row. */
export function isSet(context: IExecuteFunctions, name: string): boolean {
	const raw: unknown = context.getNodeParameter(name, 0, '', { rawExpressions: true });
	return !isBlank(expressionOf(raw) ?? raw);
}

/**
 * The unique key of an item, for which the field gives `given`. A part without a value is written `undefined`, as JavaScript
 * writes it between texts: n8n leaves it out, and the `Gate-` of each later row would be the key of an inspection that exists
 * already. Throws InputError for a fixed text that is the name of a column.
 */
export function givenKey(context: IExecuteFunctions, item: number, given: unknown): unknown {
	if (isBlank(given)) return given;
	const expression = keyExpression(context);
	if (expression === undefined) return fixedKey(given, context.getInputData()[item]?.json ?? {});
	// One part alone is the key itself, and that has a value.
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

/** With a column's name as the key, each run after the first would find its inspection, and create none. */
function fixedKey(given: unknown, row: SheetRow): unknown {
	const key = foldName(String(given));
	const column = Object.keys(row).find((name) => foldName(name) === key);
	if (column === undefined && !key.includes('{{')) return given;
	const wrong = `is the same for every row; switch the field to Expression and write what differs, such as {{ $json[${JSON.stringify(column ?? 'Order No')}] }}`;
	throw InputError.of({ subject: 'Unique Key', value: shownValue(given), wrong });
}
