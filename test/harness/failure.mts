import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { workflow as n8n } from './n8nCore.mts';

/** The error of n8n that ends an execution; fails where the execution succeeds or throws anything else. */
export async function failureOf(
	execution: Promise<unknown>,
): Promise<NodeApiError | NodeOperationError> {
	const thrown: unknown = await execution.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (thrown instanceof n8n.NodeApiError || thrown instanceof n8n.NodeOperationError) return thrown;
	throw new Error(`expected an error of n8n, got ${String(thrown)}`);
}
