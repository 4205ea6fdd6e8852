import type { IExecuteFunctions } from 'n8n-workflow';

import { luxonFormat } from '../../../domain/answer/dateFormat';
import { yesNoWords } from '../../../domain/answer/yesNo';
import type { CreateRequestOptions } from '../../../domain/create/createRequest';
import { isEmptyRow } from '../../../domain/create/inspectionRows';
import { columnsIn, type SheetRow } from '../../../domain/create/sheetRow';
import { withReadableText } from '../../../domain/encoding';
import { shownValue } from '../../../domain/formatting';
import { InputError } from '../../../domain/inputError';
import { type JsonRecord, jsonText, recordsOf } from '../../../domain/json';
import { isBlank } from '../../../domain/normalizeText';
import type { Problem } from '../../../domain/problem';
import type { RowNumbers } from '../../../domain/rowNumbers';
import {
	fieldLabel,
	parametersOf,
	type Property,
	valuesOf,
	type ValuesOf,
} from '../../../fields/field';
import { TEMPLATE } from '../../../fields/locators';
import { CREATE_OUTPUT } from '../../../fields/output';
import {
	expressionOf,
	expressionsIn,
	locatorValue,
	membersOf,
	rawParameter,
} from '../../../fields/parameterValue';
import { ADDITIONAL_FIELDS, CREATE_FIELDS, NAME, OPTIONS, TASK } from './description';
import { Expression } from './parseExpression';

/** Matches a column name with a line break, as n8n (2.41) writes it when such a column is dragged into a field. */
const BROKEN_NAME = /\[\s*(["'])([^"'\]\r\n]*[\r\n][^"'\]]*)\1\s*\]/;

/** The parameters that provide the values of a row, by the members of `Row` that they become. */
const PARTS = ['values', 'additionalFields', 'task'] as const;
type Part = (typeof PARTS)[number];
const FIELDS_OF = { additionalFields: { name: NAME, ...ADDITIONAL_FIELDS }, task: TASK };

/** An expression that provides a value of a row, with the name of its field in the editor. */
export interface FieldExpression {
	readonly part: Part;
	readonly name: string;
	readonly label: string;
	readonly expression: Expression;
	readonly lacksColumn: boolean;
}

/**
 * The node's parameters, read once per run: the options that apply to the whole run, and the expressions before n8n
 * evaluates them for each row.
 */
export interface Parameters
	extends Omit<CreateRequestOptions, 'templateId' | 'keyProblems' | 'sheet'>,
		Pick<RunOptions, 'output' | 'checkOnly' | 'uniqueKeyDays'> {
	/** What the workflow saves for the values of a row. Expressions begin with `=`. */
	readonly saved: Readonly<Record<Part, SheetRow>>;
	/** Names of the mapper's columns by ID, as saved in the workflow. Undefined with automatic mapping. */
	readonly labels: ReadonlyMap<string, string> | undefined;
	/** Expressions of the questions that are mapped manually. */
	readonly answers: readonly FieldExpression[];
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
	/** Whether Create Task is off, although Task has fields. Their expressions aren't in the members above. */
	readonly isTaskUnused: boolean;
	/** Whether Unique Key contains text or an expression. The expression can still be empty for a row. */
	readonly hasUniqueKey: boolean;
	readonly uniqueKey: Expression | undefined;
	/** The parts of Unique Key between `{{` and `}}`. */
	readonly uniqueKeyParts: readonly Expression[];
	readonly template: Expression | undefined;
	/** Returns the ID or identifier of an item's template. Throws InputError if the value can't be either. */
	readonly templateOf: (item: number) => string;
	/** The columns of Fill Empty Cells From Above. */
	readonly filledColumns: readonly string[];
}

/** Reads the parameters of a run. Throws InputError for an invalid option, or one that can't have an effect. */
export function readParameters(
	context: IExecuteFunctions,
	rows: readonly SheetRow[],
	numbers: RowNumbers,
): Parameters {
	const raw = (name: string) => rawParameter(context, name);
	const mapper = membersOf(raw('responses'));
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const labels = new Map(
		recordsOf(mapper.schema).map(({ id, displayName }) => [String(id), String(displayName)]),
	);
	const isTaskOff = raw('createTask') === false;
	const task = membersOf(raw('task'));
	const saved = {
		values: isAutomatic ? {} : membersOf(mapper.value),
		additionalFields: { name: raw('name'), ...membersOf(raw('additionalFields')) },
		task: isTaskOff ? {} : task,
	};
	const expressions = fieldExpressions(saved, labels, rows);
	const answers = expressions.filter(({ part }) => part === 'values');
	const ofRows = expressions.filter(({ expression }) => expression.readsRow);
	const others = expressionsIn(['options', 'uniqueKey', 'templateId'].map(raw)).map(
		(text) => new Expression(text),
	);
	const all = [...others, ...expressions.map(({ expression }) => expression)];
	const used = expressions.flatMap(({ part, expression }) => (part === 'values' ? [] : expression));
	const uniqueKey = parsed(raw('uniqueKey'));
	const hasUniqueKey = !isBlank(uniqueKey?.text ?? raw('uniqueKey'));
	const template = parsed(locatorValue(raw('templateId')));
	const options = readOptions(context, rows, numbers);
	refuseUseless(context, options, hasUniqueKey);
	const columns = (list?: string) => (list === undefined ? [] : columnsIn(list, rows));
	return {
		...options,
		saved,
		labels: isAutomatic ? undefined : labels,
		answers,
		isMappingEmpty: !isAutomatic && Object.values(saved.values).every(isBlank),
		ofRows,
		readsItem: isAutomatic || all.some(({ readsItem }) => readsItem),
		refusesErrors:
			!isAutomatic && ofRows.length > 0 && !ofRows.some(({ expression }) => expression.readsError),
		usedColumns: new Set([...others, ...used].flatMap(({ columns }) => columns)),
		isTaskUnused: isTaskOff && Object.keys(task).length > 0,
		hasUniqueKey,
		uniqueKey,
		uniqueKeyParts: uniqueKey?.parts() ?? [],
		template,
		templateOf: templateReader(context, template !== undefined),
		groupColumns: columns(options.groupRowsBy),
		filledColumns: columns(options.fillDown),
		otherTemplateFix:
			template &&
			"'Template' is an expression: set 'Mapping Column Mode' to 'Map Automatically', which works with any template",
		timeZone: context.getTimezone(),
		dateFormat: validFormat(options.dateFormat),
		words: yesNoWords(options.yesIs, options.noIs),
	};
}

function parsed(raw: unknown): Expression | undefined {
	const text = expressionOf(raw);
	return text === undefined ? undefined : new Expression(text);
}

/** Returns the expressions of a row's values, including those nested in a member, such as Custom Fields. */
function fieldExpressions(
	saved: Parameters['saved'],
	labels: ReadonlyMap<string, string>,
	rows: readonly SheetRow[],
): FieldExpression[] {
	const labelOf = (part: Part, name: string) =>
		part === 'values' ? (labels.get(name) ?? name) : fieldLabel(FIELDS_OF[part], name);
	return PARTS.flatMap((part) =>
		Object.entries(saved[part]).flatMap(([name, member]) =>
			expressionsIn(member).map((text) => {
				const expression = new Expression(text);
				const lacksColumn = expression.lacksColumn(rows);
				return { part, name, label: labelOf(part, name), expression, lacksColumn };
			}),
		),
	);
}

/** Reads a fixed template only once. */
function templateReader(context: IExecuteFunctions, isExpression: boolean) {
	const read = (item: number) => parametersOf(context, item, { templateId: TEMPLATE }).templateId;
	let ofAll: string | undefined;
	return (item: number) => (isExpression ? read(item) : (ofAll ??= read(item)));
}

const OF_RUN = { output: CREATE_OUTPUT, options: CREATE_FIELDS.options };
const LABELED = { output: CREATE_OUTPUT, ...OPTIONS };
/** Output and the options. They apply to the whole run. */
type RunOptions = ValuesOf<typeof LABELED>;

/**
 * Reads what applies to the whole run. Throws InputError for an invalid value, and if an expression gives the rows
 * different values: the value of one row would otherwise silently apply to all rows. Ignores blank rows.
 */
function readOptions(
	context: IExecuteFunctions,
	rows: readonly SheetRow[],
	numbers: RowNumbers,
): RunOptions {
	const read = (item: number): RunOptions => {
		const given = (name: string, preset: Property['default']) =>
			withReadableText(context.getNodeParameter(name, item, preset));
		const { output, options } = valuesOf(OF_RUN, given, context.getTimezone());
		return { output, ...options };
	};
	const raw = Object.keys(OF_RUN).map((name) => rawParameter(context, name));
	const [first = 0, ...others] = [...rows.keys()].filter((item) => !isEmptyRow(rows[item] ?? {}));
	const values: RunOptions & SheetRow = read(first);
	for (const item of expressionsIn(raw).length === 0 ? [] : others) {
		for (const [name, value] of Object.entries(read(item))) {
			if (jsonText(value) === jsonText(values[name])) continue;
			const message = `row ${String(numbers.of(first))} has ${shownValue(values[name])} and row ${String(numbers.of(item))} has ${shownValue(value)}. The option applies to the whole execution, so use the same value in all rows`;
			throw InputError.of({ subject: fieldLabel(LABELED, name), message });
		}
	}
	return values;
}

function validFormat(written: string | undefined): string | undefined {
	if (written === undefined) return undefined;
	const format = luxonFormat(written);
	if (format !== undefined) return format;
	throw new InputError(
		`Date Format: "${written}" doesn't show the order of day, month, and year. Write dd, MM, and yyyy in the order of your dates, such as "dd.MM.yyyy".`,
	);
}

/** Throws InputError for an option that can't have an effect. */
function refuseUseless(
	context: IExecuteFunctions,
	{ groupRowsBy }: RunOptions,
	hasUniqueKey: boolean,
): void {
	const given = membersOf(rawParameter(context, 'options'));
	if (given.uniqueKeyDays !== undefined && !hasUniqueKey) {
		throw new InputError(
			`The option '${fieldLabel(OPTIONS, 'uniqueKeyDays')}' has no effect while 'Unique Key' is empty. Fill in the field 'Unique Key', or remove the option.`,
		);
	}
	if (given.groupRowsBy !== undefined && groupRowsBy === undefined) {
		throw new InputError(
			"The option 'Group Rows By' is empty. Enter the name of a column, or remove the option.",
		);
	}
	if (groupRowsBy !== undefined && context.getNode().executeOnce === true) {
		throw new InputError(
			"'Execute Once', under Settings, passes only the first row to this node, but 'Group Rows By' needs all rows. Turn off 'Execute Once'.",
		);
	}
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
	const problems = answers.flatMap(({ label, expression }): Problem[] => {
		try {
			context.evaluateExpression(expression.text, item);
			return [];
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			return [{ subject: `"${label}"`, message: whyBroken(expression.text, reason) }];
		}
	});
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

/**
 * Formats an expression for a message: `"Area" ({{ $json.Zone }})` for a question, `'Name' ({{ $json.Zone }})` for a
 * field of the node. `more` is appended to the expression.
 */
export function expressionText({ part, label, expression }: FieldExpression, more = ''): string {
	const quote = part === 'values' ? '"' : "'";
	return `${quote}${label}${quote} (${expression.text}${more})`;
}
