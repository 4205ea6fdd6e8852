import type { IExecuteFunctions } from 'n8n-workflow';

import { luxonFormat } from '../../../domain/answer/dateFormat';
import { yesNoWords } from '../../../domain/answer/yesNo';
import { titleFix } from '../../../domain/create/sheet';
import {
	columnsIn,
	columnsOf,
	type SheetRow,
	type SheetRowOptions,
} from '../../../domain/create/sheetRow';
import { withReadableText } from '../../../domain/encoding';
import { listText, quotedList, SHOWN_NAMES, shownValue } from '../../../domain/formatting';
import { InputError } from '../../../domain/inputError';
import { type JsonRecord, jsonText, recordsOf } from '../../../domain/json';
import { nearestName } from '../../../domain/nearestName';
import { hasNoValue, isBlank } from '../../../domain/normalizeText';
import type { Problem } from '../../../domain/problem';
import type { RowNumbers } from '../../../domain/rowNumbers';
import {
	type DeclaredFields,
	type Field,
	fieldLabel,
	memberOf,
	parametersOf,
	type ValuesOf,
} from '../../../fields/field';
import { TEMPLATE } from '../../../fields/locators';
import {
	expressionOf,
	expressionsIn,
	locatorValue,
	membersOf,
	rawParameter,
} from '../../../fields/parameterValue';
import { ADDITIONAL_FIELDS, NAME, OPTIONS, TASK } from './description';
import { Expression } from './parseExpression';
import type { InspectionPlan, Sheet } from './planInspections';

/** Matches a column name with a line break, as n8n (2.41) writes it when such a column is dragged into a field. */
const BROKEN_NAME = /\[\s*(["'])([^"'\]\r\n]*[\r\n][^"'\]]*)\1\s*\]/;

/** An expression that provides a value of a row, with the name of its field in the editor. */
export interface FieldExpression {
	readonly part: 'values' | 'additionalFields' | 'task';
	readonly name: string;
	readonly label: string;
	readonly expression: Expression;
	readonly lacksColumn: boolean;
}

/** The node's parameters, parsed once per run, before n8n evaluates their expressions. */
export interface Parameters {
	/** Names of the mapper's columns by ID, as saved in the workflow. Undefined with automatic mapping. */
	readonly labels: ReadonlyMap<string, string> | undefined;
	/** Expressions of the questions that are mapped manually. */
	readonly answers: readonly FieldExpression[];
	/** Whether the mapping is manual, and no question has a value or an expression. */
	readonly isMappingEmpty: boolean;
	/** The expressions in the answers, Name, Additional Fields, and Task that read the row. */
	readonly ofRows: readonly FieldExpression[];
	/**
	 * Whether the node's parameters read the input item. If they don't, every run creates the same inspection, for
	 * example once a day.
	 */
	readonly readsItem: boolean;
	/**
	 * Whether to reject rows that contain an error from a previous node. True if expressions read the row, but none
	 * reads its field `error`.
	 */
	readonly refusesErrors: boolean;
	/**
	 * Columns that are read by expressions of other fields than the answers, such as Unique Key. Messages don't report
	 * these columns as ignored.
	 */
	readonly usedColumns: ReadonlySet<string>;
	/** Whether Create Task is off, although Task has fields. Their expressions aren't in the members above. */
	readonly isTaskUnused: boolean;
	/** Whether Name and Unique Key contain text or an expression. The expression can still be empty for a row. */
	readonly hasName: boolean;
	readonly hasUniqueKey: boolean;
	readonly uniqueKey: Expression | undefined;
	/** The parts of Unique Key between `{{` and `}}`. */
	readonly uniqueKeyParts: readonly Expression[];
	readonly template: Expression | undefined;
	/** Returns the ID or identifier of an item's template. Throws InputError if the value can't be either. */
	readonly templateOf: (item: number) => string;
	/** The columns of Group Rows By. Empty if each row is a separate inspection. */
	readonly groupColumns: readonly string[];
	/** The columns of Fill Empty Cells From Above. */
	readonly filledColumns: readonly string[];
}

/** Reads the parameters of a run. Throws InputError if an option about the whole sheet can't have an effect. */
export function readParameters(context: IExecuteFunctions, rows: readonly SheetRow[]): Parameters {
	const expressionsOf = (...fields: string[]) =>
		fields.flatMap((field) =>
			expressionsIn(rawParameter(context, field)).map((text) => new Expression(text)),
		);
	const mapper = membersOf(rawParameter(context, 'responses'));
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const labels = new Map(
		recordsOf(mapper.schema).map(({ id, displayName }) => [String(id), String(displayName)]),
	);
	const isTaskOff = rawParameter(context, 'createTask') === false;
	const taskFields = membersOf(rawParameter(context, 'task'));
	const ofFields = expressionsOf('name', 'additionalFields', ...(isTaskOff ? [] : ['task']));
	const sent = [...expressionsOf('responses'), ...ofFields];
	const others = expressionsOf('options', 'uniqueKey', 'templateId');
	const mapped = isAutomatic ? {} : mapper.value;
	const answers = fieldExpressions('values', mapped, (id) => labels.get(id) ?? id, rows);
	const fieldsIn = (part: 'additionalFields' | 'task', declared: DeclaredFields, given: unknown) =>
		fieldExpressions(part, given, (member) => fieldLabel(declared, member), rows);
	const fields = [
		...fieldsIn('additionalFields', { name: NAME }, { name: rawParameter(context, 'name') }),
		...fieldsIn('additionalFields', ADDITIONAL_FIELDS, rawParameter(context, 'additionalFields')),
		...fieldsIn('task', TASK, isTaskOff ? {} : taskFields),
	];
	const isSet = (field: string) => {
		const raw: unknown = context.getNodeParameter(field, 0, '', { rawExpressions: true });
		return !isBlank(expressionOf(raw) ?? raw);
	};
	const hasUniqueKey = isSet('uniqueKey');
	checkKeyOptions(context, hasUniqueKey);
	const uniqueKey = parsed(rawParameter(context, 'uniqueKey'));
	const template = parsed(locatorValue(rawParameter(context, 'templateId')));
	return {
		labels: isAutomatic ? undefined : labels,
		answers,
		isMappingEmpty: !isAutomatic && Object.values(membersOf(mapper.value)).every(isBlank),
		ofRows: [...answers, ...fields].filter(({ expression }) => expression.readsRow),
		readsItem: isAutomatic || [...sent, ...others].some(({ readsItem }) => readsItem),
		refusesErrors:
			!isAutomatic &&
			sent.some(({ readsRow }) => readsRow) &&
			!sent.some(({ readsRow, readsError }) => readsRow && readsError),
		usedColumns: new Set([...others, ...ofFields].flatMap(({ columns }) => columns)),
		isTaskUnused: isTaskOff && Object.keys(taskFields).length > 0,
		hasName: isSet('name'),
		hasUniqueKey,
		uniqueKey,
		uniqueKeyParts: uniqueKey?.parts() ?? [],
		template,
		templateOf: templateReader(context, template !== undefined),
		groupColumns: groupColumnsOf(context, rows),
		filledColumns: optionOf(context, 0, 'fillDown'),
	};
}

function parsed(raw: unknown): Expression | undefined {
	const text = expressionOf(raw);
	return text === undefined ? undefined : new Expression(text);
}

/** Returns the expressions of a collection, including those nested in its members, such as Custom Fields. */
function fieldExpressions(
	part: FieldExpression['part'],
	given: unknown,
	labelOf: (name: string) => string,
	rows: readonly SheetRow[],
): FieldExpression[] {
	return Object.entries(membersOf(given)).flatMap(([name, member]) =>
		expressionsIn(member).map((text): FieldExpression => {
			const expression = new Expression(text);
			const lacksColumn = expression.lacksColumn(rows);
			return { part, name, label: labelOf(name), expression, lacksColumn };
		}),
	);
}

/** Reads a fixed template only once. */
function templateReader(context: IExecuteFunctions, isExpression: boolean) {
	const read = (item: number) => parametersOf(context, item, { templateId: TEMPLATE }).templateId;
	let ofAll: string | undefined;
	return (item: number) => (isExpression ? read(item) : (ofAll ??= read(item)));
}

type OptionValues = ValuesOf<typeof OPTIONS>;
type OptionName = keyof OptionValues;
/** `OPTIONS`, typed so that TypeScript knows the type of each option's value. */
const FIELDS: { readonly [Name in OptionName]: Field<OptionValues[Name]> } = OPTIONS;

/** The options that apply to the whole run, whichever rows it has. */
export interface RunOptions {
	readonly checkOnly: boolean;
	readonly uniqueKeyDays: number;
	readonly reading: SheetRowOptions;
}

/**
 * Returns the options of a run. Throws InputError for an invalid option, and if an expression gives the rows different
 * values: the value of one row would otherwise silently apply to all rows.
 */
export function readOptions(
	{ context, numbers, parameters }: Sheet,
	plans: readonly InspectionPlan[],
): RunOptions {
	const { template, groupColumns } = parameters;
	const items = plans.flatMap((plan) => plan.items);
	const read = <Name extends OptionName>(name: Name): OptionValues[Name] =>
		optionOfAll(context, items, name, numbers);
	const byExpression =
		"'Template' is an expression: set 'Mapping Column Mode' to 'Map Automatically', which works with any template";
	return {
		checkOnly: read('checkOnly'),
		uniqueKeyDays: read('uniqueKeyDays'),
		reading: {
			groupColumns,
			otherTemplateFix: template === undefined ? undefined : byExpression,
			timeZone: context.getTimezone(),
			dateFormat: validFormat(read('dateFormat')),
			decimalSeparator: read('decimalSeparator'),
			words: yesNoWords(read('yesIs'), read('noIs')),
			allowMissing: read('allowMissing'),
		},
	};
}

/** Returns an item's value of an option. Throws InputError only if this option is invalid. */
function optionOf<Name extends OptionName>(
	context: IExecuteFunctions,
	item: number,
	name: Name,
): OptionValues[Name] {
	// Don't evaluate the expressions of other options, so that an error in another option has no effect here.
	const isGiven = name in membersOf(rawParameter(context, 'options'));
	const given = isGiven ? { [name]: context.getNodeParameter(`options.${name}`, item) } : {};
	const members = withReadableText(membersOf(given));
	return FIELDS[name].read(memberOf(OPTIONS, members, name), context.getTimezone());
}

function optionOfAll<Name extends OptionName>(
	context: IExecuteFunctions,
	[first = 0, ...others]: readonly number[],
	name: Name,
	numbers: RowNumbers,
): OptionValues[Name] {
	const value = optionOf(context, first, name);
	const raw = membersOf(rawParameter(context, 'options'))[name];
	for (const item of expressionOf(raw) === undefined ? [] : others) {
		const other = optionOf(context, item, name);
		if (jsonText(other) === jsonText(value)) continue;
		const message = `row ${String(numbers.of(first))} has ${shownValue(value)} and row ${String(numbers.of(item))} has ${shownValue(other)}. The option applies to the whole execution, so use the same value in all rows`;
		throw InputError.of({ subject: fieldLabel(OPTIONS, name), message });
	}
	return value;
}

function validFormat(written: string | undefined): string | undefined {
	if (written === undefined) return undefined;
	const format = luxonFormat(written);
	if (format !== undefined) return format;
	throw new InputError(
		`Date Format: "${written}" doesn't show the order of day, month, and year. Write dd, MM, and yyyy in the order of your dates, such as "dd.MM.yyyy".`,
	);
}

/**
 * Throws InputError if the option Unique Key Days is set, but the field Unique Key is empty. Each run would then create
 * all inspections again.
 */
function checkKeyOptions(context: IExecuteFunctions, hasUniqueKey: boolean): void {
	const { uniqueKeyDays } = membersOf(rawParameter(context, 'options'));
	if (uniqueKeyDays === undefined || hasUniqueKey) return;
	throw new InputError(
		`The option '${fieldLabel(OPTIONS, 'uniqueKeyDays')}' has no effect while 'Unique Key' is empty. Fill in the field 'Unique Key', or remove the option.`,
	);
}

function groupColumnsOf(context: IExecuteFunctions, rows: readonly SheetRow[]): readonly string[] {
	const groupRowsBy = optionOf(context, 0, 'groupRowsBy');
	if (groupRowsBy !== undefined && context.getNode().executeOnce === true) {
		throw new InputError(
			"'Execute Once', under Settings, passes only the first row to this node, but 'Group Rows By' needs all rows. Turn off 'Execute Once'.",
		);
	}
	const isGiven = membersOf(rawParameter(context, 'options')).groupRowsBy !== undefined;
	if (groupRowsBy !== undefined) return columnsIn(groupRowsBy, rows);
	if (!isGiven) return [];
	throw new InputError(
		"The option 'Group Rows By' is empty. Enter the name of a column, or remove the option.",
	);
}

/**
 * Returns the values of the mapper's columns. Reads the whole parameter `responses`, because n8n (2.41) checks the
 * values of `responses.value` by the type of their column, and rejects an array of choices. If n8n can't evaluate an
 * expression, throws an InputError that names the question. n8n's own error only reports "invalid syntax".
 */
export function mappedValues(
	context: IExecuteFunctions,
	{ answers }: Parameters,
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
			context.evaluateExpression(expression.text, item);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			problems.push({ subject: `"${label}"`, message: whyBroken(expression.text, reason) });
		}
	}
	throw problems.length === 0 ? cause : InputError.ofRow(problems);
}

function whyBroken(expression: string, reason: string): string {
	const [, , name] = BROKEN_NAME.exec(expression) ?? [];
	if (name === undefined) {
		return `its expression ${shownValue(expression)} can't be evaluated (${reason}). Fix it`;
	}
	const column = shownValue(name.replace(/\s+/g, ' '));
	return `the name of the column ${column} has a line break, and n8n can't read such a name in an expression. Write the name on one line and drag the column again, or choose 'Map Automatically'`;
}

/** Returns a problem if no row has a value for any manually mapped question. */
export function unfilledMappingProblem(
	context: IExecuteFunctions,
	{ answers }: Parameters,
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
	const columns = columnsOf(items.map((item) => withReadableText(input[item]?.json ?? {})));
	const named = answers.slice(0, SHOWN_NAMES).map((answer) => {
		const missing = answer.expression.columns.find((column) => !columns.includes(column));
		const near = missing === undefined ? undefined : nearestName(missing, columns);
		return expressionText(answer, near === undefined ? '' : `, did you mean "${near}"?`);
	});
	const fix = titleFix(columns) ?? mappingFix(columns);
	const message = `No row has a value for any mapped question: ${listText(named, answers.length)}. ${fix}`;
	return { message, kind: 'no mapped value', isOfAll: true };
}

function mappingFix(columns: readonly string[]): string {
	if (columns.length === 0) return 'The rows have no columns: check the node before this one';
	return `The rows have the columns ${quotedList(columns)}: map the questions to these columns, or choose 'Map Automatically'`;
}

/**
 * Formats an expression for a message: `"Area" ({{ $json.Zone }})` for a question, `'Name' ({{ $json.Zone }})` for a
 * field of the node. `more` is appended to the expression.
 */
export function expressionText({ part, label, expression }: FieldExpression, more = ''): string {
	const quote = part === 'values' ? '"' : "'";
	return `${quote}${label}${quote} (${expression.text}${more})`;
}
