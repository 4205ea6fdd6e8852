import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { ServiceOfItem } from '../transport/itemServices';

export type Resource = 'template' | 'inspection' | 'file';

/** One output item before the item loop pairs it to its input. */
export interface ItemOutput {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** What an operation gets once for each run of the node. */
export interface OperationRun {
	context: IExecuteFunctions;
	/** The service, with the credential as it reads for an item: a credential may hold expressions. */
	serviceOf: ServiceOfItem;
}

/** The items that are served together, by their indexes in rising order. For most operations it is one item. */
export type Unit = readonly [firstItem: number, ...otherItems: number[]];

/** What remains to be done for a unit that was read and checked. Called once at most. Throws NodeApiError. */
export type Perform = () => Promise<ItemOutput[]>;

/** Serves the items of one run of the node, in two phases; what it remembers lives as long as that run. */
export interface OperationSteps {
	/** Units in flight at once, 1 or more. */
	concurrency: number;
	/** The units, in the order of their outputs; each item alone where an operation does not say. */
	units?: readonly Unit[];
	/**
	 * First phase: reads and checks what a unit asks for, without changing anything in the service; what it hands back
	 * is the second phase. Throws InputError or NodeApiError; the loop adds the item's index.
	 */
	prepare(unit: Unit): Promise<Perform>;
	/** Called once after the last unit: what the output panel should say, in plain text. */
	hints?(): NodeExecutionHint[];
	/** When an error ends the execution, n8n drops the output of all units: the error says what was made all the same. */
	done?: {
		/** The items that something was made of so far, in this try of n8n's Retry On Fail or in an earlier one. */
		items(): readonly number[];
		/** A sentence about them; they are one or more. */
		describe(itemIndexes: readonly number[]): string;
	};
}

/** One operation of the action node: everything about it stands in one file. */
export interface Operation {
	resource: Resource;
	/** The entry of the operation's dropdown; `value` is saved in workflows. */
	option: INodePropertyOptions & { value: string };
	/** Fields without `displayOptions` for resource and operation: the registry adds those. */
	fields: INodeProperties[];
	/** `run.context` parameters may be read here with item index 0 for what counts for all items. */
	begin(run: OperationRun): OperationSteps | Promise<OperationSteps>;
}
