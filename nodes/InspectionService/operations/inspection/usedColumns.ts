import type { IExecuteFunctions } from 'n8n-workflow';

import { isGroupColumn } from '../../domain/create/groupRows';
import { withoutByteOrderMark } from '../../domain/plainText';
import { expressionsIn } from '../../fields/parameterValue';

/** Fields beside the answers whose expressions may take a column of the sheet, such as Unique Key. */
const FIELDS = ['options', 'additionalFields', 'task', 'templateId'];
/** A column in an expression: `$json.Order`, `$json["Order No"]`, `$('Sheet').item.json['Order No']`. */
const COLUMN =
	/\bjson\s{0,9}(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s{0,9}(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s{0,9}\])/gu;

/**
 * Tells the columns that are used though they may be no questions: that of Group Rows By, and those of expressions. No
 * message calls one of them "not sent".
 */
export function usedColumns(
	context: IExecuteFunctions,
	groupColumn: string | undefined,
): (key: string) => boolean {
	const read = columnsRead(context);
	return (key) => read.has(key) || (groupColumn !== undefined && isGroupColumn(key, groupColumn));
}

/**
 * The columns that expressions beside the answers take. One that is named in another way, such as
 * `$json[$vars.column]`, is not known.
 */
function columnsRead(context: IExecuteFunctions): ReadonlySet<string> {
	const expressions = FIELDS.flatMap((field) =>
		expressionsIn(context.getNodeParameter(field, 0, {}, { rawExpressions: true })),
	);
	const columns = expressions.flatMap((expression) =>
		[...expression.matchAll(COLUMN)].map(([, ...names]) => names.find((name) => name) ?? ''),
	);
	return new Set(columns.map(withoutByteOrderMark));
}
