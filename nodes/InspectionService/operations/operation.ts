import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

export type Resource = 'template' | 'inspection' | 'file';

/** One output item before the item loop pairs it to its input. */
export interface ItemOutput {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** What an operation gets once per execution. */
export interface OperationRun {
	context: IExecuteFunctions;
	service: InspectionServiceClient;
}

/** Serves the items of one execution; what it caches lives as long as the execution. */
export interface ItemExecutor {
	/** Items in flight at once, 1 or more. */
	concurrency: number;
	/** One item's output. Throws InputError or NodeApiError; the loop adds the item's index. */
	executeItem(itemIndex: number): Promise<ItemOutput[]>;
	/** Called once after the last item: what the output panel should say, in plain text. */
	hints?(): NodeExecutionHint[];
	/**
	 * When an item's error ends the execution, n8n drops the output of all others: one sentence on what had
	 * been done for the items named, added to that error.
	 */
	describeDone?(itemIndexes: readonly number[]): string;
}

/** One operation of the action node: everything about it stands in one file. */
export interface Operation {
	resource: Resource;
	/** The entry of the operation's dropdown; `value` is saved in workflows. */
	option: INodePropertyOptions & { value: string };
	/** Fields without `displayOptions` for resource and operation: the registry adds those. */
	fields: INodeProperties[];
	/** `run.context` parameters may be read here with item index 0 for what counts for all items. */
	begin(run: OperationRun): ItemExecutor;
}
