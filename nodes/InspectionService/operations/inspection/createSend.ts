import {
	type CreatedInspection,
	createdOf,
	lookedUpInspection,
	sameNameSince,
} from '../../domain/create/createdInspection';
import { type UniqueKey, withUniqueKey } from '../../domain/create/uniqueKey';
import { type JsonRecord, textOf } from '../../domain/json';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { MAX_PAGE_SIZE } from '../../domain/list/inspectionQuery';
import { isInDoubt } from '../../domain/request/requestFailure';
import { cleanLine, listText, shownTime } from '../../domain/shownText';
import { addSeconds } from '../../domain/timestamp';
import type { ItemOutput } from '../../output/inspectionOutput';
import type { Attempts } from './attempts';
import type { Order } from './createOrders';
import type { createOutputs } from './createOutput';
import type { createRequests, OrderRequest } from './createRequests';

/** What is done for each order of a run. */
export interface CreateSteps {
	requestOf: ReturnType<typeof createRequests>;
	outputOf: ReturnType<typeof createOutputs>;
}

export type Perform = () => Promise<() => ItemOutput[]>;

/** A person looks at one or two of them. */
const SHOWN_INSPECTIONS = 3;

/** Checks an order. The function that it gives creates the inspection, unless an earlier try has. */
export async function prepareCreate(
	order: Order,
	attempts: Attempts,
	{ requestOf, outputOf }: CreateSteps,
): Promise<Perform> {
	const { items, key } = order;
	const output = outputOf(order);
	const { created, inDoubt } = attempts.at(items) ?? {};
	if (created !== undefined) {
		const kept = output.keep(created);
		return async () => await output.make(kept);
	}
	if (inDoubt !== undefined && key === undefined) throw inDoubt;
	const request = await requestOf(order);
	const create =
		key === undefined
			? async () => await createUnkeyed(request, attempts)
			: await createKeyed(request, key, inDoubt !== undefined);
	return async () =>
		await output.make(await attempts.attempt(items, async () => output.keep(await create())));
}

/**
 * Looks whether an inspection has the key already. The function that it returns gives that inspection, or creates one; a
 * create in doubt, also that of an earlier try (`wasInDoubt`), is looked for.
 */
export async function createKeyed(
	{ body, sent, template, client, keys }: OrderRequest,
	key: UniqueKey,
	wasInDoubt: boolean,
): Promise<() => Promise<CreatedInspection>> {
	const keyed = withUniqueKey(body, key);
	const existing = await keys.existing(key, template);
	if (existing !== undefined) {
		const warnings = canceledWarnings(existing, key);
		const found = wasInDoubt
			? foundByKey(existing)
			: lookedUpInspection(existing, { already_existed: true, warnings });
		return async () => await Promise.resolve(found);
	}
	const settle = async (error: unknown) => {
		if (!isInDoubt(error)) throw error;
		const made = await keys.madeInDoubt(key, template).catch(() => undefined);
		if (made !== undefined) return foundByKey(made);
		throw error.with({
			description: `No inspection with the unique key "${cleanLine(key.value, 100)}" is to be seen. Running this item again is safe: where the inspection exists after all, it is returned and not made again.`,
		});
	};
	return async () => {
		const made = wasInDoubt ? await keys.madeInDoubt(key, template) : undefined;
		if (made !== undefined) return foundByKey(made);
		const created = await client
			.createInspection(keyed)
			.then((response) => createdOf(response, { body: keyed, sent }, key), settle);
		await keys.remember(key, template, created);
		return created;
	};
}

/** A canceled inspection counts as well, and most people do not expect that. */
export function canceledWarnings({ status }: JsonRecord, { value }: UniqueKey): string[] {
	if (textOf(status)?.toLowerCase() !== 'canceled') return [];
	return [
		`The inspection with the unique key "${value}" is canceled, and none was created in its place. Give another key to create one.`,
	];
}

function foundByKey(made: JsonRecord): CreatedInspection {
	const warning =
		'The response to the create got lost. The inspection was found by its unique key; what warnings the service gave is unknown.';
	return lookedUpInspection(made, { already_existed: false, warnings: [warning] });
}

/** After a create in doubt the error names what may have come of it, without what this run has created for others. */
async function createUnkeyed(
	{ body, sent, client }: OrderRequest,
	attempts: Attempts,
): Promise<CreatedInspection> {
	const askedAt = performance.now();
	const explain = async (error: unknown): Promise<never> => {
		if (!isInDoubt(error)) throw error;
		const newestFirst = { sortBy: 'created_at', sortOrder: 'desc' } as const;
		const page = await client
			.list({ ...newestFirst, page: 1, pageSize: MAX_PAGE_SIZE })
			.catch(() => undefined);
		if (page === undefined) throw error;
		// The service's clock, whose `Date` header leaves out the milliseconds.
		const seconds = Math.ceil((performance.now() - askedAt) / 1_000) + 1;
		const since = page.sentAt && addSeconds(page.sentAt, -seconds);
		const found = since === undefined ? [] : sameNameSince(since, page.inspections, body);
		const others = found.filter(({ id }) => !attempts.createdIds().has(id));
		throw error.with({ description: `${seenText(others)} ${error.facts.description}` });
	};
	return createdOf(await client.createInspection(body).catch(explain), { body, sent });
}

function seenText(inspections: readonly InspectionRecord[]): string {
	if (inspections.length === 0) {
		return 'The service shows no such inspection yet; it may become visible later.';
	}
	const shown = inspections.slice(0, SHOWN_INSPECTIONS).map(({ id, name, created_at: at }) => {
		return `"${cleanLine(textOf(name) ?? '', 100)}" (${id}), created at ${shownTime(textOf(at) ?? '')}`;
	});
	return `The service shows ${listText(shown, inspections.length, '; ')}.`;
}
