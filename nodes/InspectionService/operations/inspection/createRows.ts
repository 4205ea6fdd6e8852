import type { IExecuteFunctions } from 'n8n-workflow';

import type { ReadingOptions } from '../../domain/answer/answer';
import { checkedFormat } from '../../domain/answer/dateFormat';
import { yesNoWords } from '../../domain/answer/yesNo';
import type { MappedColumns, Row } from '../../domain/create/rowAnswers';
import { InputError, namingRow } from '../../domain/inputError';
import { isRecord, type JsonRecord } from '../../domain/json';
import { parametersOf } from '../../fields/field';
import { expressionOf, locatorValue, membersOf } from '../../fields/parameterValue';
import { Memory } from '../../transport/memory';
import type { Unit } from '../operation';
import { brokenExpressions, type Mapping, rawParameter } from './createExpressions';
import { CREATE_FIELDS } from './createFields';
import { OPTIONS, optionsOf } from './createOptions';
import type { Sheet } from './createOrders';

/** Reads the rows of units from n8n's parameters. Throws InputError, which in a group names the row. */
export function rowReader(sheet: Sheet): (unit: Unit) => [Row, ...Row[]] {
	const mapped = sheet.mapping.isAutomatic ? undefined : mappedColumns(sheet);
	const read = (item: number) => rowOf(sheet, item, mapped);
	return ([first, ...others]) => {
		if (others.length === 0) return [read(first)];
		const named = (item: number) => namingRow(sheet.numbers.of(item), () => read(item));
		return [named(first), ...others.map(named)];
	};
}

function rowOf(
	{ context, rows, numbers, mapping }: Sheet,
	item: number,
	mapped: MappedColumns | undefined,
): Row {
	const valueOf = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, item, fallback);
	const { createTask } = parametersOf(context, item, { createTask: CREATE_FIELDS.createTask });
	const fields = membersOf(valueOf('additionalFields', {}));
	// Of the team's locator only the id in it.
	const team = isRecord(fields.teamId) ? { teamId: fields.teamId.value } : {};
	return {
		number: numbers.of(item),
		values: mapping.isAutomatic ? (rows[item] ?? {}) : mappedValues(context, mapping, item),
		mapped,
		additionalFields: { ...fields, ...team },
		task: createTask ? membersOf(valueOf('task', {})) : undefined,
	};
}

function mappedColumns({ context, mapping }: Sheet): MappedColumns {
	const byExpression = expressionOf(locatorValue(rawParameter(context, 'templateId')));
	return {
		labels: mapping.labels,
		cure:
			byExpression === undefined
				? undefined
				: 'with a template by expression choose "Map Automatically" for the answers',
	};
}

/**
 * The values of the mapper's columns. It is read whole, because for `responses.value` n8n (2.41) checks each value against
 * its column's type and refuses an array of choices.
 */
function mappedValues(context: IExecuteFunctions, mapping: Mapping, item: number): JsonRecord {
	let cause: unknown;
	try {
		return membersOf(membersOf(context.getNodeParameter('responses', item, {})).value);
	} catch (error) {
		cause = error;
	}
	const problems = brokenExpressions(context, mapping, item);
	throw problems.length === 0 ? cause : InputError.ofRow(problems);
}

/** How the values of an item are read. Throws InputError for options that cannot be meant. */
export function readingOptions(
	context: IExecuteFunctions,
): (item: number) => ReadingOptions & { validate: boolean } {
	const { dateFormat, decimalSeparator, yesIs, noIs, validateResponses } = OPTIONS;
	const needed = { dateFormat, decimalSeparator, yesIs, noIs, validateResponses };
	const formats = new Memory<ReturnType<typeof checkedFormat>>();
	const formatOf = (written: string) => {
		const { format, problem } = formats.getOrMake(written, () => checkedFormat(written));
		if (problem !== undefined) throw new InputError(`Date Format: "${written}" ${problem}.`);
		return format;
	};
	return (item) => {
		const given = optionsOf(context, item, needed);
		return {
			timeZone: context.getTimezone(),
			dateFormat: given.dateFormat === undefined ? undefined : formatOf(given.dateFormat),
			decimalSeparator: given.decimalSeparator,
			words: yesNoWords(given.yesIs, given.noIs),
			validate: given.validateResponses,
		};
	};
}
