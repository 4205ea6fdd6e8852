import { type CreateRequest, createRequest } from '../../domain/create/createRequest';
import { hasLostCharacters, headersIn } from '../../domain/create/unusedColumns';
import { guidOf } from '../../domain/id';
import { InputError, namingRow } from '../../domain/inputError';
import type { JsonRecord } from '../../domain/json';
import { conflictOf } from '../../domain/problem';
import { type Form, formOf } from '../../domain/template/form';
import type { ItemService, ServiceOfItem } from '../../transport/itemServices';
import type { OperationRun } from '../operation';
import { type UnfilledExpressions, usedColumns } from './createExpressions';
import { templateOf } from './createFields';
import type { CreateNotes } from './createHints';
import type { Order, Sheet } from './createOrders';
import { readingOptions, rowReader } from './createRows';

export interface OrderRequest extends Pick<CreateRequest, 'body' | 'sent'> {
	service: ItemService;
	/** The template that it is made from, as the service gave it. */
	template: JsonRecord;
}

/** Throws InputError with all problems of the rows of an order, and RequestFailure for its template. */
export type RequestOf = (order: Order) => Promise<OrderRequest>;

export function createRequests(
	{ context, serviceOf }: OperationRun,
	sheet: Sheet,
	unfilled: UnfilledExpressions,
	notes: CreateNotes,
): RequestOf {
	const rowsOf = rowReader(sheet);
	const readingOf = readingOptions(context);
	const isOfUse = usedColumns(context);
	const headerOf = headersIn(sheet.rows);
	const forms = new WeakMap<JsonRecord, Form>();
	return async (order) => {
		if (order.refusal !== undefined) throw order.refusal;
		const { service, reference } = await sourceOf(order, sheet, serviceOf);
		const template = await service.templates(reference);
		const form = forms.get(template) ?? formOf(template);
		forms.set(template, form);
		const rows = rowsOf(order.unit);
		unfilled.add(rows);
		const { body, sent, unmatched, ownColumns } = createRequest(form, rows, {
			...readingOf(order.unit[0]),
			groupColumn: sheet.groupColumn,
			// createInspection of docs/service.openapi.yaml takes a template's GUID, and no identifier.
			templateId: guidOf(template.id) ?? reference,
			isOfUse,
			keyProblems: order.keyProblems,
			header: headerOf(form),
		});
		const garbled = sent
			.filter(({ value }) => typeof value === 'string' && hasLostCharacters(value))
			.map(({ question }) => question.name);
		notes.requests.push({ form, unmatched, ownColumns, garbled });
		return { body, sent, service, template };
	};
}

/** Where an order goes and what it is made from. Throws InputError where its rows say different things. */
async function sourceOf(
	{ unit: [first, ...others] }: Order,
	{ context, numbers }: Sheet,
	serviceOf: ServiceOfItem,
): Promise<{ service: ItemService; reference: string }> {
	const service = await serviceOf(first);
	for (const other of others) {
		if ((await serviceOf(other)).client === service.client) continue;
		const wrong = `row ${String(numbers.of(first))} and row ${String(numbers.of(other))} have different ones; the rows of one inspection give one credential`;
		throw InputError.of({ subject: 'Credential', wrong, kind: 'conflict' });
	}
	const referenceOf = (item: number) => {
		const read = () => templateOf(context, item);
		return others.length === 0 ? read() : namingRow(numbers.of(item), read);
	};
	const reference = referenceOf(first);
	for (const other of others) {
		const another = referenceOf(other);
		if (another.toLowerCase() === reference.toLowerCase()) continue;
		const said = { row: numbers.of(first), says: `"${reference}"` };
		const saidToo = { row: numbers.of(other), says: `"${another}"` };
		throw InputError.of(conflictOf('Template', said, saidToo, 'template'));
	}
	return { service, reference };
}
