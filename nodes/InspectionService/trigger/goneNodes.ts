import { isObject } from '../domain/json';

/** The key of a checkpoint in the static data of its node. */
export const OWN_KEY = 'checkpoint';
/** The key of a checkpoint in the static data of the workflow, without the node's ID. */
export const GLOBAL_PREFIX = 'inspectionServiceTrigger:';
const NODE_PREFIX = 'node:';

/**
 * Deletes the checkpoints of trigger nodes that are no longer in the workflow, and those under earlier names of renamed
 * nodes. n8n itself keeps them in the workflow's data for ever. `workflow` is n8n's object of the workflow (n8n 1.100.1
 * and 2.41.1). n8n's types don't promise it, so an object of another shape changes nothing.
 */
export function deleteRecordsOfGoneNodes(workflow: unknown, ownId: string): void {
	const { nodes, staticData } = isObject(workflow) ? workflow : {};
	if (!isObject(nodes) || !isObject(staticData)) return;
	const ids = new Set(Object.values(nodes).map((node) => (isObject(node) ? node.id : undefined)));
	if (!ids.has(ownId)) return;
	const global = isObject(staticData.global) ? staticData.global : {};
	for (const key of Object.keys(global)) {
		const isGone = key.startsWith(GLOBAL_PREFIX) && !ids.has(key.slice(GLOBAL_PREFIX.length));
		if (isGone) Reflect.deleteProperty(global, key);
	}
	for (const [key, data] of Object.entries(staticData)) {
		const isOfNode = key.startsWith(NODE_PREFIX) && isCheckpoint(data);
		const isGone = isOfNode && !Object.hasOwn(nodes, key.slice(NODE_PREFIX.length));
		if (isGone) Reflect.deleteProperty(staticData, key);
	}
}

/** Whether the static data of a node contains a checkpoint of this trigger. */
function isCheckpoint(data: unknown): boolean {
	const { [OWN_KEY]: record } = isObject(data) ? data : {};
	return isObject(record) && isObject(record.source) && 'nodeId' in record.source;
}
