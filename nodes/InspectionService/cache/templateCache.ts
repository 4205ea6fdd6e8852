import { randomUUID } from 'crypto';

import { deepCopy } from 'n8n-workflow';

import { type JsonRecord, textOf } from '../domain/json';
import { MemoryBudget } from '../domain/memoryBudget';
import { hasStatus } from '../domain/request/requestFailure';
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
			const template = await request.catch((error: unknown) => {
				if (!hasStatus(error, 400, 401, 403, 404)) asking.delete(key);
				throw error;
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
