import type { IExecuteFunctions } from 'n8n-workflow';

import { whyNoIdentity } from '../../../domain/create/identity';
import type { SheetRow } from '../../../domain/create/sheetRow';
import { repaired } from '../../../domain/encoding';
import { shownValue } from '../../../domain/formatting';
import { InputError } from '../../../domain/inputError';
import { foldName, isBlank } from '../../../domain/normalizeText';
import type { ValueProblem } from '../../../domain/problem';
import type { Parameters } from './parameters';

/**
 * Returns an item's unique key. Throws InputError if a part of its expression, or a column that the part needs, doesn't
 * identify the inspection. n8n would omit an empty part, so that all such rows have the same key, such as `Gate-`. Also
 * throws InputError for fixed text that is the name of a column.
 */
export function givenKey(
	context: IExecuteFunctions,
	{ uniqueKey, uniqueKeyParts }: Parameters,
	item: number,
	cells: SheetRow = {},
): unknown {
	const given = repaired(context.getNodeParameter('uniqueKey', item, ''));
	if (isBlank(given)) return given;
	if (uniqueKey === undefined) return fixedKey(given, context.getInputData()[item]?.json ?? {});
	for (const part of uniqueKeyParts) {
		for (const column of part.neededColumns) {
			const cell = cells[column];
			if (isBlank(cell)) throw emptyPart(`the column "${column}"`);
			refuseKey(whyNoIdentity(cell, column));
		}
		// If the part is the whole expression, its value is the key, which isn't blank.
		if (part.text === uniqueKey.text) continue;
		const value: unknown = repaired(context.evaluateExpression(part.text, item));
		const isMissing = value === undefined || value === null;
		if (isMissing || (isBlank(value) && !part.decides)) throw emptyPart(part.text);
		if (!isBlank(value) && part.columns.length > 0) refuseKey(whyNoIdentity(value));
	}
	return given;
}

function emptyPart(of: string): InputError {
	const message = `${of} has no value, so different inspections can have the same key; check the column's name, and fill in the cell`;
	return InputError.of({ subject: 'Unique Key', message, kind: 'no identity' });
}

function refuseKey(why: ValueProblem | undefined): void {
	if (why !== undefined) throw InputError.of({ subject: 'Unique Key', ...why });
}

/**
 * Rejects fixed text that is a column's name. All rows would have the same key, so every run after the first would
 * create nothing.
 */
function fixedKey(given: unknown, row: SheetRow): unknown {
	const key = foldName(String(given));
	const column = Object.keys(row).find((name) => foldName(name) === key);
	if (column === undefined && !key.includes('{{')) return given;
	const message = `is the same for every row; switch the field to 'Expression' and use a column, such as {{ $json[${JSON.stringify(column ?? 'Order No')}] }}`;
	throw InputError.of({ subject: 'Unique Key', value: shownValue(given), message });
}
