import { createHash } from 'crypto';

import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { clientForCredential, type InspectionServiceClient } from './inspectionServiceClient';
import { Memory } from './memory';
import { cacheTemplates, type TemplateCache } from './templates';

export interface ItemService {
	/** Its hash: unlike an API key, it may stay in memory after the execution. */
	credential: string;
	client: InspectionServiceClient;
	templates: TemplateCache;
}

export type ServiceOfItem = (itemIndex: number) => Promise<ItemService>;

/** Items whose credential has the same values share one client. It is read once where it holds no expressions. */
export function servicesByItem(context: IExecuteFunctions): ServiceOfItem {
	const services = new Memory<ItemService>();
	const read = async (itemIndex: number) =>
		await context.getCredentials('inspectionServiceApi', itemIndex);
	const serviceFor = (data: ICredentialDataDecryptedObject) => {
		const settings = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1));
		const credential = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
		return services.getOrMake(credential, () => {
			const client = clientForCredential(context, data);
			const execution = callingExecutionOf(context);
			// An execution without an id shares nothing.
			const owner = execution === undefined ? undefined : `${execution} ${credential}`;
			return { credential, client, templates: cacheTemplates(client, owner) };
		});
	};
	let ofAll: Promise<ItemService | undefined> | undefined;
	return async (itemIndex) => {
		ofAll ??= read(itemIndex).then(
			(data) => (data.hasExpressions === false ? serviceFor(data) : undefined),
			// An expression that fails for one item says nothing of the others.
			() => undefined,
		);
		return (await ofAll) ?? serviceFor(await read(itemIndex));
	};
}

/** The execution that a workflow and its sub-workflows run in. n8n before 2 names only the sub-workflow's own. */
export function callingExecutionOf(context: IExecuteFunctions): string | undefined {
	const execution = 'getExecutionContext' in context ? context.getExecutionContext() : undefined;
	return execution?.parentExecutionId ?? context.getExecutionId();
}
