import type { IExecuteFunctions } from 'n8n-workflow';

import type { Row } from '../../domain/create/rowAnswers';
import { recordsOf } from '../../domain/json';
import { nearestName } from '../../domain/nearestName';
import { saysNothing, withoutByteOrderMark } from '../../domain/plainText';
import type { Problem } from '../../domain/problem';
import { isAddedByN8n } from '../../domain/rowKeys';
import { listText, shownValue } from '../../domain/shownText';
import { fieldLabel } from '../../fields/field';
import { expressionOf, expressionsIn, membersOf } from '../../fields/parameterValue';
import type { Hint } from '../hints';
import { ADDITIONAL_FIELDS } from './createFields';

// What the node's parameters say before n8n works their expressions out.

/** Fields beside the answers. Their expressions may take a column of the sheet, such as that of Unique Key. */
const BESIDE_ANSWERS = ['options', 'additionalFields', 'task', 'templateId'];
/** The ways in which an expression takes something from its own row. */
const OF_ITEM = /\$(?:json|input|binary)\b/;
/** The same, or from the row of a node before. */
const OF_ROW = /\$(?:json|input|binary|node|item)\b|\$\(/;
const OF_ERROR = /\berror\b/;
/** A column in an expression: `$json.Order`, `$json["Order No"]`, `$('Sheet').item.json['Order No']`. */
const COLUMN =
	/\bjson\s{0,9}(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s{0,9}(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s{0,9}\])/gu;
/** A column's name with a line break in it, as n8n (2.41) writes it where such a column is dragged into a field. */
const BROKEN_NAME = /\[\s*(["'])([^"'\]]*[\r\n][^"'\]]*)\1\s*\]/;
const SHOWN_NAMES = 12;
/** Rows whose columns are named. An Excel file leaves the empty cells of a row out, so the first row is not enough. */
const LOOKED_AT = 100;

export function rawParameter(context: IExecuteFunctions, name: string): unknown {
	return context.getNodeParameter(name, 0, {}, { rawExpressions: true });
}

interface FieldExpression {
	label: string;
	expression: string;
	valueIn(row: Row): unknown;
}

export interface Mapping {
	isAutomatic: boolean;
	/** The names of the mapper's columns, by their ids, as the workflow has saved them. */
	labels: ReadonlyMap<string, string>;
	/** Those of the questions that are mapped by hand. */
	expressions: readonly FieldExpression[];
}

export function mappingOf(context: IExecuteFunctions): Mapping {
	const mapper = membersOf(rawParameter(context, 'responses'));
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const labels = new Map(
		recordsOf(mapper.schema).map(({ id, displayName }) => [String(id), String(displayName)]),
	);
	const expressions = namedExpressions(isAutomatic ? {} : mapper.value).map(([id, expression]) => ({
		label: labels.get(id) ?? id,
		expression,
		valueIn: ({ values }: Row) => values[id],
	}));
	return { isAutomatic, labels, expressions };
}

/** Whether any expression reads the item. Where none does, a schedule creates the same inspection each day. */
export function readsItem(context: IExecuteFunctions): boolean {
	return expressionsOf(context, ['responses', ...BESIDE_ANSWERS]).some((one) => OF_ITEM.test(one));
}

/** Whether a row may carry the error of a node before: an expression takes it, or none takes anything of the row. */
export function allowsErrors(context: IExecuteFunctions): boolean {
	const all = expressionsOf(context, ['responses', 'additionalFields', 'task']);
	const ofRows = all.filter((one) => OF_ROW.test(one));
	return ofRows.length === 0 || ofRows.some((one) => OF_ERROR.test(one));
}

/** Tells the columns that expressions beside the answers take: no message calls one of them "not sent". */
export function usedColumns(context: IExecuteFunctions): (key: string) => boolean {
	const used = new Set(expressionsOf(context, BESIDE_ANSWERS).flatMap(columnsIn));
	return (key) => used.has(key);
}

/** The problem of a run in which no row gives a value for any question that is mapped by hand. */
export function mappedInVain(
	context: IExecuteFunctions,
	{ expressions }: Mapping,
	places: readonly number[],
): Problem | undefined {
	if (expressions.length === 0 || places.length === 0) return undefined;
	if (places.some((place) => givesValue(context, place))) return undefined;
	const input = context.getInputData();
	const keys = places.slice(0, LOOKED_AT).flatMap((place) => Object.keys(input[place]?.json ?? {}));
	const columns = [...new Set(keys)].filter((key) => !isAddedByN8n(key));
	const meant = (expression: string) => {
		const gone = columnsIn(expression).find((column) => !columns.includes(column));
		const near = gone === undefined ? undefined : nearestName(gone, columns);
		return near === undefined ? '' : `, did you mean "${near}"?`;
	};
	const shown = columns.slice(0, SHOWN_NAMES).map((column) => `"${column}"`);
	const have = shown.length === 0 ? 'no columns' : `the columns ${listText(shown, columns.length)}`;
	const wrong = `No row gives a value for a question that is mapped: ${listed(expressions, meant)}. The rows have ${have}; map the questions to these, or choose "Map Automatically"`;
	return { wrong, kind: 'mapped in vain' };
}

/** True also where an expression cannot be worked out: the error about it comes when the row is read. */
function givesValue(context: IExecuteFunctions, place: number): boolean {
	try {
		const { value } = membersOf(context.getNodeParameter('responses', place, {}));
		return Object.values(membersOf(value)).some((given) => !saysNothing(given));
	} catch {
		return true;
	}
}

/** The questions whose expression n8n cannot work out for an item: it says no more of them than "invalid syntax". */
export function brokenExpressions(
	context: IExecuteFunctions,
	{ expressions }: Mapping,
	item: number,
): Problem[] {
	return expressions.flatMap(({ label, expression }): Problem[] => {
		try {
			context.evaluateExpression(expression, item);
			return [];
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			return [{ subject: `"${label}"`, wrong: whyBroken(expression, reason) }];
		}
	});
}

function whyBroken(expression: string, reason: string): string {
	const [, , name] = BROKEN_NAME.exec(expression) ?? [];
	if (name === undefined) {
		return `its expression ${shownValue(expression)} cannot be worked out (${reason}); correct it`;
	}
	const column = shownValue(name.replace(/\s+/g, ' '));
	return `the header of the column ${column} has a line break, and n8n cannot read such a name in an expression; write the header in one line and drag the column again, or choose "Map Automatically"`;
}

/** Looks for expressions that take a column and give undefined for every row: the sheet has no such column. */
export class UnfilledExpressions {
	private unfilled: FieldExpression[];
	private rowsLeft: number;

	constructor(context: IExecuteFunctions, { expressions }: Mapping, rowCount: number) {
		const ofFields = namedExpressions(rawParameter(context, 'additionalFields')).map(
			([name, expression]) => ({
				label: fieldLabel(ADDITIONAL_FIELDS, name),
				expression,
				valueIn: (row: Row) => row.additionalFields[name],
			}),
		);
		const all = rowCount === 0 ? [] : [...expressions, ...ofFields];
		this.unfilled = all.filter(({ expression }) => OF_ROW.test(expression));
		this.rowsLeft = rowCount;
	}

	add(rows: readonly Row[]): void {
		this.rowsLeft -= rows.length;
		this.unfilled = this.unfilled.filter(({ valueIn }) =>
			rows.every((row) => valueIn(row) === undefined),
		);
	}

	/** None where a row was not looked at, because that row may have had the values. */
	hints(): Hint[] {
		if (this.rowsLeft > 0 || this.unfilled.length === 0) return [];
		const message = `No row gave a value for ${listed(this.unfilled)}: not sent. Check that the rows have the columns that these expressions name.`;
		return [{ message, type: 'warning' }];
	}
}

function listed(
	all: readonly FieldExpression[],
	more: (expression: string) => string = () => '',
): string {
	const shown = all.slice(0, SHOWN_NAMES).map(({ label, expression }) => {
		return `"${label}" (${expression}${more(expression)})`;
	});
	return listText(shown, all.length);
}

function namedExpressions(collection: unknown): [name: string, expression: string][] {
	return Object.entries(membersOf(collection)).flatMap(([name, given]) => {
		const expression = expressionOf(given);
		return expression === undefined ? [] : [[name, expression]];
	});
}

function expressionsOf(context: IExecuteFunctions, fields: readonly string[]): string[] {
	return fields.flatMap((field) => expressionsIn(rawParameter(context, field)));
}

/** The columns that an expression takes. One that is named in another way, `$json[$vars.column]`, is not known. */
function columnsIn(expression: string): string[] {
	const names = [...expression.matchAll(COLUMN)].map(([, ...found]) => found.find((name) => name));
	return names.map((name = '') => withoutByteOrderMark(name));
}
