import type { INodeParameters, IPairedItemData } from 'n8n-workflow';

import type { Sandbox } from '#sandbox/service/sandbox.mts';
import type { Credential } from './credential.mts';
import { executeNode, type Execution, type NodeRunOptions } from './inspectionNodes.mts';

/** The result of running the action node. Each list has one element per output item, except for `hints`. */
export type Outcome = ReturnType<typeof outcomeOf>;

export const outcomeOf = ({ items, hints }: Execution) => ({
	items,
	jsons: items.map(({ json }) => json),
	/** The name of each inspection, or the item's error. */
	names: items.map(({ json }) => json.name ?? json.error),
	/** The index of the input item that n8n links to each output item. */
	pairs: items.map(({ pairedItem }) => (pairedItem as IPairedItemData).item),
	/** The files of each output item, by field name. Undefined for an item without files. */
	files: items.map(({ binary }) => binary),
	/** The hints that n8n shows above the output. */
	hints: hints.map(({ message }) => message),
});

export const actionNode =
	(credential: Credential) =>
	async (parameters: object, run: Partial<NodeRunOptions> = {}) => {
		const given = parameters as INodeParameters;
		return outcomeOf(await executeNode({ credential, ...run, parameters: given }));
	};

/** Returns the query parameters of each list request that the sandbox received. */
export const listQueries = ({ requests, apiUrl }: Sandbox) =>
	requests.all('listInspections').map(({ url }) => new URL(url, apiUrl).searchParams);
