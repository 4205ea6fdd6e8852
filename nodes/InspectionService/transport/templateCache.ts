import { createHash } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { type JsonRecord, textOf } from '../domain/json';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { failAlone, hasStatus } from './serviceError';

/** Gives templates, with their controls by default. Each is asked for once, however many items need it. */
export type TemplateCache = (
	idOrIdentifier: string,
	options?: { includeControls: boolean },
) => Promise<JsonRecord>;

/** Refusals that asking again will not change (getTemplate of docs/service.openapi.yaml). */
const LASTING = new Set(['400', '401', '403', '404']);
/** Statuses after which a template counts as not readable (getTemplate of docs/service.openapi.yaml). */
const NOT_READABLE = new Set(['401', '403', '404']);

/**
 * A cache for one run of a node or one poll; `known` may live as long as the execution. Identifiers are compared without
 * regard to case, as the service does it (getTemplate of docs/service.openapi.yaml). A template that was asked for by its
 * identifier is known by its id too. A refusal is remembered like a template. Any other failure goes to those who have
 * waited for it, and the next who needs the template asks again.
 */
export function cacheTemplates(
	service: InspectionServiceClient,
	known: TemplatesByReference = new Map(),
): TemplateCache {
	const asked = new Map<string, Promise<JsonRecord>>();
	const keyOf = (reference: string, includeControls: boolean) =>
		`${includeControls ? 'with' : 'without'} controls ${reference.toLowerCase()}`;

	const ask = async (reference: string, includeControls: boolean) => {
		const template = await service.getTemplate(reference, { includeControls });
		known.set(keyOf(reference, includeControls), template);
		known.set(keyOf(textOf(template.id) ?? reference, includeControls), template);
		return template;
	};
	const askOnce = async (reference: string, includeControls: boolean) => {
		const key = keyOf(reference, includeControls);
		const asking = asked.get(key) ?? ask(reference, includeControls);
		asked.set(key, asking);
		return await asking.catch((error: unknown) => {
			if (!hasStatus(error, LASTING) && asked.get(key) === asking) asked.delete(key);
			return failAlone(error);
		});
	};
	return async (reference, { includeControls } = { includeControls: true }) =>
		known.get(keyOf(reference, includeControls)) ?? (await askOnce(reference, includeControls));
}

/** For a template that may be missing, because the owner of the API key may not read it. Any other failure is thrown. */
export function undefinedWhereUnreadable(error: unknown): undefined {
	if (hasStatus(error, NOT_READABLE)) return undefined;
	throw error;
}

/** Templates by the ID or identifier that they were asked for with. */
type TemplatesByReference = Map<string, JsonRecord>;

/** Executions whose templates are kept. A template may take a megabyte, so that they take some ten megabytes at most. */
const MAX_EXECUTIONS = 10;
/**
 * In ms: one minute. An execution may wait for days or call sub-workflows all day, and a template may be edited
 * meanwhile. One more request a minute is not felt.
 */
const MAX_AGE_MS = 60 * 1000;

interface ExecutionTemplates {
	since: number;
	byCredential: Map<string, TemplatesByReference>;
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
): TemplatesByReference {
	const id = callingExecutionOf(context);
	if (id === undefined) return new Map();
	const known = executions.get(id);
	const now = Date.now();
	const isFresh = known !== undefined && now - known.since < MAX_AGE_MS;
	const execution = isFresh ? known : { since: now, byCredential: new Map() };
	keep(id, execution);

	const templates: TemplatesByReference = execution.byCredential.get(credential) ?? new Map();
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
