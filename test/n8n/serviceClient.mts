import { inspect } from 'node:util';

import { expect } from 'vitest';

import { REAL_TIMING, type ServiceContext, type Timing } from '#connector/transport/deadline.ts';
import {
	connectToService,
	type InspectionServiceClient,
} from '#connector/transport/inspectionServiceClient.ts';
import { nodeError } from '#connector/transport/nodeError.ts';
import type { Credential } from '#harness/credential.mts';
import type { NodeFailure } from '#harness/failure.mts';
import { executeContext, oneNodeWorkflow, pollContext } from '#harness/inspectionNodes.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

/** Time that only moves when somebody sleeps: waits of minutes pass at once. `slept` keeps their lengths in ms. */
export class SkippedTime implements Timing {
	readonly slept: number[] = [];
	private skipped = 0;
	private readonly firstLimits: Timing['limits'];
	private readonly laterLimits: Timing['limits'];

	/** `first` limits hold until the first wait, so that a second attempt has all the time that it needs. */
	constructor(first: Partial<Timing['limits']> = {}, later: Partial<Timing['limits']> = {}) {
		this.firstLimits = { ...REAL_TIMING.limits, ...first };
		this.laterLimits = { ...REAL_TIMING.limits, ...later };
	}

	get limits() {
		return this.slept.length === 0 ? this.firstLimits : this.laterLimits;
	}

	now() {
		return Date.now() + this.skipped;
	}

	random() {
		return 0.5;
	}

	async sleep(milliseconds: number) {
		this.slept.push(milliseconds);
		this.skipped += milliseconds;
		await new Promise((resolve) => setImmediate(resolve));
	}
}

export interface ClientOptions {
	timing?: Timing;
	signal?: AbortSignal;
}

const nodeWith = async (credential: Credential) =>
	await oneNodeWorkflow('inspectionService', { parameters: {}, credential });

/** The transport as an operation has it: what it throws becomes an error of n8n only at the edge. */
export async function plainClient(
	credential: Credential,
	{ timing = new SkippedTime(), signal }: ClientOptions = {},
): Promise<InspectionServiceClient> {
	return await connectToService(executeContext(await nodeWith(credential), { signal }), timing);
}

/** The transport in an execution of the action node, with the errors that n8n gets. */
export async function executionClient(
	credential: Credential,
	{ timing = new SkippedTime(), signal }: ClientOptions = {},
): Promise<InspectionServiceClient> {
	return await clientAtEdge(executeContext(await nodeWith(credential), { signal }), timing);
}

/** The transport in a poll that may take `budgetMs`. */
export async function pollClient(
	credential: Credential,
	{ timing = new SkippedTime(), budgetMs }: ClientOptions & { budgetMs: number },
): Promise<InspectionServiceClient> {
	const context = pollContext(await nodeWith(credential));
	Object.assign(context, { getPollBudgetMs: () => budgetMs });
	return await clientAtEdge(context, timing);
}

async function clientAtEdge(context: ServiceContext, timing: Timing) {
	const fail = (error: unknown): never => {
		throw nodeError(context.getNode(), error);
	};
	const client = await connectToService(context, timing).catch(fail);
	return {
		...client,
		list: async (query) => await client.list(query).catch(fail),
		getTemplate: async (id, options) => await client.getTemplate(id, options).catch(fail),
		createInspection: async (body) => await client.createInspection(body).catch(fail),
		getFileUrl: async (inspection, file) => await client.getFileUrl(inspection, file).catch(fail),
		download: async (file, take) => await client.download(file, take).catch(fail),
	} satisfies InspectionServiceClient;
}

/** Takes a downloaded file whole. */
export async function takeAll({ body }: { body: AsyncIterable<Uint8Array> }) {
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) chunks.push(chunk);
	const taken = Buffer.concat(chunks);
	return { taken, bytes: taken.length };
}

export const READS = ['getTemplate', 'listInspections', 'getFileUrl', 'downloadFile'] as const;
export const OPERATIONS = [...READS, 'createInspection'] as const;
export type Operation = (typeof OPERATIONS)[number];

export type Call = (client: InspectionServiceClient) => Promise<unknown>;

/** A call of each operation, about a template and a file that the sandbox gets for it. */
export function eachCall({ store }: Sandbox): Record<Operation, Call> {
	const template = store.addTemplate({ name: 'Ladder', controls: [] }).id;
	const { id: inspectionId, files } = store.addInspection({
		template,
		files: [{ kind: 'attachment' }],
	});
	const fileId = files[0]?.id ?? '';
	return {
		getTemplate: async (client) => await client.getTemplate(template, { includeControls: true }),
		listInspections: async (client) => await client.list(FIRST_PAGE),
		getFileUrl: async (client) => await client.getFileUrl(inspectionId, fileId),
		downloadFile: async (client) =>
			await client.download({ inspectionId, fileId, maxBytes: 1_000_000 }, takeAll),
		createInspection: async (client) =>
			await client.createInspection({ template_id: template, name: 'One of a kind' }),
	};
}

/** A request for the first page of the list. */
export const FIRST_PAGE = {
	sortBy: 'updated_at',
	sortOrder: 'asc',
	page: 1,
	pageSize: 10,
} as const;

/** Fails where an error does not say what happened and what to do, or holds the API key in any part that n8n keeps. */
export function expectUsable(error: NodeFailure, { apiKey }: Credential): void {
	expect(error.constructor.name).toBe('NodeApiError');
	expect(error.message.length).toBeGreaterThan(20);
	expect(error.message).not.toMatch(/undefined|\[object|\n/);
	expect(error.description).toMatch(/[a-z]/);
	expect(error.failure ?? { cause: 'cancelled' }).toHaveProperty('cause');
	// Whatever an error can show anywhere: in the panel, in the execution data, in a log.
	const everything = {
		depth: null,
		showHidden: true,
		getters: true,
		maxArrayLength: null,
		maxStringLength: null,
	};
	expect(inspect(error, everything)).not.toContain(apiKey);
}
