import type { IExecuteFunctions } from 'n8n-workflow';

import { type MappedColumns, namingRow, type Row } from '../../domain/create/draft';
import { isRecord, type JsonRecord } from '../../domain/json';
import type { RowNumbers } from '../../domain/rowNumbers';
import { booleanOf, expressionOf, locatorValue, membersOf } from '../../fields/parameterValue';
import type { Unit } from '../operation';
import { columnLabels, mapperOf } from './mapperExpressions';

const AUTO_MAP = 'autoMapInputData';

/** Whether automatic mapping is chosen: then the names of the items' fields are taken for questions. */
export function isAutoMapped(context: IExecuteFunctions): boolean {
	const raw = context.getNodeParameter('responses', 0, {}, { rawExpressions: true });
	return membersOf(raw).mappingMode === AUTO_MAP;
}

/** Reads the rows of units from n8n's parameters. */
type RowsOf = (unit: Unit) => [Row, ...Row[]];

/** Throws InputError where a parameter of a row cannot be read; in a group the message names the row. */
export function createRows(context: IExecuteFunctions, numbers: RowNumbers): RowsOf {
	const mapped = mappedColumns(context);
	return ([first, ...others]) => {
		const read = (item: number): Row => ({
			number: numbers.of(item),
			...rowOf(context, item, mapped),
		});
		if (others.length === 0) return [read(first)];
		const named = (item: number) => namingRow(numbers.of(item), () => read(item));
		return [named(first), ...others.map(named)];
	};
}

function rowOf(
	context: IExecuteFunctions,
	item: number,
	mapped: MappedColumns,
): Omit<Row, 'number'> {
	const membersOfField = (name: string) => membersOf(context.getNodeParameter(name, item, {}));
	const mapper = mapperOf(context, item);
	const isAutomatic = mapper.mappingMode === AUTO_MAP;
	const isTaskWanted = booleanOf(
		'Create Task',
		context.getNodeParameter('createTask', item, false),
		false,
	);
	return {
		values: isAutomatic ? (context.getInputData()[item]?.json ?? {}) : membersOf(mapper.value),
		mapped: isAutomatic ? undefined : mapped,
		additionalFields: additionalValues(context.getNodeParameter('additionalFields', item, {})),
		task: isTaskWanted ? membersOfField('task') : undefined,
	};
}

function mappedColumns(context: IExecuteFunctions): MappedColumns {
	const rawOf = (name: string): unknown =>
		context.getNodeParameter(name, 0, {}, { rawExpressions: true });
	const isExpression = expressionOf(locatorValue(rawOf('templateId'))) !== undefined;
	return {
		labels: columnLabels(membersOf(rawOf('responses'))),
		cure: isExpression
			? 'with a template by expression choose "Map Automatically" for the answers'
			: undefined,
	};
}

/** The values of the fields: of the team's locator only the id in it. */
function additionalValues(given: unknown): JsonRecord {
	const fields = membersOf(given);
	return isRecord(fields.teamId) ? { ...fields, teamId: fields.teamId.value } : fields;
}
