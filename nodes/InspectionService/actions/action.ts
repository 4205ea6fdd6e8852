import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Notices } from '../domain/notices';
import type { RowNumbers } from '../domain/rowNumbers';
import type { ItemOutput } from '../output/inspectionOutput';
import type { Services } from './itemServices';

/** Describes an operation for the editor. */
export interface OperationDescription {
	resource: 'template' | 'inspection' | 'file';
	/** The option in the Operation dropdown. Workflows save its `value`. */
	option: INodePropertyOptions & { value: string };
	/** The operation's fields. `operationProperties` adds the `displayOptions` for their resource and operation. */
	fields: INodeProperties[];
}

/** Everything that an operation needs: n8n's context, the services, and the notices to report. */
export interface Run {
	readonly context: IExecuteFunctions;
	readonly services: Services;
	/** Notices that the output panel shows at the end of the run. */
	readonly notices: Notices;
	/** The row number of each input item, as shown to people. */
	readonly numbers: RowNumbers;
}

/** Indexes of input items that are processed together, in ascending order. */
export type ItemIndexes = readonly [first: number, ...others: number[]];

/** Items that are processed as one unit. In most operations, each unit is a single item. */
export interface Plan {
	readonly items: ItemIndexes;
	/** The name of the items in messages, such as `"Nr." 18`. Undefined if messages only need row numbers. */
	readonly name?: string | undefined;
}

export interface Done<APlan, Outcome> {
	readonly plan: APlan;
	readonly outcome: Outcome;
}

/** Progress to report in the error that ends a run. Includes earlier attempts by n8n's Retry On Fail. */
export interface Progress {
	/** Indexes of items whose inspection was created, or was possibly created because a response was lost. */
	readonly items: readonly number[];
	/** Sentences about what was or may have been created. Empty if the execution created nothing. */
	readonly lines: readonly string[];
}

/**
 * An operation's work in one run. All plans are checked before the first one is sent, and rendered after the last one
 * is sent. If the node continues on errors, each plan is checked and sent independently.
 */
export interface Execution<APlan extends Plan = Plan, Request = unknown, Outcome = unknown> {
	/** The plans, in the order of the output. */
	readonly plans: readonly APlan[];
	/**
	 * Prepares the request of a plan, without changing anything in the service. Throws InputError or RequestFailure.
	 */
	check(plan: APlan): Promise<Request>;
	/** Sends the request of a plan. Called at most once per plan. Throws RequestFailure. */
	send(request: Request, plan: APlan): Promise<Outcome>;
	/**
	 * Returns the output items of each plan, in the order of `done`. Called once per run. Only an operation that creates
	 * nothing may throw an InputError.
	 */
	render(done: readonly Done<APlan, Outcome>[]): ItemOutput[][];
	/** Returns sentences that may explain why plans were rejected. The error has them before and after the problems. */
	notices?(): { readonly first: readonly string[]; readonly last: readonly string[] };
	/**
	 * Returns what the run has created so far, for the error that ends the run. Missing if the operation only reads.
	 * The error already lists the items in `reported`, whose outcome is unknown.
	 */
	progress?(reported: ReadonlySet<number>): Progress;
}

/** How an operation processes single items. `render` receives the outcomes of all sent items. */
interface ItemSteps<Request, Outcome> {
	check(item: number): Promise<Request>;
	send(request: Request): Promise<Outcome>;
	render(outcomes: readonly Outcome[]): ItemOutput[][];
}

/** Builds an execution with one plan per input item. */
export function perItem<Request, Outcome>(
	{ context }: Pick<Run, 'context'>,
	steps: ItemSteps<Request, Outcome>,
): Execution<Plan, Request, Outcome> {
	return {
		plans: context.getInputData().map((_, item) => ({ items: [item] })),
		check: async ({ items: [item] }) => await steps.check(item),
		send: async (request) => await steps.send(request),
		render: (done) => steps.render(done.map(({ outcome }) => outcome)),
	};
}
