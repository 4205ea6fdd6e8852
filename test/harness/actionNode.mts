import type { INodeParameters, NodeExecutionHint } from 'n8n-workflow';

import type { Sandbox } from '#sandbox/service/sandbox.mts';
import { type Credential, executeNode, type NodeRunOptions } from './inspectionNodes.mts';

/** Runs the action node with a credential; what came out, field by field of n8n's items. */
export const actionNode =
	(credential: Credential) =>
	async (parameters: object, run: Partial<NodeRunOptions> = {}) => {
		const given = parameters as INodeParameters;
		const { items, hints } = await executeNode({ credential, ...run, parameters: given });
		return {
			json: items.map(({ json }) => json),
			/** The names of inspections, or the errors in their place. */
			names: items.map(({ json }) => json.name ?? json.error),
			paired: items.map(({ pairedItem }) => pairedItem),
			/** The files of each item that has some, by the field that they are in. */
			files: items.map(({ binary }) => binary),
			hints: hints.map(({ message }: NodeExecutionHint) => message),
		};
	};

/** Query parameters of the list requests that were made. */
export const listQueries = ({ requests, apiUrl }: Sandbox) =>
	requests.all('listInspections').map(({ url }) => new URL(url, apiUrl).searchParams);
