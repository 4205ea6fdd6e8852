import type { IExecuteFunctions } from 'n8n-workflow';

import type { Row } from '../../domain/create/draft';
import { isEmptyRow, isGroupColumn, type SheetRow } from '../../domain/create/groupRows';
import { itemError } from '../../domain/create/unusedColumns';
import { isRecord, type JsonRecord } from '../../domain/json';
import { isBlank, withoutByteOrderMark } from '../../domain/plainText';
import { listText } from '../../domain/shownText';
import { memberLabel } from '../../fields/collection';
import { expressionOf, expressionsIn, membersOf } from '../../fields/parameterValue';
import type { Hint } from '../hints';
import { additionalFields } from './createFields';
import { columnLabels } from './mapperExpressions';

/** Fields whose expressions say what becomes of a row. */
const ROW_FIELDS = ['responses', 'additionalFields', 'task'];
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
	const raw = ROW_FIELDS.map((field): unknown =>
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

/** Fields beside the answers whose expressions may take a column of the sheet, such as Unique Key. */
const FIELDS_BESIDE_ANSWERS = ['options', 'additionalFields', 'task', 'templateId'];
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
	const expressions = FIELDS_BESIDE_ANSWERS.flatMap((field) =>
		expressionsIn(context.getNodeParameter(field, 0, {}, { rawExpressions: true })),
	);
	const columns = expressions.flatMap((expression) =>
		[...expression.matchAll(COLUMN)].map(([, ...names]) => names.find((name) => name) ?? ''),
	);
	return new Set(columns.map(withoutByteOrderMark));
}

/** Fields that a hint names: some lines of the output panel. */
const SHOWN_FIELDS = 12;

/** The values of an item's fields, by the fields' names. */
type GivenFields = Readonly<Record<string, unknown>>;

/** A field that is filled by an expression, such as `{{ $json.Workers }}`. */
interface FilledField {
	label: string;
	expression: string;
}

/**
 * The answers and Additional Fields whose expression gave undefined for every row. Most likely such an expression names a
 * column that has another name in the sheet, and the user would not notice that nothing is sent. A single row without a
 * value is no mistake, because n8n leaves the empty cells of a sheet out.
 */
export class UnfilledExpressions {
	private readonly answers: Map<string, FilledField>;
	private readonly details: Map<string, FilledField>;
	private unseenItems: number;

	/** `items` is the number of items that are to be looked at. */
	constructor(context: IExecuteFunctions, items: number) {
		const rawOf = (name: string) =>
			membersOf(context.getNodeParameter(name, 0, {}, { rawExpressions: true }));
		const mapper = rawOf('responses');
		const questions = columnLabels(mapper);
		this.unseenItems = items;
		this.answers = filledFields(membersOf(mapper.value), (id) => questions.get(id) ?? id);
		this.details = filledFields(rawOf('additionalFields'), (name) =>
			memberLabel(additionalFields(), name),
		);
	}

	/** Looks at the values of one row. */
	addRow({ mapped, values, additionalFields: details }: Row): void {
		this.unseenItems -= 1;
		if (mapped !== undefined) forgetFilled(this.answers, values);
		forgetFilled(this.details, details);
	}

	/** One hint, or none. There is none where some item was not looked at, because that item may have had the values. */
	hints(): Hint[] {
		const fields = [...this.answers.values(), ...this.details.values()];
		if (fields.length === 0 || this.unseenItems > 0) return [];
		const shown = fields
			.slice(0, SHOWN_FIELDS)
			.map(({ label, expression }) => `"${label}" (${expression})`);
		const message = `No row gave a value for ${listText(shown, fields.length)}: not sent. Check that the rows have the columns that these expressions name.`;
		return [{ message, type: 'warning' }];
	}
}

function filledFields(
	raw: JsonRecord,
	labelOf: (name: string) => string,
): Map<string, FilledField> {
	return new Map(
		Object.entries(raw).flatMap(([name, given]) => {
			const expression = expressionOf(given);
			return expression === undefined
				? []
				: [[name, { label: labelOf(name), expression }] as const];
		}),
	);
}

function forgetFilled(fields: Map<string, FilledField>, values: GivenFields): void {
	for (const name of fields.keys()) {
		if (values[name] !== undefined) fields.delete(name);
	}
}
