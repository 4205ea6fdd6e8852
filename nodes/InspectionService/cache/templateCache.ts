import { randomUUID } from 'crypto';

import { cleanLine } from '../domain/formatting';
import { guidOf } from '../domain/id';
import { isRecord, type JsonRecord, textOf } from '../domain/json';
import { NEWEST_FIRST } from '../domain/list/inspectionQuery';
import { MemoryBudget } from '../domain/memoryBudget';
import { nearestName } from '../domain/nearestName';
import { hasStatus, RequestFailure } from '../domain/request/requestFailure';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { LruCache } from './lruCache';

/**
 * Templates cached in this process, for one minute at most because a template can be edited while an execution waits.
 */
const KEPT = new LruCache<JsonRecord>({ maxSize: 32 * 1024 * 1024, maxAgeMs: 60_000 });

export const TOO_MANY =
	'The templates of these items take more memory than n8n can spare (1 GB). Send fewer items to the node at a time, for example with a Loop Over Items node';

/**
 * Fetches templates for one run of a node or one poll. Caches with the same `owner` share their templates. Permanently
 * refused requests are cached too.
 */
export class TemplateCache {
	private readonly service: TemplateSource;
	private readonly owner: string;
	/** Pending requests, and requests that were permanently refused. */
	private readonly requests = new Map<string, Promise<JsonRecord>>();
	private readonly sizes = new Map<string, number>();
	private readonly budget: MemoryBudget;

	/** `tooMany` is the error if all templates together are too large. */
	constructor(service: TemplateSource, owner: string = randomUUID(), tooMany = TOO_MANY) {
		this.service = service;
		this.owner = owner;
		this.budget = new MemoryBudget(tooMany);
	}

	/** Throws RequestFailure, or InputError if the templates are too large in total. */
	async get(
		reference: string,
		{ includeControls } = { includeControls: true },
	): Promise<JsonRecord> {
		const key = this.keyOf(reference, includeControls);
		const known = KEPT.get(key);
		if (known !== undefined) return known;
		const request = this.requests.get(key) ?? this.fetch(key, reference, includeControls);
		this.requests.set(key, request);
		return await request;
	}

	private async fetch(
		key: string,
		reference: string,
		includeControls: boolean,
	): Promise<JsonRecord> {
		const request = this.service.getTemplate(reference, { includeControls });
		const template = await request.catch(async (error: unknown) => {
			if (!hasStatus(error, 400, 401, 403, 404)) this.requests.delete(key);
			throw await withSuggestion(error, reference, this.service);
		});
		this.requests.delete(key);
		// Count a template only once, even if it was evicted and fetched again.
		const bytes = this.sizes.get(key) ?? this.budget.add(template);
		const id = textOf(template.id) ?? reference;
		for (const name of new Set([key, this.keyOf(id, includeControls)])) {
			this.sizes.set(name, bytes);
			KEPT.keep(name, template, bytes);
		}
		return template;
	}

	private keyOf(reference: string, includeControls: boolean): string {
		const controls = includeControls ? 'with' : 'without';
		return `${this.owner} ${controls} controls ${reference.toLowerCase()}`;
	}
}

type TemplateSource = Pick<InspectionServiceClient, 'getTemplate' | 'list'>;

/**
 * Returns the error for a template that wasn't found. If a recent template has a similar name or identifier, the error
 * suggests its identifier, because people often enter the name instead.
 */
async function withSuggestion(
	error: unknown,
	reference: string,
	service: TemplateSource,
): Promise<unknown> {
	if (!(error instanceof RequestFailure) || !hasStatus(error, 404)) return error;
	if (guidOf(reference) !== undefined) return error;
	const page = await service.list({ ...NEWEST_FIRST, page: 1 }).catch(() => undefined);
	const suggestions = new Map<string, string>();
	for (const { template } of page?.inspections ?? []) {
		const { name, template_id }: JsonRecord = isRecord(template) ? template : {};
		const [title, identifier] = [textOf(name), textOf(template_id)];
		if (title === undefined || identifier === undefined) continue;
		const text = `Did you mean "${cleanLine(identifier)}", the identifier of "${cleanLine(title)}"?`;
		suggestions.set(title, text).set(identifier, text);
	}
	const suggestion = suggestions.get(nearestName(reference, [...suggestions.keys()]) ?? '');
	if (suggestion === undefined) return error;
	return error.with({ description: `${suggestion} ${error.facts.description}` });
}
