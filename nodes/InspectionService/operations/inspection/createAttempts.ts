import { type IExecuteFunctions, type INodeExecutionData, NodeApiError } from 'n8n-workflow';

import type { CreatedInspection } from '../../domain/create/createdInspection';
import { copyOfError, isInDoubt } from '../../transport/serviceError';
import type { Unit } from '../operation';

/** What an earlier try made of a unit. A create that the service refused made nothing, and is not kept. */
export type Attempt = { created: CreatedInspection } | { inDoubt: NodeApiError };

/**
 * The attempts at each item, by run of the node. With Retry On Fail n8n (2.41) hands the same item objects to each try,
 * and frees them after the last one: then these entries go too.
 */
const attemptsOfItems = new WeakMap<INodeExecutionData, Map<string, Attempt>>();

/** The attempts of one run of the node: what is in them must not be sent again. */
export interface CreateAttempts {
	/** What an earlier try made of a unit; undefined where it may be sent as if for the first time. */
	earlierOf(unit: Unit): Attempt | undefined;
	/** The items of all units that an inspection was created for. */
	createdItems(): number[];
	/** The ids of all inspections that were created. */
	createdIds(): ReadonlySet<string>;
	/** Creates, and remembers the inspection or the doubt. Throws what `create` throws. */
	attempt(unit: Unit, create: () => Promise<CreatedInspection>): Promise<CreatedInspection>;
}

/**
 * The attempts of the run that `context` belongs to. A run is known by its execution, its node and its run index, so that
 * another node, or the next round of a loop, creates again from the same items.
 */
export function createAttempts(context: IExecuteFunctions, units: readonly Unit[]): CreateAttempts {
	const { $runIndex } = context.getWorkflowDataProxy(0);
	const run = JSON.stringify([context.getExecutionId(), context.getNode().id, $runIndex]);
	const input = context.getInputData();

	// The same parameters group the same items in every try: the first item stands for its unit.
	const attemptAt = ([item]: Unit): Attempt | undefined => {
		const object = input[item];
		return object && attemptsOfItems.get(object)?.get(run);
	};
	const remember = ([item]: Unit, attempt: Attempt) => {
		const object = input[item];
		if (object === undefined) return;
		const attempts = attemptsOfItems.get(object) ?? new Map<string, Attempt>();
		attemptsOfItems.set(object, attempts.set(run, attempt));
	};
	const keepDoubt = (unit: Unit) => (error: unknown) => {
		// A copy: the item loop writes into the errors that it gets.
		if (error instanceof NodeApiError && isInDoubt(error)) {
			remember(unit, { inDoubt: copyOfError(error) });
		}
		throw error;
	};
	const isCreated = (unit: Unit) => {
		const attempt = attemptAt(unit);
		return attempt !== undefined && 'created' in attempt;
	};
	return {
		earlierOf: attemptAt,
		createdItems: () => units.filter(isCreated).flat(),
		createdIds: () => new Set(units.flatMap((unit) => createdId(attemptAt(unit)))),
		async attempt(unit, create) {
			const created = await create().catch(keepDoubt(unit));
			remember(unit, { created });
			return created;
		},
	};
}

function createdId(attempt: Attempt | undefined): string[] {
	return attempt !== undefined && 'created' in attempt ? [String(attempt.created.id)] : [];
}
