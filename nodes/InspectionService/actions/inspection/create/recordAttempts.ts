import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isOutcomeUnknown, type RequestFailure } from '../../../domain/request/requestFailure';
import { type RowNumbers, rowsText } from '../../../domain/rowNumbers';
import type { ItemIndexes, Plan, Progress } from '../../action';
import type { CreateOutcome } from './renderCreated';

// Tracks what this execution created or may have created (docs/no-duplicates.md).

/**
 * The outcome of an attempt to create an inspection. Rejected attempts aren't recorded, because they created nothing.
 */
interface Attempt {
	outcome?: CreateOutcome;
	outcomeUnknown?: RequestFailure;
}

/**
 * The attempts of each run of the node, by the run's first item, the run, and the first item of an inspection. With
 * Retry On Fail, n8n (2.41) passes the same item objects to each attempt. When n8n drops them, their attempts go, too.
 */
const attemptsOfRuns = new WeakMap<INodeExecutionData, Map<string, Map<number, Attempt>>>();

/**
 * Key in n8n's flow context, which lasts as long as the execution. Its value is true after any node has created an
 * inspection.
 */
const HAS_CREATED = 'inspectionServiceCreates';

/** The attempts of one run of the node, including its retries. Each round of a loop has separate attempts. */
export class Attempts {
	private readonly attempts: Map<number, Attempt>;
	private readonly flow: Record<string, unknown>;

	constructor(context: IExecuteFunctions) {
		const [first] = context.getInputData();
		const { $runIndex } = context.getWorkflowDataProxy(0);
		const run = JSON.stringify([context.getExecutionId(), context.getNode().id, $runIndex]);
		const runs = (first && attemptsOfRuns.get(first)) ?? new Map<string, Map<number, Attempt>>();
		this.attempts = runs.get(run) ?? new Map<number, Attempt>();
		this.flow = context.getContext('flow');
		if (first !== undefined) attemptsOfRuns.set(first, runs.set(run, this.attempts));
	}

	/**
	 * Returns the earlier attempt to create the inspection of these items. Undefined without an earlier attempt, or if
	 * the service rejected it.
	 */
	at([item]: ItemIndexes): Attempt | undefined {
		return this.attempts.get(item);
	}

	/**
	 * Calls `create` and records the inspection, or the error if the outcome is unknown. Rethrows errors from `create`.
	 */
	async attempt(items: ItemIndexes, create: () => Promise<CreateOutcome>): Promise<CreateOutcome> {
		const outcome = await create().catch((error: unknown) => {
			if (isOutcomeUnknown(error)) this.keep(items, { outcomeUnknown: error });
			throw error;
		});
		this.keep(items, { outcome });
		return outcome;
	}

	/**
	 * Returns what was created of these plans, for the error that ends the execution. The error already lists the items
	 * in `reported`, whose outcome is unknown.
	 */
	progress(plans: readonly Plan[], reported: ReadonlySet<number>, numbers: RowNumbers): Progress {
		const tried = plans.flatMap(({ items }) => {
			const attempt = this.at(items);
			return attempt === undefined ? [] : [{ items, ...attempt }];
		});
		const created = tried.filter((one) => one.outcome?.created.already_existed === false);
		const unknown = tried.filter((one) => one.outcomeUnknown !== undefined);
		const unreported = unknown.filter(({ items: [item] }) => !reported.has(item));
		const rowsOf = (some: typeof tried) => some.map(({ items }) => items.map(numbers.of));
		const isByOthers = created.length + unknown.length === 0 && this.flow[HAS_CREATED] === true;
		return {
			items: tried.flatMap(({ items }) => items),
			lines: [...describeCreated(rowsOf(created), rowsOf(unreported), isByOthers)],
		};
	}

	private keep([item]: ItemIndexes, attempt: Attempt): void {
		this.attempts.set(item, attempt);
		// An inspection that already existed wasn't created by this execution.
		if (attempt.outcome?.created.already_existed !== true) this.flow[HAS_CREATED] = true;
	}
}

/**
 * Describes what a failed execution created, and for which rows. `isByOthers` is true if only other nodes or earlier
 * rounds of a loop created inspections.
 */
export function* describeCreated(
	created: readonly (readonly number[])[],
	outcomeUnknown: readonly (readonly number[])[],
	isByOthers: boolean,
): Generator<string> {
	if (created.length > 0) {
		yield `${inspectionsText(created.length)} created in this execution (${rowsText(created.flat())}). Without a unique key, another execution with the same rows creates them again. Because of this error, created inspections aren't in the output. To keep them there, set 'On Error' under Settings to 'Continue (using error output)'.`;
	}
	if (outcomeUnknown.length > 0) {
		yield `It's unknown whether ${inspectionsText(outcomeUnknown.length)} created in an earlier attempt (${rowsText(outcomeUnknown.flat())}). Check in the service before you run these rows again.`;
	}
	if (isByOthers) {
		yield 'Another node, or an earlier round of a loop, might have created inspections in this execution.';
	}
}

function inspectionsText(count: number): string {
	return `${String(count)} ${count === 1 ? 'inspection was' : 'inspections were'}`;
}
