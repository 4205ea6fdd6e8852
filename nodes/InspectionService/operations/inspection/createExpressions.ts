import type { IExecuteFunctions } from 'n8n-workflow';

import type { SheetRow } from '../../domain/create/groupRows';
import { itemError } from '../../domain/create/unusedColumns';
import { withoutByteOrderMark } from '../../domain/plainText';
import { expressionsIn } from '../../fields/parameterValue';

/** Fields whose expressions say what becomes of a row. */
const ROW_FIELDS = ['responses', 'additionalFields', 'task'];
/** Fields beside the answers. Their expressions may take a column of the sheet, such as that of Unique Key. */
const FIELDS_BESIDE_ANSWERS = ['options', 'additionalFields', 'task', 'templateId'];
/** The ways in which an expression takes something from its own row. */
const OF_ITEM = /\$(?:json|input|binary)\b/;
/** The same, or from the row of a node before. */
export const OF_ROW = /\$(?:json|input|binary|node|item)\b|\$\(/;
const OF_ERROR = /\berror\b/;

/** What the expressions of the node say of the rows where each column is mapped by hand. */
export interface MappedByHand {
	/** False where every row gives the same: a schedule that creates one inspection each day has an item without cells. */
	readsItem: boolean;
	/** A sentence without its full stop on the error that a row carries from the node before; undefined for none. */
	errorOf(row: SheetRow): string | undefined;
}

export function mappedByHand(context: IExecuteFunctions): MappedByHand {
	const ofRows = expressionsOf(context, ROW_FIELDS).filter((text) => OF_ROW.test(text));
	const takesError = ofRows.some((expression) => OF_ERROR.test(expression));
	const all = expressionsOf(context, ['responses', ...FIELDS_BESIDE_ANSWERS]);
	return {
		readsItem: all.some((expression) => OF_ITEM.test(expression)),
		errorOf: (row) => (ofRows.length === 0 || takesError ? undefined : itemError(row)),
	};
}

function expressionsOf(context: IExecuteFunctions, fields: readonly string[]): string[] {
	return fields.flatMap((field) =>
		expressionsIn(context.getNodeParameter(field, 0, {}, { rawExpressions: true })),
	);
}

/** A column in an expression: `$json.Order`, `$json["Order No"]`, `$('Sheet').item.json['Order No']`. */
const COLUMN =
	/\bjson\s{0,9}(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s{0,9}(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s{0,9}\])/gu;

/**
 * Tells the columns that expressions beside the answers take: no message calls one of them "not sent". One that is named
 * in another way, such as `$json[$vars.column]`, is not known.
 */
export function usedColumns(context: IExecuteFunctions): (key: string) => boolean {
	const used = new Set(expressionsOf(context, FIELDS_BESIDE_ANSWERS).flatMap(columnsIn));
	return (key) => used.has(key);
}

/** The columns that an expression takes. */
export function columnsIn(expression: string): string[] {
	const names = [...expression.matchAll(COLUMN)].map(([, ...found]) => found.find((name) => name));
	return names.map((name = '') => withoutByteOrderMark(name));
}
