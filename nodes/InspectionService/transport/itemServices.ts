import type { IExecuteFunctions } from 'n8n-workflow';

import { clientForCredential, type InspectionServiceClient } from './inspectionServiceClient';
import { cacheTemplates, digestOf, ownerOf, type TemplateCache } from './templateCache';

/** What the items of one credential share during one run of the node. */
export interface ItemService {
	/** What tells the credential from others, without its key. */
	credential: string;
	client: InspectionServiceClient;
	templates: TemplateCache;
}

/** The service for an item. Throws InputError where the credential cannot be read or used for it. */
export type ServiceOfItem = (itemIndex: number) => Promise<ItemService>;

/**
 * Reads the credential for each item, because it may hold expressions. Items whose credentials have the same values share
 * one client, with its request queue and its templates. The other nodes of the execution share these templates too.
 */
export function servicesByItem(context: IExecuteFunctions): ServiceOfItem {
	const services = new Map<string, ItemService>();
	return async (itemIndex) => {
		const credential = await context.getCredentials('inspectionServiceApi', itemIndex);
		const settings = Object.entries(credential).toSorted(([a], [b]) => (a < b ? -1 : 1));
		const key = JSON.stringify(settings);
		const known = services.get(key);
		if (known !== undefined) return known;
		const client = clientForCredential(context, credential);
		const digest = digestOf(settings);
		const templates = cacheTemplates(client, ownerOf(context, digest));
		const service = { credential: digest, client, templates };
		services.set(key, service);
		return service;
	};
}
