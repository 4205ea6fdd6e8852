import { createHash } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../domain/json';

/** Templates by the ID or identifier that they were asked for with. */
export type KnownTemplates = Map<string, JsonRecord>;

/** Executions whose templates are kept. Chosen for a busy n8n: a template may take a megabyte of memory. */
const MAX_EXECUTIONS = 10;
/**
 * In ms: one minute, chosen. An execution may wait for days or call sub-workflows all day, and a template may be edited
 * meanwhile. One more request a minute is not felt.
 */
const MAX_AGE_MS = 60 * 1000;

interface ExecutionTemplates {
	since: number;
	byCredential: Map<string, KnownTemplates>;
}

const executions = new Map<string, ExecutionTemplates>();

/**
 * The templates that an execution has asked for with a credential (`digestOf`). All its nodes and all rounds of its loops share them.
 *
 * n8n (2.41) runs a sub-workflow as an execution of its own, which names the execution that called it. The caller and
 * all its sub-workflows share their templates. n8n before 2 does not name the caller, so that there a sub-workflow asks
 * for its templates itself. For an execution without an id nothing is remembered.
 */
export function templatesOfExecution(
	context: IExecuteFunctions,
	credential: string,
): KnownTemplates {
	const id = callingExecutionOf(context);
	if (id === undefined) return new Map();
	const known = executions.get(id);
	const now = Date.now();
	const isFresh = known !== undefined && now - known.since < MAX_AGE_MS;
	const execution = isFresh ? known : { since: now, byCredential: new Map() };
	keep(id, execution);

	const templates: KnownTemplates = execution.byCredential.get(credential) ?? new Map();
	execution.byCredential.set(credential, templates);
	return templates;
}

/**
 * What tells a credential from others, for what stays in memory after the execution: an API key must not.
 */
export function digestOf(credential: object): string {
	return createHash('sha256').update(JSON.stringify(credential)).digest('hex');
}

/** The id of the execution that a workflow and its sub-workflows run in; undefined where n8n gives none. */
export function callingExecutionOf(context: IExecuteFunctions): string | undefined {
	const execution = 'getExecutionContext' in context ? context.getExecutionContext() : undefined;
	return execution?.parentExecutionId ?? context.getExecutionId();
}

/** Puts the execution last, and drops the ones that were used longest ago. */
function keep(id: string, execution: ExecutionTemplates): void {
	executions.delete(id);
	executions.set(id, execution);
	for (const oldest of executions.keys()) {
		if (executions.size <= MAX_EXECUTIONS) return;
		executions.delete(oldest);
	}
}
