import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Notices } from '../domain/notices';
import type { UnitProblems } from '../domain/problem';
import type { RowNumbers } from '../domain/rowNumbers';
import type { ItemOutput } from '../output/inspectionOutput';
import type { ServiceOfItem } from '../transport/itemServices';

/** What n8n shows of an operation. */
export interface OperationDescription {
	resource: 'template' | 'inspection' | 'file';
	/** The entry of the operation's dropdown; `value` is saved in workflows. */
	option: INodePropertyOptions & { value: string };
	/** Fields without `displayOptions` for resource and operation: the registry adds those. */
	fields: INodeProperties[];
}

/** One run of the node. */
export interface Run {
	readonly context: IExecuteFunctions;
	/** The service for an item. A credential may hold expressions, so each item may have another one. */
	readonly serviceOf: ServiceOfItem;
	/** How long the service held requests back so far, because there were too many (429), in ms. */
	rateLimitedMs(): number;
	/** What the output panel says at the end of the run. */
	readonly notices: Notices;
	/** The numbers by which people know the input items. */
	readonly numbers: RowNumbers;
}

/** Input items that are served together, by their indexes in rising order. */
export type Items = readonly [first: number, ...others: number[]];

/** The items that make one thing. In most operations that is one item. */
export interface Plan {
	readonly items: Items;
	/** What people know several items by, for messages: `"Nr." 18`; undefined if their rows say enough. */
	readonly name?: string | undefined;
}

export interface Done<APlan, Outcome> {
	readonly plan: APlan;
	readonly outcome: Outcome;
}

/** For the error that ends a run: what was done, in this try of n8n's Retry On Fail or in an earlier one. */
export interface Progress {
	/** The items whose outcome is known, or unknown because a response got lost. */
	readonly items: readonly number[];
	/** What was created or may have been; none if nothing of the whole execution was. */
	readonly lines: readonly string[];
}

/**
 * What an operation does in one run. All plans are checked before anything is sent, and rendered once all were sent. If the
 * node continues on errors, each plan is checked and sent by itself.
 */
export interface Execution<APlan extends Plan = Plan, Request = unknown, Outcome = unknown> {
	/** In the order of their outputs. */
	readonly plans: readonly APlan[];
	/** How many plans are checked or sent at once; by default as many as requests. */
	readonly concurrency?: number;
	/** Changes nothing in the service. Throws InputError or RequestFailure. */
	check(plan: APlan): Promise<Request>;
	/** Called at most once for each plan. Throws RequestFailure. */
	send(request: Request, plan: APlan): Promise<Outcome>;
	/** The items of each plan, in the same order. Called once, and never throws. */
	render(done: readonly Done<APlan, Outcome>[]): ItemOutput[][];
	/** Sentences on how the whole input would do, from the problems of the plans that were refused. */
	advice?(refused: readonly PlanProblems[]): readonly string[];
	/**
	 * Undefined if the run only reads. `reported` are the items whose unknown outcome the error names already.
	 */
	progress?(reported: ReadonlySet<number>): Progress | undefined;
}

export interface PlanProblems extends UnitProblems {
	readonly items: Items;
}

/** How an operation serves one item by itself. `render` gets the outcomes of all items that were sent, and never throws. */
export interface ItemSteps<Request, Outcome> {
	check(item: number): Promise<Request>;
	send(request: Request): Promise<Outcome>;
	render(outcomes: readonly Outcome[]): ItemOutput[][];
}

/** An execution in which each input item is a plan of its own. */
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
