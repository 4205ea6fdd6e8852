import type { IExecuteFunctions } from 'n8n-workflow';

import type { SheetRow } from '../../../domain/create/sheetRow';
import { columnsOf, titleFix } from '../../../domain/create/unusedColumns';
import { repairedText } from '../../../domain/encoding';
import { listText, shownValue } from '../../../domain/formatting';
import { InputError } from '../../../domain/inputError';
import { type JsonRecord, recordsOf } from '../../../domain/json';
import { nearestName } from '../../../domain/nearestName';
import { hasNoValue, isBlank, withoutByteOrderMark } from '../../../domain/normalizeText';
import type { Problem } from '../../../domain/problem';
import { fieldLabel, parametersOf } from '../../../fields/field';
import { TEMPLATE } from '../../../fields/locators';
import {
	expressionOf,
	expressionsIn,
	locatorValue,
	membersOf,
	rawParameter,
} from '../../../fields/parameterValue';
import { ADDITIONAL_FIELDS, NAME, TASK } from './description';

// Analyzes the node's parameters before n8n evaluates their expressions.

/** Matches expressions that read the current row. */
const OF_ITEM = /\$(?:json|input|binary)\b/;
/** Matches expressions that read the current row or a row of a previous node. */
const OF_ROW = /\$(?:json|input|binary|node|item)\b|\$\(/;
const OF_ERROR = /\berror\b/;
/** Matches a column in an expression: `$json.Order`, `$json["Order No"]`, `$('Sheet').item.json['Order No']`. */
const COLUMN =
	/\bjson\s{0,9}(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s{0,9}(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s{0,9}\])/gu;
/** Matches columns of the current row. Method calls such as `$json.keys()` aren't columns. */
const OWN_COLUMN = new RegExp(`\\$${COLUMN.source}(?![\\p{L}\\p{N}_$]|\\s*\\()`, 'gu');
/** Matches expressions that provide a fallback for a missing column. */
const HAS_FALLBACK = /\?|\|\||\bif\b|isEmpty/;
/** Matches a column name with a line break, as n8n (2.41) writes it when such a column is dragged into a field. */
const BROKEN_NAME = /\[\s*(["'])([^"'\]\r\n]*[\r\n][^"'\]]*)\1\s*\]/;
/** Maximum number of expressions, or of column names, in a message. */
const SHOWN_EXPRESSIONS = 12;

/** An expression that provides a value of a row, with the name of its field in the editor. */
export interface FieldExpression {
	part: 'values' | 'additionalFields' | 'task';
	name: string;
	label: string;
	expression: string;
	/**
	 * Whether the expression reads a column that no row has. In the evaluated text, such a column is missing or becomes
	 * `undefined`.
	 */
	lacksColumn: boolean;
}

export interface ParameterExpressions {
	/** Names of the mapper's columns by ID, as saved in the workflow. Undefined with automatic mapping. */
	labels: ReadonlyMap<string, string> | undefined;
	/** Expressions of the questions that are mapped manually. */
	answers: readonly FieldExpression[];
	/** Whether the mapping is manual, and no question has a value or an expression. */
	isEmpty: boolean;
	/** The expressions in the answers, Name, Additional Fields, and Task that read the row. */
	ofRows: readonly FieldExpression[];
	/**
	 * Whether the node's parameters read the input item. If they don't, every run creates the same inspection, for
	 * example once a day.
	 */
	readsItem: boolean;
	/**
	 * Whether to reject rows that contain an error from a previous node. True if expressions read the row, but none
	 * reads its field `error`.
	 */
	refusesErrors: boolean;
	/**
	 * Columns that are read by expressions of other fields than the answers, such as Unique Key. Messages don't report
	 * these columns as ignored.
	 */
	usedColumns: ReadonlySet<string>;
}

export function mappingOf(
	context: IExecuteFunctions,
	rows: readonly SheetRow[],
): ParameterExpressions {
	const mapper = membersOf(rawParameter(context, 'responses'));
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const labels = new Map(
		recordsOf(mapper.schema).map(({ id, displayName }) => [String(id), String(displayName)]),
	);
	const expressionsOf = (...fields: string[]) =>
		fields.flatMap((field) => expressionsIn(rawParameter(context, field)));
	const sent = expressionsOf('responses', 'name', 'additionalFields', 'task');
	const others = expressionsOf('options', 'uniqueKey', 'templateId');
	const readingRows = sent.filter((one) => OF_ROW.test(one));
	const outsideAnswers = [...others, ...expressionsOf('name', 'additionalFields', 'task')];
	const questionLabel = (id: string) => labels.get(id) ?? id;
	const mapped = isAutomatic ? {} : mapper.value;
	const answers = fieldExpressions('values', mapped, questionLabel, rows);
	const name = { name: rawParameter(context, 'name') };
	const fields = [
		...fieldExpressions('additionalFields', name, () => fieldLabel({ name: NAME }, 'name'), rows),
		...(['additionalFields', 'task'] as const).flatMap((part) => {
			const labelOf = (member: string) => fieldLabel(FIELDS[part], member);
			return fieldExpressions(part, rawParameter(context, part), labelOf, rows);
		}),
	];
	return {
		labels: isAutomatic ? undefined : labels,
		answers,
		isEmpty: !isAutomatic && Object.values(membersOf(mapper.value)).every(isBlank),
		ofRows: [...answers, ...fields].filter(({ expression }) => OF_ROW.test(expression)),
		readsItem: isAutomatic || [...sent, ...others].some((one) => OF_ITEM.test(one)),
		refusesErrors:
			!isAutomatic && readingRows.length > 0 && !readingRows.some((one) => OF_ERROR.test(one)),
		usedColumns: new Set(outsideAnswers.flatMap((one) => columnsIn(one))),
	};
}

const FIELDS = { additionalFields: ADDITIONAL_FIELDS, task: TASK };

/** Returns the expressions of a collection, including those nested in its members, such as Custom Fields. */
function fieldExpressions(
	part: FieldExpression['part'],
	given: unknown,
	labelOf: (name: string) => string,
	rows: readonly SheetRow[],
): FieldExpression[] {
	return Object.entries(membersOf(given)).flatMap(([name, member]) =>
		expressionsIn(member).map((expression): FieldExpression => {
			const about = { part, name, label: labelOf(name), expression };
			return { ...about, lacksColumn: lacksColumn(expression, rows) };
		}),
	);
}

function lacksColumn(expression: string, rows: readonly SheetRow[]): boolean {
	const hasColumn = (column: string) =>
		rows.some((row) => [column, `\ufeff${column}`].some((key) => Object.hasOwn(row, key)));
	return (
		!HAS_FALLBACK.test(expression) &&
		columnsIn(expression, OWN_COLUMN).some((column) => !hasColumn(column))
	);
}

/** Returns the expression in the parameter Template. Undefined if Template has a fixed value. */
export function templateExpression(context: IExecuteFunctions): string | undefined {
	return expressionOf(locatorValue(rawParameter(context, 'templateId')));
}

/** Reads each item's value of the parameter Template. A fixed value is read only once. */
export class TemplateReferences {
	private readonly context: IExecuteFunctions;
	private readonly isExpression: boolean;
	private ofAll: string | undefined;

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.isExpression = templateExpression(context) !== undefined;
	}

	/** Returns the ID or identifier of an item's template. Throws InputError if the value can't be either. */
	of(item: number): string {
		return this.isExpression ? this.read(item) : (this.ofAll ??= this.read(item));
	}

	private read(item: number): string {
		return parametersOf(this.context, item, { templateId: TEMPLATE }).templateId;
	}
}

/**
 * Returns the values of the mapper's columns. Reads the whole parameter `responses`, because n8n (2.41) checks the
 * values of `responses.value` by the type of their column, and rejects an array of choices. If n8n can't evaluate an
 * expression, throws an InputError that names the question. n8n's own error only reports "invalid syntax".
 */
export function mappedValues(
	context: IExecuteFunctions,
	{ answers }: ParameterExpressions,
	item: number,
): JsonRecord {
	let cause: unknown;
	try {
		return membersOf(membersOf(context.getNodeParameter('responses', item, {})).value);
	} catch (error) {
		cause = error;
	}
	const problems: Problem[] = [];
	for (const { label, expression } of answers) {
		try {
			context.evaluateExpression(expression, item);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			problems.push({ subject: `"${label}"`, message: whyBroken(expression, reason) });
		}
	}
	throw problems.length === 0 ? cause : InputError.ofRow(problems);
}

function whyBroken(expression: string, reason: string): string {
	const [, , name] = BROKEN_NAME.exec(expression) ?? [];
	if (name === undefined) {
		return `its expression ${shownValue(expression)} can't be evaluated (${reason}); fix it`;
	}
	const column = shownValue(name.replace(/\s+/g, ' '));
	return `the header of the column ${column} has a line break, and n8n can't read such a name in an expression; write the header on one line and drag the column again, or choose "Map Automatically"`;
}

/** Returns a problem if no row has a value for any manually mapped question. */
export function unfilledMappingProblem(
	context: IExecuteFunctions,
	{ answers }: ParameterExpressions,
	items: readonly number[],
): Problem | undefined {
	if (answers.length === 0 || items.length === 0) return undefined;
	const hasValue = items.some((item) => {
		try {
			const { value } = membersOf(context.getNodeParameter('responses', item, {}));
			return Object.values(membersOf(value)).some((given) => !hasNoValue(given));
		} catch {
			// Count a failed expression as a value here. Its error is reported when the row is read.
			return true;
		}
	});
	if (hasValue) return undefined;
	const input = context.getInputData();
	const columns = columnsOf(items.map((item) => input[item]?.json ?? {}));
	const suggestion = (expression: string) => {
		const missing = columnsIn(expression).find((column) => !columns.includes(column));
		const near = missing === undefined ? undefined : nearestName(missing, columns);
		return near === undefined ? '' : `, did you mean "${near}"?`;
	};
	const fix = titleFix(columns) ?? mappingFix(columns);
	const message = `No row has a value for any mapped question: ${expressionList(answers, suggestion)}. ${fix}`;
	return { message, kind: 'no mapped value', isOfAll: true };
}

function mappingFix(columns: readonly string[]): string {
	if (columns.length === 0) return 'The rows have no columns: check the node before this one';
	const shown = columns.slice(0, SHOWN_EXPRESSIONS).map((column) => `"${column}"`);
	return `The rows have the columns ${listText(shown, columns.length)}: map the questions to these columns, or choose "Map Automatically"`;
}

/** Formats expressions for a message: `"Area" ({{ $json.Zone }})`. `more` returns text to append to an expression. */
export function expressionList(
	all: readonly FieldExpression[],
	more: (expression: string) => string = () => '',
): string {
	const shown = all.slice(0, SHOWN_EXPRESSIONS).map(({ label, expression }) => {
		return `"${label}" (${expression}${more(expression)})`;
	});
	return listText(shown, all.length);
}

/**
 * Whether an expression reads only cells of the current row, and all these cells are empty. In later rows of a group,
 * the value of such an expression is ignored. With merged cells, only the first row has a value, so `Walk {{ $json.Site
 * }}` becomes "Walk " in the rows below.
 */
export function takesOnlyEmptyCells(expression = '', row: SheetRow = {}): boolean {
	const own = columnsIn(expression, OWN_COLUMN);
	const isEmpty = (column: string) => isBlank(row[column] ?? row[`\ufeff${column}`]);
	return own.length > 0 && own.every(isEmpty) && columnsIn(expression).length === own.length;
}

/** Matches code in an expression that handles empty cells: a condition, a comparison, or a default. */
const DECIDES = /\?(?!\.)|\|\||&&|[!=<>]|\bif\b|[iI]fEmpty|is(?:Not)?Empty/;

/**
 * Whether all cells of an expression are empty, so that only its fixed text is left: ` ()` from `{{ $json.Finding }}
 * ({{ $json.Severity }})`. Such text isn't an answer. In a repeatable section, it would add an instance that the sheet
 * doesn't have.
 */
export function leavesOnlyGaps(expression: string, row: SheetRow): boolean {
	const [, ...parts] = expression.split('{{');
	const decides = parts.some((part) => DECIDES.test(part.split('}}', 1).join()));
	return !decides && takesOnlyEmptyCells(expression, row);
}

/** Returns the columns that an expression reads. Can't detect computed names such as `$json[$vars.column]`. */
function columnsIn(expression: string, column = COLUMN): string[] {
	const names = [...expression.matchAll(column)].map(([, ...found]) => found.find((name) => name));
	return names.map((name = '') => repairedText(withoutByteOrderMark(name)));
}
