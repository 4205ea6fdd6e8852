import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { workflow as n8n } from './n8nCore.mts';

/**
 * An error of one of n8n's two classes for errors of nodes. An error about the service's response has `httpCode` and
 * `failure`.
 */
export type NodeFailure = (NodeApiError | NodeOperationError) &
	Partial<Pick<NodeApiError, 'httpCode' | 'failure'>>;

/** n8n's classes of node errors, each of them twice, because n8n and Vitest load different copies of n8n-workflow. */
const CLASSES = [n8n.NodeApiError, n8n.NodeOperationError, NodeApiError, NodeOperationError];
const isOfN8n = (thrown: unknown): thrown is NodeFailure =>
	CLASSES.some((errorClass) => thrown instanceof errorClass);

/** Returns the n8n error that some work rejects with. Throws if the work succeeds or rejects with any other error. */
export async function failureOf(work: Promise<unknown>): Promise<NodeFailure> {
	const thrown: unknown = await work.then(() => undefined).catch((error: unknown) => error);
	if (isOfN8n(thrown)) return thrown;
	throw new Error(`expected an error of n8n, got ${String(thrown)}`);
}
