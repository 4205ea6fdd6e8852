import { LruCache } from '../../../cache/lruCache';
import { checkedFormat } from '../../../domain/answer/dateFormat';
import { yesNoWords } from '../../../domain/answer/yesNo';
import { type Row, type RowReading, type SheetRow } from '../../../domain/create/sheetRow';
import { changedNames, repaired } from '../../../domain/encoding';
import { InputError, namingRow } from '../../../domain/inputError';
import { isRecord } from '../../../domain/json';
import type { Form } from '../../../domain/template/form';
import { isQuestion } from '../../../domain/template/questions';
import { parametersOf } from '../../../fields/field';
import {
	expressionOf,
	locatorValue,
	membersOf,
	rawParameter,
} from '../../../fields/parameterValue';
import type { Items } from '../../action';
import { CREATE_FIELDS } from './description';
import {
	leavesOnlyGaps,
	mappedValues,
	takesOnlyEmptyCells,
	templateExpression,
} from './expressions';
import { optionOf } from './options';
import type { Sheet } from './plan';

/**
 * Reads the rows of one inspection from n8n's parameters. Throws InputError. With several rows, the error names the
 * row.
 */
export function readRows(sheet: Sheet, form: Form, [first, ...others]: Items): [Row, ...Row[]] {
	if (others.length === 0) return [readRow(sheet, first)];
	const named = (item: number) => namingRow(sheet.numbers.of(item), () => readRow(sheet, item));
	return [named(first), ...others.map((item) => laterRow(sheet, form, item, named(item)))];
}

function readRow({ context, rows, cells: given, numbers, mapping }: Sheet, item: number): Row {
	const valueOf = (name: string): unknown => repaired(context.getNodeParameter(name, item, {}));
	const { createTask } = parametersOf(context, item, { createTask: CREATE_FIELDS.createTask });
	const fields = membersOf(valueOf('additionalFields'));
	const name = repaired(context.getNodeParameter('name', item, ''));
	const { labels } = mapping;
	const cells = given[item] ?? {};
	const mapped = labels === undefined ? {} : mappedValues(context, mapping, item);
	const gaps = mapping.answers.filter(({ expression }) => leavesOnlyGaps(expression, cells));
	// Use null, because undefined would mean that the sheet has no such column.
	const emptied = Object.fromEntries(gaps.map(({ name }) => [name, null]));
	const values = { ...repaired(mapped), ...emptied };
	const repairedQuestions = changedNames({ ...mapped, ...emptied }, values).map(
		(id) => labels?.get(id) ?? id,
	);
	return {
		number: numbers.of(item),
		values: labels === undefined ? (rows[item] ?? {}) : values,
		repaired: [
			...changedNames(context.getInputData()[item]?.json ?? {}, cells),
			...repairedQuestions,
		],
		labels,
		// Pass only the ID from the value of the Team locator.
		additionalFields: { ...fields, name, teamId: locatorValue(fields.teamId) },
		task: createTask ? membersOf(valueOf('task')) : undefined,
	};
}

/**
 * Drops values of a later row in a group if their expressions read only empty cells. The first row usually contains
 * these values in merged cells. Keeps answers in a repeatable section, such as an expression's default, because each
 * row is a separate instance.
 */
function laterRow(
	{ context, cells: given, mapping }: Sheet,
	form: Form,
	item: number,
	row: Row,
): Row {
	const cells = given[item];
	const { labels, values, additionalFields, task } = row;
	const unfilled = mapping.answers.filter(({ name, expression }) => {
		const column = form.columnOf(name);
		const isOutside = column !== undefined && isQuestion(column) && column.section === null;
		return isOutside && takesOnlyEmptyCells(expression, cells);
	});
	const emptied = Object.fromEntries(unfilled.map(({ name }) => [name, undefined]));
	const fieldsOf = (name: string, given: SheetRow) =>
		membersOf(filledValue(given, rawParameter(context, name), cells));
	return {
		...row,
		values: labels === undefined ? values : { ...values, ...emptied },
		additionalFields: {
			...fieldsOf('additionalFields', additionalFields),
			name: filledValue(additionalFields.name, rawParameter(context, 'name'), cells),
		},
		task: task && fieldsOf('task', task),
	};
}

/**
 * Returns a field's value (`given`), or undefined if its expression (`raw`) reads only empty cells. Checks each member
 * of a collection separately.
 */
function filledValue(given: unknown, raw: unknown, cells: SheetRow | undefined): unknown {
	const expression = expressionOf(locatorValue(raw));
	if (expression !== undefined) return takesOnlyEmptyCells(expression, cells) ? undefined : given;
	if (Array.isArray(given) && Array.isArray(raw)) {
		return given.map((member, index) => filledValue(member, raw[index], cells));
	}
	if (!isRecord(given)) return given;
	const members = Object.entries(given);
	const filledMember = (name: string, member: unknown) =>
		filledValue(member, membersOf(raw)[name], cells);
	return Object.fromEntries(members.map(([name, member]) => [name, filledMember(name, member)]));
}

interface CheckedFormat {
	readonly format: string;
	/** The reason why the date format is invalid. Undefined for a valid format. */
	readonly problem?: string;
}

/** Reads the options that control how values are parsed. */
export class RowReader {
	private readonly sheet: Sheet;
	private readonly otherTemplateFix: string | undefined;
	private readonly formats = new LruCache<CheckedFormat>();

	constructor(sheet: Sheet) {
		this.sheet = sheet;
		const byExpression =
			'"Template" is an expression: set "Mapping Column Mode" to "Map Automatically", which works with any template';
		this.otherTemplateFix =
			templateExpression(sheet.context) === undefined ? undefined : byExpression;
	}

	/** Returns the options for parsing an item's values. Throws InputError for invalid options. */
	optionsOf(item: number): RowReading {
		const { context, groupColumn } = this.sheet;
		const dateFormat = optionOf(context, item, 'dateFormat');
		const decimalSeparator = optionOf(context, item, 'decimalSeparator');
		const yesIs = optionOf(context, item, 'yesIs');
		const noIs = optionOf(context, item, 'noIs');
		const allowMissing = optionOf(context, item, 'allowMissing');
		return {
			groupColumn,
			otherTemplateFix: this.otherTemplateFix,
			timeZone: context.getTimezone(),
			dateFormat: dateFormat === undefined ? undefined : this.formatOf(dateFormat),
			decimalSeparator,
			words: yesNoWords(yesIs, noIs),
			allowMissing,
		};
	}

	private formatOf(written: string) {
		const checked = this.formats.getOrMake(written, () => checkedFormat(written));
		if (checked.problem === undefined) return checked.format;
		throw new InputError(`Date Format: "${written}" ${checked.problem}.`);
	}
}
