import { createHash } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../domain/json';

/** Templates by what they were asked for. */
export type KnownTemplates = Map<string, JsonRecord>;

/** Executions whose templates are kept: as many as a busy n8n runs at once. A template may take a megabyte. */
const MAX_EXECUTIONS = 10;
/** An execution may wait for days: after an hour (ms) its templates are asked for again. */
const MAX_AGE_MS = 60 * 60 * 1000;

interface ExecutionTemplates {
	since: number;
	byCredential: Map<string, KnownTemplates>;
}

const executions = new Map<string, ExecutionTemplates>();

/**
 * The templates that an execution has asked for with a credential, in any of its nodes and rounds of loops. n8n (2.41)
 * runs a sub-workflow as an execution of its own, which names the one that called it: both share their templates, and
 * with them all sub-workflows of one caller. n8n before 2 does not name it; there each shares with nobody. An execution
 * without an id has no memory.
 */
export function templatesOfExecution(
	context: IExecuteFunctions,
	credential: object,
): KnownTemplates {
	const id = callingExecutionOf(context);
	if (id === undefined) return new Map();
	const known = executions.get(id);
	const now = Date.now();
	const isFresh = known !== undefined && now - known.since < MAX_AGE_MS;
	const execution = isFresh ? known : { since: now, byCredential: new Map() };
	keep(id, execution);

	// A digest, because this outlives the execution by a while, and a credential must not.
	const key = createHash('sha256').update(JSON.stringify(credential)).digest('hex');
	const templates: KnownTemplates = execution.byCredential.get(key) ?? new Map();
	execution.byCredential.set(key, templates);
	return templates;
}

function callingExecutionOf(context: IExecuteFunctions): string | undefined {
	const execution = 'getExecutionContext' in context ? context.getExecutionContext() : undefined;
	return execution?.parentExecutionId ?? context.getExecutionId();
}

/** The one used last stands last; the first ones are dropped. */
function keep(id: string, execution: ExecutionTemplates): void {
	executions.delete(id);
	executions.set(id, execution);
	for (const oldest of executions.keys()) {
		if (executions.size <= MAX_EXECUTIONS) return;
		executions.delete(oldest);
	}
}
