import type { IExecuteFunctions } from 'n8n-workflow';

import type { SheetRow } from '../../domain/create/sheetRow';
import { repairedText } from '../../domain/encoding';
import { InputError } from '../../domain/inputError';
import { type JsonRecord, recordsOf } from '../../domain/json';
import { nearestName } from '../../domain/nearestName';
import { isBlank, saysNothing, withoutByteOrderMark } from '../../domain/plainText';
import type { Problem } from '../../domain/problem';
import { isAddedByN8n } from '../../domain/rowKeys';
import { listText, shownValue } from '../../domain/shownText';
import { fieldLabel } from '../../fields/field';
import { expressionsIn, membersOf, rawParameter } from '../../fields/parameterValue';
import { ADDITIONAL_FIELDS, NAME, TASK } from './createFields';

// What the node's parameters say before n8n works their expressions out.

/** The ways in which an expression takes something from its own row. */
const OF_ITEM = /\$(?:json|input|binary)\b/;
/** The same, or from the row of a node before. */
const OF_ROW = /\$(?:json|input|binary|node|item)\b|\$\(/;
const OF_ERROR = /\berror\b/;
/** A column in an expression: `$json.Order`, `$json["Order No"]`, `$('Sheet').item.json['Order No']`. */
const COLUMN =
	/\bjson\s{0,9}(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s{0,9}(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s{0,9}\])/gu;
/** The same of the own row. What is called, `$json.keys()`, is no column. */
const OWN_COLUMN = new RegExp(`\\$${COLUMN.source}(?![\\p{L}\\p{N}_$]|\\s*\\()`, 'gu');
/** An expression that says what to take where a column is not there. */
const HAS_FALLBACK = /\?|\|\||\bif\b|isEmpty/;
/** A column's name with a line break in it, as n8n (2.41) writes it where such a column is dragged into a field. */
const BROKEN_NAME = /\[\s*(["'])([^"'\]\r\n]*[\r\n][^"'\]]*)\1\s*\]/;
/** Expressions, and columns of the rows, that a message names. */
const SHOWN_EXPRESSIONS = 12;
/** Rows whose columns are named. An Excel file leaves the empty cells of a row out, so the first row is not enough. */
const ROWS_WITH_COLUMNS = 100;

/** An expression that gives a value of a row, and the name of its field in the editor. */
export interface FieldExpression {
	part: 'values' | 'additionalFields' | 'task';
	name: string;
	label: string;
	expression: string;
	/** Whether it takes a column that no row has: n8n leaves a gap there, or `undefined` in a text. */
	lacksColumn: boolean;
}

export interface Mapping {
	/** The names of the mapper's columns, by their ids, as the workflow has saved them; undefined with automatic mapping. */
	labels: ReadonlyMap<string, string> | undefined;
	/** Those of the questions that are mapped by hand. */
	answers: readonly FieldExpression[];
	/** Those of the answers, Name, Additional Fields, and Task that take something of a row. */
	ofRows: readonly FieldExpression[];
	/** Whether anything of the item is read. Where nothing is, a schedule creates the same inspection each day. */
	readsItem: boolean;
	/** Whether no row may carry the error of a node before: expressions take something of the row, and none takes it. */
	refusesErrors: boolean;
	/** The columns that expressions beside the answers take, such as Unique Key's: no message calls one "not sent". */
	usedColumns: ReadonlySet<string>;
}

export function mappingOf(context: IExecuteFunctions, rows: readonly SheetRow[]): Mapping {
	const mapper = membersOf(rawParameter(context, 'responses'));
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const labels = new Map(
		recordsOf(mapper.schema).map(({ id, displayName }) => [String(id), String(displayName)]),
	);
	const expressionsOf = (...fields: string[]) =>
		fields.flatMap((field) => expressionsIn(rawParameter(context, field)));
	const sent = expressionsOf('responses', 'name', 'additionalFields', 'task');
	const others = expressionsOf('options', 'uniqueKey', 'templateId');
	const taking = sent.filter((one) => OF_ROW.test(one));
	const beside = [...others, ...expressionsOf('name', 'additionalFields', 'task')];
	const questionLabel = (id: string) => labels.get(id) ?? id;
	const fieldsOf = fieldReader(rows);
	const answers = fieldsOf('values', isAutomatic ? {} : mapper.value, questionLabel);
	const name = { name: rawParameter(context, 'name') };
	const fields = [
		...fieldsOf('additionalFields', name, () => fieldLabel({ name: NAME }, 'name')),
		...(['additionalFields', 'task'] as const).flatMap((part) =>
			fieldsOf(part, rawParameter(context, part), (member) => fieldLabel(FIELDS[part], member)),
		),
	];
	return {
		labels: isAutomatic ? undefined : labels,
		answers,
		ofRows: [...answers, ...fields].filter(({ expression }) => OF_ROW.test(expression)),
		readsItem: isAutomatic || [...sent, ...others].some((one) => OF_ITEM.test(one)),
		refusesErrors: !isAutomatic && taking.length > 0 && !taking.some((one) => OF_ERROR.test(one)),
		usedColumns: new Set(beside.flatMap((one) => columnsIn(one))),
	};
}

const FIELDS = { additionalFields: ADDITIONAL_FIELDS, task: TASK };

/** Reads the expressions of a collection, also those inside its members, such as Custom Fields. */
function fieldReader(rows: readonly SheetRow[]) {
	const hasColumn = (column: string) =>
		rows.some((row) => [column, `\ufeff${column}`].some((key) => Object.hasOwn(row, key)));
	const lacksColumn = (expression: string) =>
		!HAS_FALLBACK.test(expression) &&
		columnsIn(expression, OWN_COLUMN).some((column) => !hasColumn(column));
	return (part: FieldExpression['part'], given: unknown, labelled: (name: string) => string) =>
		Object.entries(membersOf(given)).flatMap(([name, member]) =>
			expressionsIn(member).map((expression): FieldExpression => {
				const about = { part, name, label: labelled(name), expression };
				return { ...about, lacksColumn: lacksColumn(expression) };
			}),
		);
}

/**
 * The values of the mapper's columns. It is read whole, because for `responses.value` n8n (2.41) checks each value against
 * its column's type and refuses an array of choices. Throws InputError that names the questions whose expression n8n
 * cannot work out: it says no more of them than "invalid syntax".
 */
export function mappedValues(
	context: IExecuteFunctions,
	{ answers }: Mapping,
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
			problems.push({ subject: `"${label}"`, wrong: whyBroken(expression, reason) });
		}
	}
	throw problems.length === 0 ? cause : InputError.ofRow(problems);
}

function whyBroken(expression: string, reason: string): string {
	const [, , name] = BROKEN_NAME.exec(expression) ?? [];
	if (name === undefined) {
		return `its expression ${shownValue(expression)} cannot be worked out (${reason}); correct it`;
	}
	const column = shownValue(name.replace(/\s+/g, ' '));
	return `the header of the column ${column} has a line break, and n8n cannot read such a name in an expression; write the header in one line and drag the column again, or choose "Map Automatically"`;
}

/** The problem of a run in which no row gives a value for any question that is mapped by hand. */
export function mappedInVain(
	context: IExecuteFunctions,
	{ answers }: Mapping,
	places: readonly number[],
): Problem | undefined {
	if (answers.length === 0 || places.length === 0) return undefined;
	const hasValue = places.some((place) => {
		try {
			const { value } = membersOf(context.getNodeParameter('responses', place, {}));
			return Object.values(membersOf(value)).some((given) => !saysNothing(given));
		} catch {
			// The error about an expression that cannot be worked out comes when the row is read.
			return true;
		}
	});
	if (hasValue) return undefined;
	const input = context.getInputData();
	const rows = places.slice(0, ROWS_WITH_COLUMNS).map((place) => input[place]?.json ?? {});
	const keys = new Set(rows.flatMap((row) => Object.keys(row)));
	const columns = [...keys].filter((key) => !isAddedByN8n(key));
	const meant = (expression: string) => {
		const gone = columnsIn(expression).find((column) => !columns.includes(column));
		const near = gone === undefined ? undefined : nearestName(gone, columns);
		return near === undefined ? '' : `, did you mean "${near}"?`;
	};
	const shown = columns.slice(0, SHOWN_EXPRESSIONS).map((column) => `"${column}"`);
	const have = shown.length === 0 ? 'no columns' : `the columns ${listText(shown, columns.length)}`;
	const wrong = `No row gives a value for a question that is mapped: ${expressionList(answers, meant)}. The rows have ${have}; map the questions to these, or choose "Map Automatically"`;
	return { wrong, kind: 'mapped in vain' };
}

/** Some expressions as a message names them: `"Area" ({{ $json.Zone }})`. `more` says what belongs behind one. */
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
 * Whether an expression takes nothing but columns of its own row whose cells are empty there. A later row of a group does
 * not say anything with it: of merged cells only the first row has the value, and `Walk {{ $json.Site }}` is "Walk " below.
 */
export function takesOnlyEmptyCells(expression = '', row: SheetRow = {}): boolean {
	const own = columnsIn(expression, OWN_COLUMN);
	const isEmpty = (column: string) => isBlank(row[column] ?? row[`\ufeff${column}`]);
	return own.length > 0 && own.every(isEmpty) && columnsIn(expression).length === own.length;
}

/** Code that gives an empty cell a value on purpose: a condition, a comparison, a default. */
const DECIDES = /\?(?!\.)|\|\||&&|[!=<>]|\bif\b|[iI]fEmpty|is(?:Not)?Empty/;

/**
 * Whether the value of an expression is only what stands between empty cells, such as ` ()` of
 * `{{ $json.Finding }} ({{ $json.Severity }})`. It's no answer: in a repeatable section it would invent an instance.
 */
export function leavesOnlyGaps(expression: string, row: SheetRow): boolean {
	const [, ...parts] = expression.split('{{');
	const decides = parts.some((part) => DECIDES.test(part.split('}}', 1).join()));
	return !decides && takesOnlyEmptyCells(expression, row);
}

/** The columns that an expression takes. One that is named in another way, `$json[$vars.column]`, is not known. */
function columnsIn(expression: string, column = COLUMN): string[] {
	const names = [...expression.matchAll(column)].map(([, ...found]) => found.find((name) => name));
	return names.map((name = '') => repairedText(withoutByteOrderMark(name)));
}
