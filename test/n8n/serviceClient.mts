import { inspect } from 'node:util';

import type { INode } from 'n8n-workflow';
import { expect } from 'vitest';

import { nodeError } from '#connector/output/nodeError.ts';
import { REAL_TIMING, type Timing } from '#connector/transport/deadline.ts';
import {
	connectToService,
	type InspectionServiceClient,
} from '#connector/transport/inspectionServiceClient.ts';
import type { Credential } from '#harness/credential.mts';
import type { NodeFailure } from '#harness/failure.mts';
import { executeContext, oneNodeWorkflow, pollContext } from '#harness/inspectionNodes.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

/** A clock in which waits take no real time: a wait only moves the clock forward. `slept` lists the waits, in ms. */
export class SkippedTime implements Timing {
	readonly slept: number[] = [];
	readonly limits = REAL_TIMING.limits;
	private skipped = 0;

	now() {
		return Date.now() + this.skipped;
	}

	random() {
		return 0.5;
	}

	timeoutSignal(ms: number): AbortSignal {
		return AbortSignal.timeout(ms);
	}

	async sleep(milliseconds: number) {
		this.slept.push(milliseconds);
		this.skipped += milliseconds;
		await new Promise((resolve) => setImmediate(resolve));
	}
}

/** A clock that stands still except during waits. `passLimit` ends the time limit that was set last. */
export class LimitsToPass extends SkippedTime {
	/** All time limits that were set, in ms. */
	readonly limitsSet: number[] = [];
	private time = 0;
	private abort = new AbortController();

	override now() {
		return this.time;
	}

	override async sleep(ms: number) {
		this.time += ms;
		await super.sleep(ms);
	}

	override timeoutSignal(ms: number): AbortSignal {
		this.limitsSet.push(ms);
		this.abort = new AbortController();
		return this.abort.signal;
	}

	passLimit() {
		this.time += this.limitsSet.at(-1) ?? 0;
		this.abort.abort(new DOMException('The time limit has passed', 'TimeoutError'));
	}
}

export interface ClientOptions {
	timing?: Timing;
	signal?: AbortSignal;
	/** The time limit of a poll, in ms. If it's set, the client belongs to a poll of the trigger. */
	budgetMs?: number;
}

/** Returns a client for the service, as the action node uses it in an execution. */
export async function executionClient(
	credential: Credential,
	{ timing = new SkippedTime(), signal, budgetMs }: ClientOptions = {},
): Promise<InspectionServiceClient> {
	const oneNode = await oneNodeWorkflow('inspectionService', { parameters: {}, credential });
	if (budgetMs === undefined)
		return await connectToService(executeContext(oneNode, { signal }), timing);
	const context = Object.assign(pollContext(oneNode), { getPollBudgetMs: () => budgetMs });
	return await connectToService(context, timing);
}

const KIND = { type: 'inspectionService', name: 'Inspection Service', typeVersion: 1 };
const NODE: INode = { ...KIND, id: '', position: [0, 0], parameters: {} };

/** Returns the n8n error that a failing call causes. */
export async function failureOfCall(call: Promise<unknown>): Promise<NodeFailure> {
	const [outcome] = await Promise.allSettled([call]);
	if (outcome.status === 'fulfilled') throw new Error('the call has not failed');
	return nodeError(NODE, outcome.reason);
}

/** Reads a downloaded file to its end. */
export async function readToEnd({ body }: { body: AsyncIterable<Uint8Array> }) {
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) chunks.push(chunk);
	const value = Buffer.concat(chunks);
	return { value, bytes: value.length };
}

export const READS = ['getTemplate', 'listInspections', 'getFileUrl', 'downloadFile'] as const;
export const OPERATIONS = [...READS, 'createInspection'] as const;
export type Operation = (typeof OPERATIONS)[number];

export type Call = (client: InspectionServiceClient) => Promise<unknown>;

/**
 * Returns what the tests of one file need: a sandbox, one call of each operation, clients, and a function that returns
 * an operation's error.
 */
export async function serviceForTests() {
	const { sandbox, credential } = await sandboxForTests();
	const { store } = sandbox;
	const template = store.addTemplate({ name: 'Ladder', controls: [] }).id;
	const { id: inspectionId, files } = store.addInspection({ template, files: [{ kind: 'image' }] });
	const file = { inspectionId, fileId: files[0]?.id ?? '', maxBytes: 1_000_000 };
	const calls: Record<Operation, Call> = {
		getTemplate: async (client) => await client.getTemplate(template, { includeControls: true }),
		listInspections: async (client) => await client.list(FIRST_PAGE),
		getFileUrl: async (client) => await client.getFileUrl(inspectionId, file.fileId),
		downloadFile: async (client) => await client.download(file, readToEnd),
		createInspection: async (client) =>
			await client.createInspection({ template_id: template, name: 'One of a kind' }),
	};
	const clientWith = async (options: ClientOptions = {}, changed: Partial<Credential> = {}) =>
		await executionClient({ ...credential, ...changed }, options);
	const errorOf = async (operation: Operation, client = clientWith()) =>
		await usableFailure(calls[operation](await client), credential);
	return { sandbox, credential, calls, clientWith, errorOf };
}

const OLDEST_FIRST = { sortBy: 'updated_at', sortOrder: 'asc' } as const;
/** A query for the first page of the list. */
export const FIRST_PAGE = { ...OLDEST_FIRST, page: 1, pageSize: 10 };

const WHOLE = { depth: null, maxArrayLength: null, maxStringLength: null };

/**
 * Returns the error of a failing call. Checks that the error tells what happened and how to fix it. Also checks that
 * n8n saves the API key nowhere in the error.
 */
export async function usableFailure(call: Promise<unknown>, { apiKey }: Credential) {
	const error = await failureOfCall(call);
	expect(error.constructor.name).toBe('NodeApiError');
	expect(error.message.length).toBeGreaterThan(20);
	expect(error.message).not.toMatch(/undefined|\[object|\n/);
	expect(error.description).toMatch(/[a-z]/);
	expect(error.failure ?? { cause: 'cancelled' }).toHaveProperty('cause');
	// Includes everything that n8n could show or save of an error, even hidden members.
	expect(inspect(error, { ...WHOLE, showHidden: true, getters: true })).not.toContain(apiKey);
	return error;
}
