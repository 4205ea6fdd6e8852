import { LruCache } from '../../cache/lruCache';
import { uniqueKeyOf } from '../../domain/create/uniqueKey';
import { quotedList, shownValue } from '../../domain/formatting';
import { groupBy } from '../../domain/groupBy';
import { idKey } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import { type JsonRecord, textOf } from '../../domain/json';
import { findInspections, type SearchResult } from '../../domain/list/findInspections';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import type { InspectionPageQuery } from '../../domain/list/inspectionQuery';
import { templateKey } from '../../domain/template/templateOfInspection';
import { type Timestamp, timestampOf } from '../../domain/timestamp';
import { parametersOf } from '../../fields/field';
import type { LoadedInspections } from '../../output/inspectionOutput';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { Execution, Plan, Run } from '../action';
import { callingExecutionOf, type ItemService } from '../itemServices';
import { UniqueKeyIndexes } from './create/findByUniqueKey';
import { GET_FIELDS } from './inspectionFields';
import { SharedResults } from './sharedResults';

/** What an item requests, as its parameters say. */
interface GetRequest {
	readonly reference: { readonly id: string } | { readonly key: string };
	/** A time close to when the inspection was created or last changed. */
	readonly near: Timestamp | undefined;
	readonly uniqueKeyDays: number;
	readonly choice: OutputChoice;
	readonly service: ItemService;
}

/** The inspection that an item requests. */
interface Wanted extends Omit<GetRequest, 'reference' | 'uniqueKeyDays'> {
	readonly inspectionId: string;
}

interface GetPlan extends Plan {
	readonly wanted: Promise<Wanted>;
}

/**
 * Retrieves one inspection per item. The service can't return a single inspection, so this function searches the list
 * of inspections.
 */
export async function startGet(run: Run): Promise<Execution<GetPlan, Wanted, LoadedInspections>> {
	const results = new SharedResults(run);
	// Read the parameters of all items first, because items share a search. An item's error is thrown when the item is
	// checked.
	const requests = run.context.getInputData().map(async (_, item) => await requestOf(run, item));
	const keys = (await fulfilled(requests)).flatMap(({ reference }) =>
		'key' in reference ? [reference.key] : [],
	);
	const find = keyFinder(run, new Set(keys));
	const plans = requests.map((request, item): GetPlan => {
		return { items: [item], wanted: request.then(find) };
	});
	const wanted = await fulfilled(plans.map((plan) => plan.wanted));
	const search = searchFor(wanted, results);
	return {
		plans,
		check: async (plan) => await plan.wanted,
		async send(one) {
			const read = async () => [await search(one)];
			return await results.get(one.service, one.choice, one.inspectionId, read);
		},
		render: (done) => results.render(done.map(({ outcome }) => outcome)),
	};
}

async function fulfilled<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
	const settled = await Promise.allSettled(promises);
	return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Throws InputError for invalid values. */
async function requestOf({ context, services }: Run, item: number): Promise<GetRequest> {
	const { inspectionId, output, options } = parametersOf(context, item, GET_FIELDS);
	const { changedAround, uniqueKeyDays, ...others } = options;
	const reference = 'id' in inspectionId ? inspectionId : { key: uniqueKeyOf(inspectionId.key) };
	const service = await services.of(item);
	const near = timestampOf(changedAround);
	return { reference, near, uniqueKeyDays, choice: { output, ...others }, service };
}

/**
 * Returns a function that finds the ID of an item's inspection. All items with a unique key share Create's index, which
 * is read once. Throws InputError if no inspection has the key, or if inspections of several templates have it.
 */
function keyFinder({ context }: Run, wanted: ReadonlySet<string>) {
	const execution = callingExecutionOf(context);
	const indexes = new LruCache<UniqueKeyIndexes>();
	return async ({ reference, uniqueKeyDays: days, ...request }: GetRequest): Promise<Wanted> => {
		if ('id' in reference) return { ...request, inspectionId: reference.id };
		const { key } = reference;
		const search = { days, wanted };
		const index = indexes.getOrMake(String(days), () => new UniqueKeyIndexes(execution, search));
		const found = (await index.of(request.service).known()).all(key);
		const [first] = found;
		if (first === undefined) throw keyNotFound(key, days);
		if (new Set(found.map(templateKey)).size > 1) throw keyOfSeveral(key, found);
		const near = timestampOf(first.updated_at) ?? request.near;
		return { ...request, inspectionId: idKey(textOf(first.id) ?? ''), near };
	};
}

function keyNotFound(key: string, days: number): InputError {
	const searched =
		days === 0
			? 'The whole list was searched.'
			: `The node searched the inspections that were created in the last ${days} days before the newest one. To search further back, set the option 'Unique Key Days'.`;
	return new InputError(
		`Inspection: no inspection has the unique key ${shownValue(key)}. ${searched} Check the key`,
	);
}

function keyOfSeveral(key: string, found: readonly JsonRecord[]): InputError {
	const ids = quotedList(found.map(({ id }) => String(id)));
	return new InputError(
		`Inspection: inspections of several templates have the unique key ${shownValue(key)}: ${ids}. Enter the ID of one of them`,
	);
}

/**
 * Returns a function that finds the inspection of an item. Items with the same credential and parts share a search. The
 * function throws InputError if the list doesn't contain the inspection, or if the inspections found exceed the memory
 * budget.
 */
function searchFor(wanted: readonly Wanted[], { budget }: SharedResults) {
	const searchKey = ({ service, choice }: Wanted) =>
		`${service.credential} ${includesFor(choice).join()}`;
	const groups = groupBy(wanted, searchKey);
	const results = new LruCache<Promise<SearchResult>>();
	return async (one: Wanted): Promise<InspectionRecord> => {
		const { inspectionId, service, choice } = one;
		const alike = groups.get(searchKey(one)) ?? [];
		const result = await results.getOrMake(searchKey(one), async () => {
			const times = new Map(alike.map((another) => [another.inspectionId, another.near]));
			// Count each wanted inspection against the memory budget now, because the search keeps it until the end.
			const list = async (query: InspectionPageQuery) => {
				const page = await service.client.list(query);
				for (const inspection of page.inspections) {
					if (times.has(idKey(inspection.id))) budget.add(inspection);
				}
				return page;
			};
			return await findInspections(times, { list }, includesFor(choice));
		});
		return result.found.get(inspectionId) ?? notFound(inspectionId, result);
	};
}

function notFound(inspectionId: string, { checkedCount }: SearchResult): never {
	const many =
		checkedCount === 1 ? '1 inspection' : `${checkedCount.toLocaleString('en')} inspections`;
	throw new InputError(
		`Inspection: ${inspectionId} is not in the service's list. The whole list was searched (${many}). Check the ID. Deleted inspections, and those that this API key can't read, aren't in the list`,
	);
}
