import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Notices } from '../domain/notices';
import type { PlanProblems } from '../domain/problem';
import type { RowNumbers } from '../domain/rowNumbers';
import type { ItemOutput } from '../output/inspectionOutput';
import type { Services } from './itemServices';

/** Describes an operation for the editor. */
export interface OperationDescription {
	resource: 'template' | 'inspection' | 'file';
	/** The option in the Operation dropdown. Workflows save its `value`. */
	option: INodePropertyOptions & { value: string };
	/** Fields without `displayOptions` for resource and operation, which the registry adds. */
	fields: INodeProperties[];
}

/** One run of the node. */
export interface Run {
	readonly context: IExecuteFunctions;
	readonly services: Services;
	/** Notices that the output panel shows at the end of the run. */
	readonly notices: Notices;
	/** Row numbers of the input items, as people know them. */
	readonly numbers: RowNumbers;
}

/** Indexes of input items that are processed together, in ascending order. */
export type Items = readonly [first: number, ...others: number[]];

/** The items that are processed as one unit. In most operations, that's a single item. */
export interface Plan {
	readonly items: Items;
	/** Identifies several items in messages, such as `"Nr." 18`. Undefined if the row numbers are enough. */
	readonly name?: string | undefined;
}

export interface Done<APlan, Outcome> {
	readonly plan: APlan;
	readonly outcome: Outcome;
}

/** Progress to report in the error that ends a run. Includes earlier attempts by n8n's Retry On Fail. */
export interface Progress {
	/** Items that were created, or whose outcome is unknown because a response was lost. */
	readonly items: readonly number[];
	/** Describe what was or may have been created. Empty if the execution created nothing. */
	readonly lines: readonly string[];
}

/**
 * An operation's work in one run. All plans are checked before any is sent, and rendered after all are sent. If the
 * node continues on errors, each plan is checked and sent independently.
 */
export interface Execution<APlan extends Plan = Plan, Request = unknown, Outcome = unknown> {
	/** In output order. */
	readonly plans: readonly APlan[];
	/** Maximum number of plans to check or send at once. Defaults to the request limit. */
	readonly concurrency?: number;
	/** Must not change anything in the service. Throws InputError or RequestFailure. */
	check(plan: APlan): Promise<Request>;
	/** Called at most once per plan. Throws RequestFailure. */
	send(request: Request, plan: APlan): Promise<Outcome>;
	/** Returns the items of each plan, in the same order. Called once, and never throws. */
	render(done: readonly Done<APlan, Outcome>[]): ItemOutput[][];
	/** Returns advice on the whole input, based on the problems of the rejected plans. */
	advice?(refused: readonly ItemsProblems[]): readonly string[];
	/**
	 * Returns undefined if the run only reads. `reported` contains the items whose unknown outcome the error already
	 * names.
	 */
	progress?(reported: ReadonlySet<number>): Progress | undefined;
}

export interface ItemsProblems extends PlanProblems {
	readonly items: Items;
}

/** How an operation processes single items. `render` receives the outcomes of all sent items, and never throws. */
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
