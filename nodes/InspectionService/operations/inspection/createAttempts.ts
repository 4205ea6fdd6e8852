import { type IExecuteFunctions, type INodeExecutionData, NodeApiError } from 'n8n-workflow';

import type { CreatedInspection } from '../../domain/create/createdInspection';
import { copyOfError, isInDoubt } from '../../transport/serviceError';
import type { Unit } from '../operation';

/** What an earlier try has done with a unit. A create that the service refused is not kept, because it made nothing. */
export type Attempt = { created: CreatedInspection } | { inDoubt: NodeApiError };

/**
 * The attempts at each item, by run of the node. With Retry On Fail n8n (2.41) hands the same item objects to each try.
 * After the last try n8n frees the items, and so the entries of this map go too.
 */
const attemptsOfItems = new WeakMap<INodeExecutionData, Map<string, Attempt>>();

/** The attempts of one run of the node. A unit that has one must not simply be sent again. */
export interface CreateAttempts {
	/** What an earlier try has done with a unit; undefined where the unit may be sent as if for the first time. */
	earlierOf(unit: Unit): Attempt | undefined;
	/** The items of all units that an inspection was created for. */
	createdItems(): number[];
	/** The ids of all inspections that were created. */
	createdIds(): ReadonlySet<string>;
	/** Calls `create`, and remembers the inspection, or the error of a create in doubt. Throws what `create` throws. */
	attempt(unit: Unit, create: () => Promise<CreatedInspection>): Promise<CreatedInspection>;
}

/**
 * The attempts of the run that `context` belongs to. A run is told by its execution, its node and its run index. So
 * another node, or the next round of a loop, creates inspections from the same items again.
 */
export function createAttempts(context: IExecuteFunctions, units: readonly Unit[]): CreateAttempts {
	const { $runIndex } = context.getWorkflowDataProxy(0);
	const run = JSON.stringify([context.getExecutionId(), context.getNode().id, $runIndex]);
	const input = context.getInputData();

	// Every try makes the same units of the same items. So the first item is enough to tell a unit.
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
