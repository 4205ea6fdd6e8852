import type { IExecuteFunctions } from 'n8n-workflow';

import { groupBy } from '../../domain/groupBy';
import { idKey } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import type { ListSource } from '../../domain/list/fetchPage';
import { findInspections, type SearchResult } from '../../domain/list/findInspections';
import type { MemoryBudget } from '../../domain/memoryBudget';
import { timestampOf } from '../../domain/timestamp';
import { parametersOf } from '../../fields/field';
import { includesFor } from '../../output/outputChoice';
import type { ServiceOfItem } from '../../transport/itemServices';
import { Memory } from '../../transport/memory';
import type { OperationRun, OperationSteps } from '../operation';
import { GET_FIELDS } from './readingFields';
import { sharedReadings } from './readings';

/** Gets one inspection for each item. The service has no such operation, so the inspection is found in its list. */
export function beginGet({ context, serviceOf }: OperationRun): OperationSteps {
	const readings = sharedReadings(context);
	const wanted = context
		.getInputData()
		.map(async (_, item) => await wantedBy(context, item, serviceOf));
	const find = searchFor(wanted, readings.budget);
	return {
		jobs: wanted.map((sought, item) => ({
			unit: [item],
			async prepare() {
				const { inspectionId, choice, service } = await sought;
				const read = async () => [await find(await sought)];
				return async () => await readings.get(service, choice, inspectionId, read);
			},
		})),
		hints: () => readings.hints(),
	};
}

type Sought = Awaited<ReturnType<typeof wantedBy>>;

/** What one item asks for. Throws InputError where a value cannot be used. */
async function wantedBy(context: IExecuteFunctions, item: number, serviceOf: ServiceOfItem) {
	const { inspectionId, output, options } = parametersOf(context, item, GET_FIELDS);
	const { changedAround, ...others } = options;
	const choice = { output, ...others };
	const service = await serviceOf(item);
	const includes = includesFor(choice);
	const searchKey = `${service.credential} ${includes.join()}`;
	const near = timestampOf(changedAround);
	return { inspectionId, near, choice, service, includes, searchKey };
}

/** Finds the inspection of an item, within a budget. All with the same credential and the same includes share one search. */
function searchFor(wanted: readonly Promise<Sought>[], budget: MemoryBudget) {
	const searches = new Memory<Promise<SearchResult>>();
	// What cannot be read fails when its item is prepared.
	const groups = Promise.allSettled(wanted).then((settled) =>
		groupBy(
			settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
			({ searchKey }) => searchKey,
		),
	);
	return async ({ inspectionId, searchKey, service, includes }: Sought) => {
		const alike = (await groups).get(searchKey) ?? [];
		const times = new Map(alike.map((one) => [one.inspectionId, one.near]));
		const result = await searches.getOrMake(searchKey, async () => {
			const source = { list: countedFinds(service.client.list, times, budget) };
			return await findInspections(times, source, includes);
		});
		return result.found.get(inspectionId) ?? notFound(inspectionId, result);
	};
}

/** The list, where each wanted inspection counts: a search keeps those until it ends. */
function countedFinds(
	list: ListSource['list'],
	wanted: ReadonlyMap<string, unknown>,
	budget: MemoryBudget,
): ListSource['list'] {
	return async (query) => {
		const page = await list(query);
		for (const inspection of page.inspections) {
			if (wanted.has(idKey(inspection.id))) budget.add(inspection);
		}
		return page;
	};
}

function notFound(inspectionId: string, { lookedAt }: SearchResult): never {
	const many = lookedAt === 1 ? '1 inspection' : `${lookedAt.toLocaleString('en')} inspections`;
	throw new InputError(
		`Inspection: ${inspectionId} is not in the service's list. The whole list was searched (${many}). Check the ID. An inspection that was deleted, or that this API key may not read, is not in the list`,
	);
}
