import { createHash } from 'crypto';

import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { TemplateCache } from '../cache/templateCache';
import { InspectionServiceClient } from '../transport/inspectionServiceClient';

export interface ItemService {
	/** A hash of the credential's values. Unlike the API key, the hash can stay in memory after the execution. */
	credential: string;
	client: InspectionServiceClient;
	templates: TemplateCache;
}

/**
 * Connects the items of a run to their services. Items whose credentials have the same values share one client. A
 * credential without expressions is read only once.
 */
export class ItemServices {
	private readonly context: IExecuteFunctions;
	private readonly services = new Map<string, ItemService>();
	private ofAll: Promise<ItemService | undefined> | undefined;

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	/**
	 * Returns the service for an item. Credentials may contain expressions, so services can differ between items.
	 * Throws InputError if the credential is unusable, or n8n's error if n8n can't read the credential.
	 */
	async of(item: number): Promise<ItemService> {
		this.ofAll ??= this.read(item).then(
			(data) => (data.hasExpressions === false ? this.serviceFor(data) : undefined),
			// An expression that fails for one item can succeed for other items.
			() => undefined,
		);
		return (await this.ofAll) ?? this.serviceFor(await this.read(item));
	}

	/**
	 * Returns how long requests have waited because a service asked for it, in ms. With several services, that's the
	 * longest wait, because requests to different services run concurrently.
	 */
	requestedWaitMs(): number {
		const all = [...this.services.values()];
		return Math.max(0, ...all.map(({ client }) => client.requestedWaitMs()));
	}

	private async read(item: number): Promise<ICredentialDataDecryptedObject> {
		return await this.context.getCredentials('inspectionServiceApi', item);
	}

	private serviceFor(data: ICredentialDataDecryptedObject): ItemService {
		const settings = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1));
		const credential = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
		const known = this.services.get(credential);
		if (known !== undefined) return known;
		const client = new InspectionServiceClient(this.context, data);
		const execution = callingExecutionOf(this.context);
		// The nodes of an execution share templates, but only if the execution has an ID.
		const owner = execution === undefined ? undefined : `${execution} ${credential}`;
		const service = { credential, client, templates: new TemplateCache(client, owner) };
		this.services.set(credential, service);
		return service;
	}
}

/** The members of `ItemServices` that actions use. */
export type Services = Pick<ItemServices, 'of' | 'requestedWaitMs'>;

/**
 * Returns the ID of the execution that called this sub-workflow. For a workflow that wasn't called by another, and
 * before n8n 2, returns the ID of its own execution.
 */
export function callingExecutionOf(context: IExecuteFunctions): string | undefined {
	const execution = 'getExecutionContext' in context ? context.getExecutionContext() : undefined;
	return execution?.parentExecutionId ?? context.getExecutionId();
}
