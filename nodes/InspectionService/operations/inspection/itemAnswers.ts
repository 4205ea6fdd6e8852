import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type AnswerMapping, mapColumns, mapItem } from '../../domain/answer/answerMapping';
import type { TemplateForm } from '../../domain/answer/templateForm';
import { carriedError, unmappedItems } from '../../domain/answer/unmappedItem';
import { rowNumber } from '../../domain/create/groupRows';
import { problemOfRow } from '../../domain/create/mergeProblems';
import { InputError } from '../../domain/inputError';
import { isRecord, type JsonRecord, recordsOf } from '../../domain/json';
import type { Unit } from '../operation';

const AUTO_MAP = 'autoMapInputData';

/** What an item answers. */
export interface ItemAnswers {
	mapping: AnswerMapping;
	/** The item's own keys where they were taken for questions: only then columns are left to be looked at. */
	own: IDataObject | undefined;
	/** What the columns of the mapper give, by their ids; empty where the item's own keys were taken. */
	columns: JsonRecord;
}

/** Whether the items' own keys are taken for questions. */
export function isAutoMapped(context: IExecuteFunctions): boolean {
	const mapper: unknown = context.getNodeParameter('responses', 0, {});
	return isRecord(mapper) && mapper.mappingMode === AUTO_MAP;
}

/**
 * Throws InputError where an item of a unit carries an error, or nothing in any of them is a question: a row of a group
 * may be without any beside others that have some.
 */
export function checkMapped(
	context: IExecuteFunctions,
	unit: Unit,
	form: TemplateForm,
	isOfUse: (key: string) => boolean,
): void {
	if (!isAutoMapped(context)) return;
	const input = context.getInputData();
	const items = unit.map((item) => input[item]?.json ?? {});
	const refused = unit.flatMap((item, place) => {
		const problem = carriedError(form, items[place] ?? {});
		if (problem === undefined) return [];
		return [unit.length === 1 ? problem : problemOfRow(rowNumber(item), problem)];
	});
	const problem = refused[0] ?? unmappedItems(form, items, isOfUse);
	if (problem !== undefined) throw new InputError(`${problem}.`);
}

/**
 * The answers that the mapper gives for an item, or the item's own keys. The mapper is read whole: read by its `value`,
 * n8n 2.41 checks each value against its column's type first and refuses an array of choices.
 */
export function itemAnswers(
	context: IExecuteFunctions,
	itemIndex: number,
	form: TemplateForm,
): ItemAnswers {
	const mapper: unknown = context.getNodeParameter('responses', itemIndex, {});
	if (!isRecord(mapper)) {
		return { mapping: mapColumns(form, {}, new Map()), own: undefined, columns: {} };
	}
	if (mapper.mappingMode === AUTO_MAP) {
		const own = context.getInputData()[itemIndex]?.json ?? {};
		return { mapping: mapItem(form, own), own, columns: {} };
	}
	const labels = new Map(
		recordsOf(mapper.schema).map(({ id, displayName }) => [String(id), String(displayName)]),
	);
	const columns = isRecord(mapper.value) ? mapper.value : {};
	return {
		mapping: mapColumns(form, columns, labels, missingCure(context)),
		own: undefined,
		columns,
	};
}

/** What to do about a column that the template does not have. */
function missingCure(context: IExecuteFunctions): string | undefined {
	const raw: unknown = context.getNodeParameter('templateId', 0, '', { rawExpressions: true });
	const reference = isRecord(raw) ? raw.value : raw;
	const isExpression = typeof reference === 'string' && reference.startsWith('=');
	return isExpression
		? 'with a template by expression choose "Map Automatically" for the answers'
		: undefined;
}
