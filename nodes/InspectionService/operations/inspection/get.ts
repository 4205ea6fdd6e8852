import type { IExecuteFunctions } from 'n8n-workflow';

import { type Timestamp, timestampOf } from '../../domain/timestamp';
import { parametersOf } from '../../fields/field';
import { addInspections, ExecutionOutput } from '../../output/inspectionOutput';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { ItemService, ServiceOfItem } from '../../transport/itemServices';
import { outputHints } from '../hints';
import { jobPerItem, type OperationRun, type OperationSteps } from '../operation';
import { GET_FIELDS } from './getFields';
import { SharedReadings } from './sharedReadings';
import { SharedSearch, type WantedInspection } from './sharedSearch';

/** Items served at once: as many as the connection sends requests at once (MAX_ACTIVE). */
const CONCURRENT_ITEMS = 10;

/** What one item asks for, checked. */
interface Order {
	readonly inspectionId: string;
	readonly changedAround: Timestamp | undefined;
	readonly choice: OutputChoice;
	readonly service: ItemService;
}

/** Gets one inspection for each item. The service has no such operation, so the inspection is found in its list. */
export function beginGet({ context, serviceOf }: OperationRun): OperationSteps {
	const problems: string[] = [];
	const readings = new SharedReadings();
	const execution = new ExecutionOutput();
	const orders = context
		.getInputData()
		.map(async (_, item) => await orderOf(context, item, serviceOf));
	const search = new SharedSearch(wantedBy(orders));
	return {
		concurrency: CONCURRENT_ITEMS,
		jobs: jobPerItem(context, async (item) => {
			const order = await (orders[item] ?? orderOf(context, item, serviceOf));
			const { inspectionId, choice, service } = order;
			const read = async () => {
				const inspection = await search.find(wantedInspection(order));
				readings.budget.add(inspection);
				const report = (problem: string) => problems.push(problem);
				const output = { context, service: service.client, templates: service.templates, report };
				const make = await addInspections([inspection], choice, output, execution);
				return () => make().flat();
			};
			const asked = { client: service.client, parameters: { inspectionId, choice } };
			return async () => await readings.get(asked, read);
		}),
		hints: () => outputHints(problems, execution),
	};
}

/** @throws InputError where a value cannot be used */
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

/** What all items want together. An item whose order cannot be read wants nothing: it fails when it is prepared. */
async function wantedBy(orders: readonly Promise<Order>[]): Promise<WantedInspection[]> {
	const settled = await Promise.allSettled(orders);
	return settled.flatMap((order) =>
		order.status === 'fulfilled' ? [wantedInspection(order.value)] : [],
	);
}

function wantedInspection({
	inspectionId,
	changedAround,
	choice,
	service,
}: Order): WantedInspection {
	return {
		id: inspectionId,
		changedAround,
		includes: includesFor(choice),
		client: service.client,
	};
}
