import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Problem } from '../domain/problem';
import type { ItemOutput } from '../output/inspectionOutput';
import type { ServiceOfItem } from '../transport/itemServices';
import type { Hint } from './hints';

export interface OperationRun {
	context: IExecuteFunctions;
	/** The service for an item. A credential may hold expressions, so each item may have another one. */
	serviceOf: ServiceOfItem;
}

/** Items that are served together, by their indexes in rising order. In most operations a unit is one item. */
export type Unit = readonly [firstItem: number, ...otherItems: number[]];

/** The outputs of a unit, or a function that makes them once all units are done, and never throws. */
export type UnitOutput = readonly ItemOutput[] | (() => readonly ItemOutput[]);

/** The second phase for a unit: sends, and gives the outputs. Called at most once. Throws RequestFailure. */
export type Perform = () => Promise<UnitOutput>;

/** A unit, and what is to be done for it. */
export interface Job {
	readonly unit: Unit;
	/** What people know a unit of several items by, for messages: `"Nr." 18`; undefined where its rows say enough. */
	readonly name?: string | undefined;
	/** The first phase: checks, and changes nothing in the service. Throws InputError or RequestFailure. */
	prepare(): Promise<Perform>;
}

export function jobPerItem(
	context: IExecuteFunctions,
	prepare: (item: number) => Promise<Perform>,
): Job[] {
	return context.getInputData().map((_, item) => ({
		unit: [item],
		prepare: async () => await prepare(item),
	}));
}

export interface OperationSteps {
	/** How many jobs are done at once; by default as many as requests. */
	concurrency?: number;
	/** In the order of their outputs. */
	jobs: readonly Job[];
	/** Called once after the last unit: what the output panel should say. */
	hints?(): Hint[];
	/** Sentences on how the whole input would do, from the problems of the units that were refused. */
	advice?: (refused: readonly { unit: Unit; problems: readonly Problem[] }[]) => readonly string[];
	/**
	 * For the error that ends an execution: the items whose outcome is known, or in doubt, in this try of n8n's Retry On Fail
	 * or in an earlier one, and sentences about what was made or may have been; none where nothing of the whole execution was.
	 * `told` are items whose doubt the error names already.
	 */
	done?: (told: ReadonlySet<number>) => { items: readonly number[]; lines: readonly string[] };
}

export interface Operation {
	resource: 'template' | 'inspection' | 'file';
	/** The entry of the operation's dropdown; `value` is saved in workflows. */
	option: INodePropertyOptions & { value: string };
	/** Fields without `displayOptions` for resource and operation: the registry adds those. */
	fields: INodeProperties[];
	/** Called once for each run. Parameters that count for all items may be read here, with item index 0. */
	begin(run: OperationRun): Promise<OperationSteps>;
}

export type OperationDescription = Omit<Operation, 'begin'>;
