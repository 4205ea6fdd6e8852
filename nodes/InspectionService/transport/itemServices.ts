import { createHash } from 'crypto';

import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { clientForCredential, type InspectionServiceClient } from './inspectionServiceClient';
import { cacheTemplates, type TemplateCache } from './templates';

export interface ItemService {
	/** Its hash: unlike an API key, it may stay in memory after the execution. */
	credential: string;
	client: InspectionServiceClient;
	templates: TemplateCache;
}

export type ServiceOfItem = (itemIndex: number) => Promise<ItemService>;

/** Items whose credential has the same values share one client. It is read once where it holds no expressions. */
export class ItemServices {
	private readonly context: IExecuteFunctions;
	private readonly services = new Map<string, ItemService>();
	private ofAll: Promise<ItemService | undefined> | undefined;

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	/** Throws InputError for an unusable credential, and what n8n throws for one that it can't read. */
	async of(item: number): Promise<ItemService> {
		this.ofAll ??= this.read(item).then(
			(data) => (data.hasExpressions === false ? this.serviceFor(data) : undefined),
			// An expression that fails for one item says nothing of the others.
			() => undefined,
		);
		return (await this.ofAll) ?? this.serviceFor(await this.read(item));
	}

	/** How long the services held requests back, in ms: the longest of them, because they are asked at the same time. */
	rateLimitedMs(): number {
		const all = [...this.services.values()];
		return Math.max(0, ...all.map(({ client }) => client.rateLimitedMs()));
	}

	private async read(item: number): Promise<ICredentialDataDecryptedObject> {
		return await this.context.getCredentials('inspectionServiceApi', item);
	}

	private serviceFor(data: ICredentialDataDecryptedObject): ItemService {
		const settings = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1));
		const credential = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
		const known = this.services.get(credential);
		if (known !== undefined) return known;
		const client = clientForCredential(this.context, data);
		const execution = callingExecutionOf(this.context);
		// An execution without an id shares nothing.
		const owner = execution === undefined ? undefined : `${execution} ${credential}`;
		const service = { credential, client, templates: cacheTemplates(client, owner) };
		this.services.set(credential, service);
		return service;
	}
}

/** The execution that a workflow and its sub-workflows run in. n8n before 2 names only the sub-workflow's own. */
export function callingExecutionOf(context: IExecuteFunctions): string | undefined {
	const execution = 'getExecutionContext' in context ? context.getExecutionContext() : undefined;
	return execution?.parentExecutionId ?? context.getExecutionId();
}
