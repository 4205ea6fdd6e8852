import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CreatedInspection } from '../../../domain/create/createdInspection';
import { isOutcomeUnknown, type RequestFailure } from '../../../domain/request/requestFailure';
import { type RowNumbers, rowsText } from '../../../domain/rowNumbers';
import type { ItemIndexes, Progress } from '../../action';

// Tracks what this execution created or may have created (docs/no-duplicates.md).

/**
 * The outcome of an attempt to create an inspection. Rejected attempts aren't recorded, because they created nothing.
 */
interface Attempt {
	created?: CreatedInspection;
	outcomeUnknown?: RequestFailure;
}

/**
 * The attempts of this process, by item object. With Retry On Fail, n8n (2.41) passes the same objects to each attempt.
 * The inner key contains the item's index, because one object can have several indexes, for example after a Merge node.
 */
const attemptsOfItems = new WeakMap<INodeExecutionData, Map<string, Attempt>>();

/**
 * Key in n8n's flow context, which lasts as long as the execution. Its value is true after any node has created an
 * inspection.
 */
const HAS_CREATED = 'inspectionServiceCreates';

/** The attempts of one run of the node, including its retries. Each round of a loop has separate attempts. */
export class Attempts {
	private readonly plans: readonly ItemIndexes[];
	private readonly input: readonly INodeExecutionData[];
	private readonly run: string;
	private readonly flow: Record<string, unknown>;

	constructor(context: IExecuteFunctions, plans: readonly ItemIndexes[]) {
		const { $runIndex } = context.getWorkflowDataProxy(0);
		this.plans = plans;
		this.input = context.getInputData();
		this.run = JSON.stringify([context.getExecutionId(), context.getNode().id, $runIndex]);
		this.flow = context.getContext('flow');
	}

	/**
	 * Returns the earlier attempt to create the inspection of these items. Undefined without an earlier attempt, or if
	 * the service rejected it.
	 */
	at([item]: ItemIndexes): Attempt | undefined {
		const object = this.input[item];
		return object && attemptsOfItems.get(object)?.get(this.nameOf(item));
	}

	/**
	 * Calls `create` and records the inspection, or the error if the outcome is unknown. Rethrows errors from `create`.
	 */
	async attempt(
		items: ItemIndexes,
		create: () => Promise<CreatedInspection>,
	): Promise<CreatedInspection> {
		const created = await create().catch((error: unknown) => {
			if (isOutcomeUnknown(error)) this.keep(items, { outcomeUnknown: error });
			throw error;
		});
		this.keep(items, { created });
		return created;
	}

	/**
	 * Returns what was created, for the error that ends the execution. The error already lists the items in `reported`,
	 * whose outcome is unknown.
	 */
	progress(reported: ReadonlySet<number>, numbers: RowNumbers): Progress {
		const tried = this.tried();
		const created = tried.filter((attempt) => attempt.created?.already_existed === false);
		const outcomeUnknown = tried.filter((attempt) => attempt.outcomeUnknown !== undefined);
		const unreported = outcomeUnknown.filter(({ items: [item] }) => !reported.has(item));
		const rowsOf = (some: readonly { items: ItemIndexes }[]) =>
			some.map(({ items }) => items.map((item) => numbers.of(item)));
		const isByOthers =
			created.length + outcomeUnknown.length === 0 && this.flow[HAS_CREATED] !== undefined;
		return {
			items: tried.flatMap((attempt) => attempt.items),
			lines: [...describeCreated(rowsOf(created), rowsOf(unreported), isByOthers)],
		};
	}

	private tried() {
		return this.plans.flatMap((items) => {
			const attempt = this.at(items);
			return attempt === undefined ? [] : [{ items, ...attempt }];
		});
	}

	private nameOf(item: number): string {
		return `${String(item)} ${this.run}`;
	}

	private keep([item]: ItemIndexes, attempt: Attempt): void {
		const object = this.input[item];
		if (object === undefined) return;
		const attempts = attemptsOfItems.get(object) ?? new Map<string, Attempt>();
		attemptsOfItems.set(object, attempts.set(this.nameOf(item), attempt));
		// An inspection that already existed wasn't created by this execution.
		if (attempt.created?.already_existed !== true) this.flow[HAS_CREATED] = true;
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
		yield `${inspectionsText(created.length)} created in this execution (${rowsText(created.flat())}). Without a unique key, another execution with the same rows creates them again. This error replaces the output of the created inspections. To keep their output, set 'On Error' under Settings to 'Continue (using error output)'.`;
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
