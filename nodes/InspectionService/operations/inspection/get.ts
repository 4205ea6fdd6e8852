import { groupBy } from '../../domain/groupBy';
import { idKey } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import type { ListSource } from '../../domain/list/fetchPage';
import { findInspections, type SearchResult } from '../../domain/list/findInspections';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import type { Include } from '../../domain/list/inspectionQuery';
import type { MemoryBudget } from '../../domain/memoryBudget';
import { type Timestamp, timestampOf } from '../../domain/timestamp';
import { parametersOf } from '../../fields/field';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { ItemService } from '../../transport/itemServices';
import { Memory } from '../../transport/memory';
import type { Execution, Plan, Run } from '../operation';
import { GET_FIELDS } from './readingFields';
import { type Reading, Readings } from './readings';

/** What one item asks for. */
interface Wanted {
	readonly inspectionId: string;
	readonly near: Timestamp | undefined;
	readonly choice: OutputChoice;
	readonly includes: readonly Include[];
	readonly service: ItemService;
	/** Items with the same one share a search. */
	readonly searchKey: string;
}

interface GetPlan extends Plan {
	readonly wanted: Promise<Wanted>;
}

/** Gets one inspection for each item. The service has no such operation, so the inspection is found in its list. */
export async function startGet(run: Run): Promise<Execution<GetPlan, Wanted, Reading>> {
	const readings = new Readings(run);
	const plans = run.context.getInputData().map((_, item): GetPlan => {
		return { items: [item], wanted: wantedBy(run, item) };
	});
	// A search has to know every inspection that it looks for. What is wrong with an item is thrown when that is checked.
	const wanted = await Promise.allSettled(plans.map((plan) => plan.wanted));
	const readable = wanted.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
	const searches = new Searches(readable, readings.budget);
	return {
		plans,
		check: async (plan) => await plan.wanted,
		async send(one) {
			const read = async () => [await searches.find(one)];
			return await readings.get(one.service, one.choice, one.inspectionId, read);
		},
		render: (done) => readings.render(done.map(({ outcome }) => outcome)),
	};
}

/** Throws InputError if a value cannot be used. */
async function wantedBy({ context, serviceOf }: Run, item: number): Promise<Wanted> {
	const { inspectionId, output, options } = parametersOf(context, item, GET_FIELDS);
	const { changedAround, ...others } = options;
	const choice = { output, ...others };
	const service = await serviceOf(item);
	const includes = includesFor(choice);
	const searchKey = `${service.credential} ${includes.join()}`;
	const near = timestampOf(changedAround);
	return { inspectionId, near, choice, service, includes, searchKey };
}

/** The searches of one run. All items with the same credential and the same includes share one. */
class Searches {
	private readonly groups: ReadonlyMap<string, readonly Wanted[]>;
	private readonly results = new Memory<Promise<SearchResult>>();
	private readonly budget: MemoryBudget;

	constructor(wanted: readonly Wanted[], budget: MemoryBudget) {
		this.groups = groupBy(wanted, ({ searchKey }) => searchKey);
		this.budget = budget;
	}

	/** Throws InputError if the list has no such inspection, or takes more memory than the budget allows. */
	async find({ inspectionId, searchKey, service, includes }: Wanted): Promise<InspectionRecord> {
		const alike = this.groups.get(searchKey) ?? [];
		const times = new Map(alike.map((one) => [one.inspectionId, one.near]));
		const result = await this.results.getOrMake(searchKey, async () => {
			const source = { list: countedFinds(service.client.list, times, this.budget) };
			return await findInspections(times, source, includes);
		});
		return result.found.get(inspectionId) ?? notFound(inspectionId, result);
	}
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
