import { checkedFormat } from '../../domain/answer/dateFormat';
import { yesNoWords } from '../../domain/answer/yesNo';
import type { Making } from '../../domain/create/createRequest';
import type { Row, RowReading } from '../../domain/create/rowAnswers';
import { InputError, namingRow } from '../../domain/inputError';
import { parametersOf } from '../../fields/field';
import { expressionOf, locatorValue, membersOf, rawParameter } from '../../fields/parameterValue';
import { Memory } from '../../transport/memory';
import type { Unit } from '../operation';
import { mappedValues } from './createExpressions';
import { CREATE_FIELDS } from './createFields';
import { OPTIONS, optionsOf } from './createOptions';
import type { Sheet } from './createOrders';

/** Reads the rows of a unit from n8n's parameters. Throws InputError, which in a group names the row. */
export function readRows(sheet: Sheet, [first, ...others]: Unit): [Row, ...Row[]] {
	if (others.length === 0) return [readRow(sheet, first)];
	const named = (item: number) => namingRow(sheet.numbers.of(item), () => readRow(sheet, item));
	return [named(first), ...others.map(named)];
}

function readRow({ context, rows, numbers, mapping }: Sheet, item: number): Row {
	const valueOf = (name: string): unknown => context.getNodeParameter(name, item, {});
	const { createTask } = parametersOf(context, item, { createTask: CREATE_FIELDS.createTask });
	const fields = membersOf(valueOf('additionalFields'));
	const { labels } = mapping;
	return {
		number: numbers.of(item),
		values: labels === undefined ? (rows[item] ?? {}) : mappedValues(context, mapping, item),
		labels,
		// Of the team's locator only the id in it.
		additionalFields: { ...fields, teamId: locatorValue(fields.teamId) },
		task: createTask ? membersOf(valueOf('task')) : undefined,
	};
}

/** How the values of an item are read. Throws InputError for options that cannot be meant. */
export function readingOptions({
	context,
	groupColumn,
}: Sheet): (item: number) => RowReading & Pick<Making, 'validate'> {
	const { dateFormat, decimalSeparator, yesIs, noIs, validateResponses } = OPTIONS;
	const needed = { dateFormat, decimalSeparator, yesIs, noIs, validateResponses };
	const template = expressionOf(locatorValue(rawParameter(context, 'templateId')));
	const byExpression = 'with a template by expression choose "Map Automatically" for the answers';
	const goneCure = template === undefined ? undefined : byExpression;
	const formats = new Memory<ReturnType<typeof checkedFormat>>();
	const formatOf = (written: string) => {
		const { format, problem } = formats.getOrMake(written, () => checkedFormat(written));
		if (problem !== undefined) throw new InputError(`Date Format: "${written}" ${problem}.`);
		return format;
	};
	return (item) => {
		const given = optionsOf(context, item, needed);
		return {
			groupColumn,
			goneCure,
			timeZone: context.getTimezone(),
			dateFormat: given.dateFormat === undefined ? undefined : formatOf(given.dateFormat),
			decimalSeparator: given.decimalSeparator,
			words: yesNoWords(given.yesIs, given.noIs),
			validate: given.validateResponses,
		};
	};
}
