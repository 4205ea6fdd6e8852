import type { IExecuteFunctions } from 'n8n-workflow';

import { type CreateRequest, createRequest } from '../../domain/create/createRequest';
import { namingRow } from '../../domain/create/draft';
import { headersIn } from '../../domain/create/unusedColumns';
import { guidOf, idKey } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import type { JsonRecord } from '../../domain/json';
import { conflictOf } from '../../domain/problem';
import { type Form, formOf } from '../../domain/template/form';
import { TEMPLATE } from '../../fields/locators';
import { booleanOf } from '../../fields/parameterValue';
import type { ItemService, ServiceOfItem } from '../../transport/itemServices';
import type { OperationRun, Unit } from '../operation';
import { usedColumns } from './createExpressions';
import { createOptions, rememberReadingOptions } from './createOptions';
import type { Order, Sheet } from './createOrders';
import { createRows } from './createRows';
import { mappedInVain, type UnfilledExpressions } from './unfilledExpressions';

/** What is to be sent for an order, and where. */
export interface OrderRequest extends CreateRequest {
	service: ItemService;
	/** The template that it is made from, as the service gave it, and as it is read. */
	template: JsonRecord;
	form: Form;
}

/** Makes the request of an order. Throws InputError with all problems of its rows, and RequestFailure for its template. */
export type RequestOf = (order: Order) => Promise<OrderRequest>;

export function orderRequests(
	{ context, serviceOf }: OperationRun,
	{ sheet, orders }: { sheet: Sheet; orders: readonly Order[] },
	unfilled: UnfilledExpressions,
): RequestOf {
	const { numbers, groupColumn } = sheet;
	const rowsOf = createRows(context, numbers);
	const readingOf = rememberReadingOptions(context.getTimezone());
	const formOfTemplate = rememberForms();
	const isOfUse = usedColumns(context);
	const headerOf = headersIn(sheet.rows);
	const vain = mappedInVain(
		context,
		orders.flatMap(({ unit }) => unit),
	);
	return async ({ unit, refusal, keyProblems }) => {
		if (refusal !== undefined) throw refusal;
		const service = await serviceOfUnit(serviceOf, unit, sheet);
		const { reference, template } = await templateOfUnit(context, unit, {
			templates: service.templates,
			sheet,
		});
		const form = formOfTemplate(template);
		if (vain !== undefined) throw InputError.of(vain(form));
		const options = createOptions(context, unit[0]);
		const rows = rowsOf(unit);
		for (const row of rows) unfilled.addRow(row, form);
		const request = createRequest(form, rows, {
			...readingOf(options),
			groupColumn,
			// createInspection of docs/service.openapi.yaml takes a template's GUID, and no identifier.
			templateId: guidOf(template.id) ?? reference,
			validate: booleanOf('Validate Responses', options.validateResponses, true),
			isOfUse,
			keyProblems,
			header: headerOf(form),
		});
		return { ...request, service, template, form };
	};
}

/** The service of a unit. Throws InputError where its rows have different credentials. */
async function serviceOfUnit(
	serviceOf: ServiceOfItem,
	[first, ...others]: Unit,
	{ numbers }: Sheet,
): Promise<ItemService> {
	const service = await serviceOf(first);
	for (const other of others) {
		if ((await serviceOf(other)).client === service.client) continue;
		throw InputError.of({
			subject: 'Credential',
			wrong: `row ${String(numbers.of(first))} and row ${String(numbers.of(other))} have different ones; the rows of one inspection give one credential`,
			kind: 'conflict',
		});
	}
	return service;
}

/** The template of a unit. Throws InputError where its rows name different templates. */
async function templateOfUnit(
	context: IExecuteFunctions,
	[first, ...others]: Unit,
	{ templates, sheet: { numbers } }: { templates: ItemService['templates']; sheet: Sheet },
): Promise<{ reference: string; template: JsonRecord }> {
	const referenceOf = (item: number) => {
		const read = () =>
			TEMPLATE.read(context.getNodeParameter('templateId', item), context.getTimezone());
		return others.length === 0 ? read() : namingRow(numbers.of(item), read);
	};
	const reference = referenceOf(first);
	const references = others.map((item) => ({ item, other: referenceOf(item) }));
	const template = await templates(reference);
	for (const { item, other } of references) {
		if (other.toLowerCase() === reference.toLowerCase()) continue;
		const found = await templates(other).catch(() => undefined);
		if (found !== undefined && idKey(String(found.id)) === idKey(String(template.id))) continue;
		const [one, another] = [
			{ row: numbers.of(first), says: `"${reference}"` },
			{ row: numbers.of(item), says: `"${other}"` },
		];
		throw InputError.of(conflictOf('Template', one, another, 'template'));
	}
	return { reference, template };
}

/** Makes the form of each template once, however many items have it. */
function rememberForms(): (template: JsonRecord) => Form {
	const forms = new WeakMap<JsonRecord, Form>();
	return (template) => {
		const form = forms.get(template) ?? formOf(template);
		forms.set(template, form);
		return form;
	};
}
