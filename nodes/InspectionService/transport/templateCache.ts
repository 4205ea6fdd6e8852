import { createHash, randomUUID } from 'crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { type JsonRecord, textOf } from '../domain/json';
import { MemoryBudget } from '../domain/memoryBudget';
import { hasStatus } from '../domain/request/requestFailure';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { keepTemplate, keptTemplate } from './keptTemplates';

/** Gives templates, with their controls by default. Each is asked for once, however many items need it. */
export type TemplateCache = (
	idOrIdentifier: string,
	options?: { includeControls: boolean },
) => Promise<JsonRecord>;

/** Refusals that asking again will not change (getTemplate of docs/service.openapi.yaml). */
const LASTING = [400, 401, 403, 404];
/** Statuses after which a template counts as not readable (getTemplate of docs/service.openapi.yaml). */
const NOT_READABLE = [401, 403, 404];

const TOO_MANY =
	'The templates of these items take more memory than n8n can spare (1 GB). Give the node fewer of them at once, for example with Loop Over Items';

/**
 * A cache for one run of a node or one poll. `owner` names who shares its templates: `ownerOf` an execution, or nobody.
 * Identifiers are compared without regard to case, as the service does it (getTemplate of docs/service.openapi.yaml). A
 * template that was asked for by its identifier is known by its id too. A refusal is remembered for the run. Any other
 * failure goes to those who have waited for it, and the next who needs the template asks again.
 *
 * All templates of a run together may take as much memory as it can collect: items may hold on to what they got.
 */
export function cacheTemplates(
	service: InspectionServiceClient,
	owner: string = randomUUID(),
): TemplateCache {
	const asked = new Map<string, Promise<JsonRecord>>();
	const sizes = new Map<string, number>();
	const budget = new MemoryBudget(TOO_MANY);
	const keyOf = (reference: string, includeControls: boolean) =>
		`${owner} ${includeControls ? 'with' : 'without'} controls ${reference.toLowerCase()}`;

	const ask = async (reference: string, includeControls: boolean) => {
		const template = await service.getTemplate(reference, { includeControls });
		const names = [reference, textOf(template.id) ?? reference];
		const keys = new Set(names.map((name) => keyOf(name, includeControls)));
		// One that is read again, because it was let go meanwhile, counts once.
		const bytes = sizes.get(keyOf(reference, includeControls)) ?? budget.add(template);
		for (const key of keys) {
			sizes.set(key, bytes);
			keepTemplate(key, template, bytes);
		}
		return template;
	};
	const askOnce = async (reference: string, includeControls: boolean) => {
		const key = keyOf(reference, includeControls);
		const asking = asked.get(key) ?? ask(reference, includeControls);
		asked.set(key, asking);
		const [answer] = await Promise.allSettled([asking]);
		const isFinal = answer.status === 'rejected' && hasStatus(answer.reason, ...LASTING);
		if (!isFinal && asked.get(key) === asking) asked.delete(key);
		if (answer.status === 'rejected') throw answer.reason;
		return answer.value;
	};
	return async (reference, { includeControls } = { includeControls: true }) =>
		keptTemplate(keyOf(reference, includeControls)) ?? (await askOnce(reference, includeControls));
}

/** For a template that may be missing, because the owner of the API key may not read it. Any other failure is thrown. */
export function undefinedWhereUnreadable(error: unknown): undefined {
	if (hasStatus(error, ...NOT_READABLE)) return undefined;
	throw error;
}

/**
 * Who shares templates: all nodes of an execution that have the same credential (`digestOf`), and all rounds of its loops.
 *
 * n8n (2.41) runs a sub-workflow as an execution of its own, which names the execution that called it. The caller and
 * all its sub-workflows share their templates. n8n before 2 does not name the caller, so that there a sub-workflow asks
 * for its templates itself. An execution without an id shares nothing.
 */
export function ownerOf(context: IExecuteFunctions, credential: string): string | undefined {
	const id = callingExecutionOf(context);
	return id === undefined ? undefined : `${id} ${credential}`;
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
