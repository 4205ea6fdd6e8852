import type { IExecuteFunctions } from 'n8n-workflow';

import { isEmptyRow, type SheetRow } from '../../domain/create/groupRows';
import { itemError } from '../../domain/create/unusedColumns';
import { isRecord } from '../../domain/json';
import { isBlank } from '../../domain/plainText';
import { expressionsIn } from '../../fields/parameterValue';

/** Fields whose expressions say what becomes of a row. */
const FIELDS = ['responses', 'additionalFields', 'task'];
/** The ways in which an expression takes something from its own row, or from the row of a node before. */
const OF_ROW = /\$(?:json|input|binary|node|item)\b|\$\(/;
/** Those of them that may give a value although the row itself is empty. */
const OF_OTHERS = /\$(?:binary|node|item)\b|\$\(|\$input\s*\.\s*(?:all|first|last)\b/;
const OF_ERROR = /\berror\b/;

/** What the rows give where each column is mapped by hand. */
export interface MappedByHand {
	/**
	 * Whether no expression gives anything for a row, such as for an empty line of a sheet. False where no expression takes
	 * anything from the rows: a schedule that creates the same inspection each day has an item without answers, too.
	 */
	isBlank(row: SheetRow, item: number): boolean;
	/** A sentence without its full stop on the error that a row carries from the node before; undefined for none. */
	errorOf(row: SheetRow): string | undefined;
}

export function mappedByHand(context: IExecuteFunctions): MappedByHand {
	const raw = FIELDS.map((field): unknown =>
		context.getNodeParameter(field, 0, {}, { rawExpressions: true }),
	);
	const expressions = expressionsIn(raw).filter((expression) => OF_ROW.test(expression));
	const takesError = expressions.some((expression) => OF_ERROR.test(expression));
	const errorOf = (row: SheetRow) =>
		expressions.length === 0 || takesError ? undefined : itemError(row);
	return {
		errorOf,
		isBlank(row, item) {
			if (expressions.length === 0 || errorOf(row) !== undefined) return false;
			const isEmpty = isEmptyRow(row);
			return expressions.every((expression) => {
				// Text around it, as in `Walk {{ $json.Area }}`, is there for an empty row, too.
				if (isEmpty && !OF_OTHERS.test(expression)) return true;
				return givesNothing(context, expression, item);
			});
		},
	};
}

/** False also where the expression cannot be worked out: the error about it comes when the row is read. */
function givesNothing(context: IExecuteFunctions, expression: string, item: number): boolean {
	try {
		return isNothing(context.evaluateExpression(expression, item));
	} catch {
		return false;
	}
}

/** True for an empty value, and for a list of empty values or of instances without any. */
function isNothing(value: unknown): boolean {
	if (!Array.isArray(value)) return isBlank(value);
	return value.every(
		(element) => isBlank(element) || (isRecord(element) && Object.values(element).every(isBlank)),
	);
}
