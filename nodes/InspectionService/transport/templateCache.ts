import { type JsonRecord, textOf } from '../domain/json';
import type { KnownTemplates } from './executionTemplates';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { failAlone, hasStatus } from './serviceError';

/** Gives templates, with their controls by default. Each is asked for once, however many items need it. */
export type TemplateCache = (
	idOrIdentifier: string,
	options?: { includeControls: boolean },
) => Promise<JsonRecord>;

/** Refusals that asking again will not change (getTemplate of docs/service.openapi.yaml). */
const LASTING = new Set(['400', '401', '403', '404']);

/**
 * A cache for one run of a node or one poll; `known` may live as long as the execution. Identifiers are compared without
 * regard to case, as the service does it (getTemplate of docs/service.openapi.yaml). A template that was asked for by its
 * identifier is known by its id too. A refusal is remembered like a template. Any other failure goes to those who have
 * waited for it, and the next who needs the template asks again.
 */
export function cacheTemplates(
	service: InspectionServiceClient,
	known: KnownTemplates = new Map(),
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
