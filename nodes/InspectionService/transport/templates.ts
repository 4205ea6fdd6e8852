import { randomUUID } from 'crypto';

import { deepCopy } from 'n8n-workflow';

import { guidOf } from '../domain/id';
import { type JsonRecord, textOf } from '../domain/json';
import type { ListSource } from '../domain/list/fetchPage';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { MemoryBudget } from '../domain/memoryBudget';
import { hasStatus } from '../domain/request/requestFailure';
import {
	hasTemplateGuid,
	isMadeFrom,
	saysTemplate,
	type TemplateNames,
} from '../domain/template/templateOfInspection';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { Memory } from './memory';

/**
 * Templates cached in this process, for one minute at most because a template can be edited while an execution waits.
 */
const KEPT = new Memory<JsonRecord>({ maxSize: 32 * 1024 * 1024, maxAgeMs: 60_000 });

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

export const NO_TEMPLATES =
	'The filter Template leaves out every inspection, because this service does not say which template an inspection was made from. Take the filter out.';

export type TemplateFilter = NonNullable<ReturnType<typeof templateFilter>>;

export function templateFilter(reference: string | undefined, templates: TemplateCache) {
	if (reference === undefined) return undefined;
	const isGuid = guidOf(reference) !== undefined;
	let names: TemplateNames | undefined;
	let hasSeen = false;
	let hasSeenTemplate = false;
	return {
		/** Call before `matches`. Fetches the template if these inspections require it. */
		async prepare(inspections: readonly InspectionRecord[]) {
			const isEnough =
				isGuid && inspections.every((one) => hasTemplateGuid(one) || !saysTemplate(one));
			if (names === undefined && !isEnough) {
				names = await templateNames(reference, isGuid, templates);
			}
		},
		matches(inspection: InspectionRecord) {
			hasSeen = true;
			hasSeenTemplate ||= saysTemplate(inspection);
			return isMadeFrom(inspection, names ?? { id: reference });
		},
		hasSeenNone: () => hasSeen && !hasSeenTemplate,
	};
}

/** If the template has a known GUID but the user of the API key can't read it, uses only the GUID. */
async function templateNames(
	reference: string,
	isGuid: boolean,
	templates: TemplateCache,
): Promise<TemplateNames> {
	const asked = templates(reference, { includeControls: !isGuid });
	const template = await (isGuid ? asked.catch(undefinedWhereUnreadable) : asked);
	if (template === undefined) return { id: reference };
	const { id, template_id, name } = template;
	const identifier = textOf(template_id) ?? (isGuid ? undefined : reference);
	return { id: textOf(id) ?? reference, identifier, name: textOf(name) };
}

/** Returns a list function that prepares the template filter before it returns a page. */
export function preparedList(
	list: ListSource['list'],
	template: TemplateFilter | undefined,
): ListSource['list'] {
	return async (query) => {
		const page = await list(query);
		await template?.prepare(page.inspections);
		return page;
	};
}
