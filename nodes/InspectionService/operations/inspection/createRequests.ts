import { type CreateRequest, createRequest } from '../../domain/create/createRequest';
import { headerRow, isColumnOf } from '../../domain/create/unusedColumns';
import { guidOf } from '../../domain/id';
import { InputError, namingRow } from '../../domain/inputError';
import type { JsonRecord } from '../../domain/json';
import { conflictOf } from '../../domain/problem';
import { type Form, formOf } from '../../domain/template/form';
import { expressionOf, locatorValue, rawParameter } from '../../fields/parameterValue';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import type { ItemService, ServiceOfItem } from '../../transport/itemServices';
import { takesOnlyEmptyCells } from './createExpressions';
import { templateOfItem } from './createFields';
import type { CreateHints } from './createHints';
import type { Order, Sheet } from './createOrders';
import { readingOptions, readRows } from './createRows';
import type { KeyList, keyLists } from './keyList';

export interface OrderRequest extends Pick<CreateRequest, 'body' | 'sent' | 'doubts'> {
	/** The template that it is made from, as the service gave it. */
	template: JsonRecord;
	client: InspectionServiceClient;
	/** The inspections of the service that it goes to, by their unique keys. */
	keys: KeyList;
}

/** Makes the requests of orders. Throws InputError with all problems of the rows, and RequestFailure for its template. */
export function createRequests(
	serviceOf: ServiceOfItem,
	sheet: Sheet,
	keysIn: ReturnType<typeof keyLists>,
	hints: CreateHints,
): (order: Order) => Promise<OrderRequest> {
	const { usedColumns } = sheet.mapping;
	const readingOf = readingOptions(sheet);
	const forms = new WeakMap<JsonRecord, { form: Form; header: string | undefined }>();
	const makeForm = (template: JsonRecord) => {
		const form = formOf(template);
		const made = { form, header: headerRow(sheet.rows, (cell) => isColumnOf(form, cell)) };
		forms.set(template, made);
		return made;
	};
	return async (order) => {
		if (order.refusal !== undefined) throw order.refusal;
		const { service, reference } = await sourceOf(order, sheet, serviceOf);
		const template = await service.templates(reference);
		const { form, header } = forms.get(template) ?? makeForm(template);
		const rows = readRows(sheet, form, order.items);
		hints.addRows(rows);
		const request = createRequest(form, rows, {
			...readingOf(order.items[0]),
			// createInspection of docs/service.openapi.yaml takes a template's GUID, and no identifier.
			templateId: guidOf(template.id) ?? reference,
			isOfUse: (key) => usedColumns.has(key),
			keyProblems: order.keyProblems,
			header,
		});
		hints.addRequest(form, request);
		const { body, sent, doubts } = request;
		return { body, sent, doubts, template, client: service.client, keys: keysIn(service) };
	};
}

/** Where an order goes and what it is made from. Throws InputError where its rows say different things. */
async function sourceOf(
	{ items: [first, ...others] }: Order,
	{ context, rows: cells, numbers }: Sheet,
	serviceOf: ServiceOfItem,
): Promise<{ service: ItemService; reference: string }> {
	const service = await serviceOf(first);
	if (others.length === 0) return { service, reference: templateOfItem(context, first) };
	for (const other of others) {
		if ((await serviceOf(other)).client === service.client) continue;
		const rows = `row ${String(numbers.of(first))} and row ${String(numbers.of(other))}`;
		const wrong = `${rows} have different ones; the rows of one inspection give one credential`;
		throw InputError.of({ subject: 'Credential', wrong, kind: 'conflict' });
	}
	const referenceOf = (item: number) => {
		const row = numbers.of(item);
		const reference = namingRow(row, () => templateOfItem(context, item));
		return { row, reference, says: `"${reference}"` };
	};
	const said = referenceOf(first);
	const expression = expressionOf(locatorValue(rawParameter(context, 'templateId')));
	for (const other of others) {
		if (takesOnlyEmptyCells(expression, cells[other])) continue;
		const saidToo = referenceOf(other);
		if (saidToo.reference.toLowerCase() === said.reference.toLowerCase()) continue;
		throw InputError.of(conflictOf('Template', said, saidToo, 'template'));
	}
	return { service, reference: said.reference };
}
