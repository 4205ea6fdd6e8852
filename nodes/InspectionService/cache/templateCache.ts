import { randomUUID } from 'crypto';

import { deepCopy } from 'n8n-workflow';

import { guidOf } from '../domain/id';
import { isRecord, type JsonRecord, textOf } from '../domain/json';
import { MAX_PAGE_SIZE } from '../domain/list/inspectionQuery';
import { MemoryBudget } from '../domain/memoryBudget';
import { nearestName } from '../domain/nearestName';
import { hasStatus, RequestFailure } from '../domain/request/requestFailure';
import { cleanLine } from '../domain/shownText';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { LruCache } from './lruCache';

/**
 * Templates cached in this process, for one minute at most because a template can be edited while an execution waits.
 */
const KEPT = new LruCache<JsonRecord>({ maxSize: 32 * 1024 * 1024, maxAgeMs: 60_000 });

const TOO_MANY =
	'The templates of these items take more memory than n8n can spare (1 GB). Give the node fewer of them at once, for example with Loop Over Items';

export type TemplateCache = ReturnType<typeof cacheTemplates>;

/**
 * Returns a function that fetches templates, with their controls by default, for one run of a node or one poll.
 * Caches with the same `owner` share their templates. Permanent refusals are cached, too.
 */
export function cacheTemplates(service: InspectionServiceClient, owner: string = randomUUID()) {
	/** Pending requests, and requests that were permanently refused. */
	const asking = new Map<string, Promise<JsonRecord>>();
	const sizes = new Map<string, number>();
	const budget = new MemoryBudget(TOO_MANY);
	return async (reference: string, { includeControls } = { includeControls: true }) => {
		const keyOf = (name: string) =>
			`${owner} ${includeControls ? 'with' : 'without'} controls ${name.toLowerCase()}`;
		const key = keyOf(reference);
		const ask = async () => {
			const request = service.getTemplate(reference, { includeControls });
			const template = await request.catch(async (error: unknown) => {
				if (!hasStatus(error, 400, 401, 403, 404)) asking.delete(key);
				throw await withSuggestion(error, reference, service);
			});
			asking.delete(key);
			// Count a template only once, even if it was evicted and fetched again.
			const bytes = sizes.get(key) ?? budget.add(template);
			for (const name of new Set([key, keyOf(textOf(template.id) ?? reference)])) {
				sizes.set(name, bytes);
				KEPT.keep(name, template, bytes);
			}
			return template;
		};
		const known = KEPT.get(key);
		if (known !== undefined) return known;
		const asked = asking.get(key) ?? ask();
		asking.set(key, asked);
		return await asked;
	};
}

/**
 * Adds the identifier of a recent template to the error for a template that wasn't found, if the given text is similar to
 * its name or identifier. People enter the name, because they see it everywhere.
 */
async function withSuggestion(
	error: unknown,
	reference: string,
	service: InspectionServiceClient,
): Promise<unknown> {
	if (!(error instanceof RequestFailure) || !hasStatus(error, 404)) return error;
	if (guidOf(reference) !== undefined) return error;
	const recent = {
		sortBy: 'updated_at',
		sortOrder: 'desc',
		page: 1,
		pageSize: MAX_PAGE_SIZE,
	} as const;
	const page = await service.list(recent).catch(() => undefined);
	const templates = (page?.inspections ?? []).flatMap(({ template }) => {
		const { name, template_id }: JsonRecord = isRecord(template) ? template : {};
		const [title, identifier] = [textOf(name), textOf(template_id)];
		return title === undefined || identifier === undefined ? [] : [{ title, identifier }];
	});
	const names = templates.flatMap(({ title, identifier }) => [title, identifier]);
	const meant = nearestName(reference, names);
	const found = templates.find(({ title, identifier }) =>
		[title, identifier].includes(meant ?? ''),
	);
	if (found === undefined) return error;
	const { title, identifier } = found;
	const suggestion = `Did you mean "${cleanLine(identifier)}", the identifier of "${cleanLine(title)}"?`;
	return error.with({ description: `${suggestion} ${error.facts.description}` });
}

/**
 * Returns a function that copies templates, because items can share a template and the next node can modify its
 * items. The function throws InputError if the copies are too large in total.
 */
export function templateCopier(): (template: JsonRecord) => JsonRecord {
	const budget = new MemoryBudget(TOO_MANY);
	return (template) => {
		budget.add(template);
		return deepCopy(template);
	};
}

export function undefinedWhereUnreadable(error: unknown): undefined {
	if (hasStatus(error, 401, 403, 404)) return undefined;
	throw error;
}
