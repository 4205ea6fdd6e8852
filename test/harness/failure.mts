import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { workflow as n8n } from './n8nCore.mts';

/** An error of n8n. Errors of the service have `httpCode` and `failure`. */
export type NodeFailure = (NodeApiError | NodeOperationError) &
	Partial<Pick<NodeApiError, 'httpCode' | 'failure'>>;

/** Twice, because n8n and Vitest load different copies of the classes. */
const CLASSES = [n8n.NodeApiError, n8n.NodeOperationError, NodeApiError, NodeOperationError];
const isOfN8n = (thrown: unknown): thrown is NodeFailure =>
	CLASSES.some((errorClass) => thrown instanceof errorClass);

/** The n8n error of some work. Fails if the work succeeds or throws anything else. */
export async function failureOf(work: Promise<unknown>): Promise<NodeFailure> {
	const thrown: unknown = await work.then(() => undefined).catch((error: unknown) => error);
	if (isOfN8n(thrown)) return thrown;
	throw new Error(`expected an error of n8n, got ${String(thrown)}`);
}
