import { LruCache } from '../../cache/lruCache';
import { groupBy } from '../../domain/groupBy';
import { idKey } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import { findInspections, type SearchResult } from '../../domain/list/findInspections';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import type { Include, InspectionPageQuery } from '../../domain/list/inspectionQuery';
import type { MemoryBudget } from '../../domain/memoryBudget';
import { type Timestamp, timestampOf } from '../../domain/timestamp';
import { parametersOf } from '../../fields/field';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { Execution, Plan, Run } from '../action';
import type { ItemService } from '../itemServices';
import { GET_FIELDS } from './inspectionFields';
import { type SharedResult, SharedResults } from './sharedResults';

/** The inspection that an item requests, and how to search for it. */
interface Wanted {
	readonly inspectionId: string;
	readonly near: Timestamp | undefined;
	readonly choice: OutputChoice;
	readonly includes: readonly Include[];
	readonly service: ItemService;
	/** Items with the same search key share a search. */
	readonly searchKey: string;
}

interface GetPlan extends Plan {
	readonly wanted: Promise<Wanted>;
}

/**
 * Retrieves one inspection per item. The service can't return a single inspection, so this function searches the list
 * of inspections.
 */
export async function startGet(run: Run): Promise<Execution<GetPlan, Wanted, SharedResult>> {
	const results = new SharedResults(run);
	const plans = run.context.getInputData().map((_, item): GetPlan => {
		return { items: [item], wanted: wantedBy(run, item) };
	});
	// Read the parameters of all items first, because items share a search. An item's error is thrown when the item is
	// checked.
	const wanted = await Promise.allSettled(plans.map((plan) => plan.wanted));
	const readable = wanted.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
	const searches = new Searches(readable, results.budget);
	return {
		plans,
		check: async (plan) => await plan.wanted,
		async send(one) {
			const read = async () => [await searches.find(one)];
			return await results.get(one.service, one.choice, one.inspectionId, read);
		},
		render: (done) => results.render(done.map(({ outcome }) => outcome)),
	};
}

/** Throws InputError for invalid values. */
async function wantedBy({ context, services }: Run, item: number): Promise<Wanted> {
	const { inspectionId, output, options } = parametersOf(context, item, GET_FIELDS);
	const { changedAround, ...others } = options;
	const choice = { output, ...others };
	const service = await services.of(item);
	const includes = includesFor(choice);
	const searchKey = `${service.credential} ${includes.join()}`;
	const near = timestampOf(changedAround);
	return { inspectionId, near, choice, service, includes, searchKey };
}

/** The searches of one run. Items with the same credential and includes share a search. */
class Searches {
	private readonly groups: ReadonlyMap<string, readonly Wanted[]>;
	private readonly results = new LruCache<Promise<SearchResult>>();
	private readonly budget: MemoryBudget;

	constructor(wanted: readonly Wanted[], budget: MemoryBudget) {
		this.groups = groupBy(wanted, ({ searchKey }) => searchKey);
		this.budget = budget;
	}

	/**
	 * Throws InputError if the list doesn't contain the inspection, or if the inspections found exceed the memory
	 * budget.
	 */
	async find({ inspectionId, searchKey, service, includes }: Wanted): Promise<InspectionRecord> {
		const alike = this.groups.get(searchKey) ?? [];
		const times = new Map(alike.map((one) => [one.inspectionId, one.near]));
		const result = await this.results.getOrMake(searchKey, async () => {
			// Count each wanted inspection against the memory budget now, because the search keeps it until the end.
			const source = {
				list: async (query: InspectionPageQuery) => {
					const page = await service.client.list(query);
					for (const inspection of page.inspections) {
						if (times.has(idKey(inspection.id))) this.budget.add(inspection);
					}
					return page;
				},
			};
			return await findInspections(times, source, includes);
		});
		return result.found.get(inspectionId) ?? notFound(inspectionId, result);
	}
}

function notFound(inspectionId: string, { checkedCount }: SearchResult): never {
	const many =
		checkedCount === 1 ? '1 inspection' : `${checkedCount.toLocaleString('en')} inspections`;
	throw new InputError(
		`Inspection: ${inspectionId} is not in the service's list. The whole list was searched (${many}). Check the ID. Deleted inspections, and those that this API key can't read, aren't in the list`,
	);
}
