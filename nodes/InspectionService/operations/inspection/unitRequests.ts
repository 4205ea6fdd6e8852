import type { IExecuteFunctions } from 'n8n-workflow';

import { type CreateRequest, createRequest } from '../../domain/create/createRequest';
import { namingRow } from '../../domain/create/draft';
import { guidOf, idKey } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import type { JsonRecord } from '../../domain/json';
import type { RowNumbers } from '../../domain/rowNumbers';
import { type Form, formOf } from '../../domain/template/form';
import { requiredTemplateReference } from '../../fields/locators';
import { booleanOf } from '../../fields/parameterValue';
import type { ItemService, ServiceOfItem } from '../../transport/itemServices';
import type { TemplateCache } from '../../transport/templateCache';
import type { OperationRun, Unit } from '../operation';
import { usedColumns } from './createExpressions';
import { createOptions, rememberReadingOptions } from './createOptions';
import { createRows, isAutoMapped } from './createRows';
import type { CreateUnits } from './createUnits';
import { mappedInVain, type UnfilledExpressions } from './unfilledExpressions';

/** What is to be sent for a unit, and where. */
export interface UnitRequest extends CreateRequest {
	service: ItemService;
	/** The template that it is made from, as the service gave it, and as it is read. */
	template: JsonRecord;
	form: Form;
}

/** What the requests of all units have in common. */
interface Shared {
	groups: Pick<CreateUnits, 'groupColumn' | 'numbers' | 'units'>;
	unfilled: UnfilledExpressions;
}

/** Makes the requests of units. Throws InputError with all problems of a unit, and NodeApiError for its template. */
export function unitRequests(
	{ context, serviceOf }: OperationRun,
	{ groups: { groupColumn, numbers, units }, unfilled }: Shared,
): (unit: Unit) => Promise<UnitRequest> {
	const rowsOf = createRows(context, numbers);
	const readingOf = rememberReadingOptions(context.getTimezone());
	const formOfTemplate = rememberForms();
	const isOfUse = usedColumns(context);
	const vain =
		units.length === 0 || isAutoMapped(context) ? undefined : mappedInVain(context, units.flat());
	return async (unit) => {
		const service = await serviceOfUnit(serviceOf, unit, numbers);
		const { reference, template } = await templateOfUnit(context, unit, {
			templates: service.templates,
			numbers,
		});
		const form = formOfTemplate(template);
		if (vain !== undefined) throw InputError.of(vain(form));
		const options = createOptions(context, unit[0]);
		const how = readingOf(options);
		const rows = rowsOf(unit);
		for (const row of rows) unfilled.addRow(row, form);
		const request = createRequest(form, rows, {
			...how,
			groupColumn,
			// createInspection of docs/service.openapi.yaml takes a template's GUID, and no identifier.
			templateId: guidOf(template.id) ?? reference,
			validate: booleanOf('Validate Responses', options.validateResponses, true),
			isOfUse,
		});
		return { ...request, service, template, form };
	};
}

/** The service of a unit. Throws InputError where its rows have different credentials. */
async function serviceOfUnit(
	serviceOf: ServiceOfItem,
	unit: Unit,
	numbers: RowNumbers,
): Promise<ItemService> {
	const [first, ...others] = unit;
	const service = await serviceOf(first);
	for (const other of others) {
		if ((await serviceOf(other)).client !== service.client) {
			throw InputError.of({
				subject: 'Credential',
				wrong: `row ${String(numbers.of(first))} and row ${String(numbers.of(other))} have different ones; the rows of one inspection give one credential`,
				kind: 'conflict',
			});
		}
	}
	return service;
}

/** The template of a unit. Throws InputError where its rows name different templates. */
async function templateOfUnit(
	context: IExecuteFunctions,
	unit: Unit,
	{ templates, numbers }: { templates: TemplateCache; numbers: RowNumbers },
): Promise<{ reference: string; template: JsonRecord }> {
	const referenceOf = (item: number) =>
		requiredTemplateReference(context.getNodeParameter('templateId', item));
	const [first, ...others] = unit;
	const isAlone = others.length === 0;
	const namedReference = (item: number) =>
		isAlone ? referenceOf(item) : namingRow(numbers.of(item), () => referenceOf(item));
	const reference = namedReference(first);
	const references = others.map((item) => ({ row: numbers.of(item), other: namedReference(item) }));
	const template = await templates(reference);
	for (const { row, other } of references) {
		if (other.toLowerCase() === reference.toLowerCase()) continue;
		const found = await templates(other).catch(() => undefined);
		if (found !== undefined && idKey(String(found.id)) === idKey(String(template.id))) continue;
		throw InputError.of({
			subject: 'Template',
			wrong: `row ${String(numbers.of(first))} says "${reference}" and row ${String(row)} says "${other}"; the rows of one inspection give one template`,
			kind: 'conflict',
		});
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
