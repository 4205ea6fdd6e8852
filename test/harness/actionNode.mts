import type { INodeParameters, IPairedItemData } from 'n8n-workflow';

import type { Sandbox } from '#sandbox/service/sandbox.mts';
import type { Credential } from './credential.mts';
import { executeNode, type Execution, type NodeRunOptions } from './inspectionNodes.mts';

/** The result of a run of the action node, one list per field of n8n's items. */
export type Outcome = ReturnType<typeof outcomeOf>;

export const outcomeOf = ({ items, hints }: Execution) => ({
	items,
	jsons: items.map(({ json }) => json),
	/** The names of inspections, or the errors instead. */
	names: items.map(({ json }) => json.name ?? json.error),
	/** The input item of each output item. */
	pairs: items.map(({ pairedItem }) => (pairedItem as IPairedItemData).item),
	/** The files of each item that has some, by field. */
	files: items.map(({ binary }) => binary),
	/** The hints above the output. */
	hints: hints.map(({ message }) => message),
});

export const actionNode =
	(credential: Credential) =>
	async (parameters: object, run: Partial<NodeRunOptions> = {}) => {
		const given = parameters as INodeParameters;
		return outcomeOf(await executeNode({ credential, ...run, parameters: given }));
	};

/** Query parameters of the list requests that were sent. */
export const listQueries = ({ requests, apiUrl }: Sandbox) =>
	requests.all('listInspections').map(({ url }) => new URL(url, apiUrl).searchParams);
