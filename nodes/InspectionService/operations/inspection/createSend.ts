import type { Perform } from '../operation';
import type { Order } from './createOrders';
import type { CreateOutputs } from './createOutput';
import type { CreateRequests } from './createRequests';
import { createKeyed } from './keyLookUp';
import { type CreateAttempts, createUnkeyed } from './madeInExecution';
import type { LookUpIn } from './uniqueKeys';

/** What an order is checked with, and what its inspection comes out as. */
export interface CreateSteps {
	requests: CreateRequests;
	lookUpIn: LookUpIn;
	outputs: CreateOutputs;
}

/** Checks an order. The function that it gives creates the inspection, unless an earlier try has. */
export async function prepareCreate(
	order: Order,
	attempts: CreateAttempts,
	{ requests, lookUpIn, outputs }: CreateSteps,
): Promise<Perform> {
	const { unit, key } = order;
	const output = outputs.of(order);
	const earlier = attempts.earlierOf(unit);
	if (earlier !== undefined && 'created' in earlier) {
		return async () => await output(earlier.created);
	}
	if (earlier !== undefined && key === undefined) throw earlier.inDoubt;
	const request = await requests.make(order);
	const create =
		key === undefined
			? createUnkeyed(request, () => attempts.createdIds())
			: await createKeyed(request, {
					key,
					isInDoubt: earlier !== undefined,
					lookUp: lookUpIn(request.service),
				});
	return async () => await output(await attempts.attempt(unit, create));
}
