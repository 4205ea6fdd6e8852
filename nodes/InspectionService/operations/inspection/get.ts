import type { IExecuteFunctions } from 'n8n-workflow';

import { groupBy } from '../../domain/groupBy';
import { InputError } from '../../domain/inputError';
import { findInspections, type SearchResult } from '../../domain/list/findInspections';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { MAX_ACTIVE } from '../../domain/mapConcurrently';
import { type Timestamp, timestampOf } from '../../domain/timestamp';
import { parametersOf } from '../../fields/field';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { ItemService, ServiceOfItem } from '../../transport/itemServices';
import { Memory } from '../../transport/memory';
import { jobPerItem, type OperationRun, type OperationSteps } from '../operation';
import { GET_FIELDS } from './readingFields';
import { Readings } from './readings';

/** Gets one inspection for each item. The service has no such operation, so the inspection is found in its list. */
export function beginGet({ context, serviceOf }: OperationRun): OperationSteps {
	const readings = new Readings(context);
	const orders = context
		.getInputData()
		.map(async (_, item) => await orderOf(context, item, serviceOf));
	const find = searchFor(orders);
	return {
		concurrency: MAX_ACTIVE,
		jobs: jobPerItem(context, async (item) => {
			const order = await (orders[item] ?? orderOf(context, item, serviceOf));
			const { inspectionId, choice, service } = order;
			const read = async () => {
				const inspection = await find(order);
				readings.budget.add(inspection);
				return [inspection];
			};
			return async () => await readings.get(service, { inspectionId, choice }, read);
		}),
		hints: () => readings.hints(),
	};
}

/** What one item asks for, checked. */
interface Order {
	readonly inspectionId: string;
	readonly changedAround: Timestamp | undefined;
	readonly choice: OutputChoice;
	readonly service: ItemService;
}

/** Throws InputError where a value cannot be used. */
async function orderOf(
	context: IExecuteFunctions,
	item: number,
	serviceOf: ServiceOfItem,
): Promise<Order> {
	const { inspectionId, output, options } = parametersOf(context, item, GET_FIELDS);
	const { changedAround, ...others } = options;
	return {
		inspectionId,
		changedAround: timestampOf(changedAround),
		choice: { output, ...others },
		service: await serviceOf(item),
	};
}

/** Finds the inspection of an order. All orders with the same credential and the same includes share one search. */
function searchFor(orders: readonly Promise<Order>[]) {
	const searches = new Memory<Promise<SearchResult>>();
	// An order that cannot be read fails when its item is prepared.
	const groups = Promise.allSettled(orders).then((settled) =>
		groupBy(
			settled.flatMap((order) => (order.status === 'fulfilled' ? [order.value] : [])),
			searchKey,
		),
	);
	return async (order: Order): Promise<InspectionRecord> => {
		const key = searchKey(order);
		const alike = (await groups).get(key) ?? [];
		const result = await searches.getOrMake(key, async () => await searchTogether(order, alike));
		const found = result.found.get(order.inspectionId);
		if (found !== undefined) return found;
		throw notFound(order, result);
	};
}

function searchKey({ service, choice }: Order): string {
	return `${service.credential} ${includesFor(choice).join()}`;
}

async function searchTogether(
	{ choice, service }: Order,
	alike: readonly Order[],
): Promise<SearchResult> {
	const wanted = alike.map(
		({ inspectionId, changedAround }) => [inspectionId, changedAround] as const,
	);
	const search = { source: service.client, includes: includesFor(choice), lanes: MAX_ACTIVE };
	return await findInspections(new Map(wanted), search);
}

function notFound({ inspectionId }: Order, { lookedAt, oldest }: SearchResult): InputError {
	const many = lookedAt === 1 ? '1 inspection' : `${lookedAt.toLocaleString('en')} inspections`;
	const back = oldest === undefined ? '' : `, back to the one that was last updated at ${oldest}`;
	return new InputError(
		`Inspection: ${inspectionId} is not in the service's list. The whole list was searched (${many}${back}). Check the ID. An inspection that was deleted, or that this API key may not read, is not in the list`,
	);
}
