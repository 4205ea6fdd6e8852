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

/** The answers that an item gives. */
export interface ItemAnswers {
	mapping: AnswerMapping;
	/** The item's own fields, where automatic mapping takes their names for questions; otherwise undefined. */
	own: IDataObject | undefined;
	/** The values of the mapper's columns, by column id; empty with automatic mapping. */
	columns: JsonRecord;
}

/** Whether automatic mapping is chosen: then the names of the items' fields are taken for questions. */
export function isAutoMapped(context: IExecuteFunctions): boolean {
	const mapper: unknown = context.getNodeParameter('responses', 0, {});
	return isRecord(mapper) && mapper.mappingMode === AUTO_MAP;
}

/**
 * Checks the items of a unit with automatic mapping. Throws InputError where an item carries an error of an earlier node,
 * or where no field of any item is a question. Within a group, a row without a question is fine beside one that has some.
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
 * The answers for an item, from the mapper or from the item's own fields. It reads the parameter `responses` and not
 * `responses.value`, because for the latter n8n 2.41 checks each value against its column's type and refuses an array of
 * choices.
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

/** What to do about a column that the template does not have; undefined for the usual advice. */
function missingCure(context: IExecuteFunctions): string | undefined {
	const raw: unknown = context.getNodeParameter('templateId', 0, '', { rawExpressions: true });
	const reference = isRecord(raw) ? raw.value : raw;
	const isExpression = typeof reference === 'string' && reference.startsWith('=');
	return isExpression
		? 'with a template by expression choose "Map Automatically" for the answers'
		: undefined;
}
