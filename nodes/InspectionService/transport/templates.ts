import { randomUUID } from 'crypto';

import { guidOf } from '../domain/id';
import { type JsonRecord, textOf } from '../domain/json';
import type { ListSource } from '../domain/list/askPage';
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

/** The templates that this process keeps, for a minute at most: a template may be edited while an execution waits. */
const KEPT = new Memory<JsonRecord>({ maxSize: 32 * 1024 * 1024, maxAgeMs: 60_000 });

const TOO_MANY =
	'The templates of these items take more memory than n8n can spare (1 GB). Give the node fewer of them at once, for example with Loop Over Items';

/** Gives templates, with their controls by default. */
export type TemplateCache = (
	idOrIdentifier: string,
	options?: { includeControls: boolean },
) => Promise<JsonRecord>;

/** For one run of a node or one poll. Those with the same `owner` share their templates; a lasting refusal is remembered. */
export function cacheTemplates(
	service: InspectionServiceClient,
	owner: string = randomUUID(),
): TemplateCache {
	const asking = new Memory<Promise<JsonRecord>>();
	const sizes = new Map<string, number>();
	const budget = new MemoryBudget(TOO_MANY);
	return async (reference, { includeControls } = { includeControls: true }) => {
		const keyOf = (name: string) =>
			`${owner} ${includeControls ? 'with' : 'without'} controls ${name.toLowerCase()}`;
		const ask = async () => {
			const template = await service.getTemplate(reference, { includeControls });
			const keys = new Set([reference, textOf(template.id) ?? reference].map(keyOf));
			// One that is read again, because it was let go meanwhile, counts once.
			const bytes = sizes.get(keyOf(reference)) ?? budget.add(template);
			for (const key of keys) {
				sizes.set(key, bytes);
				KEPT.keep(key, template, bytes);
			}
			return template;
		};
		const key = keyOf(reference);
		const known = KEPT.get(key);
		if (known !== undefined) return known;
		const asked = asking.getOrMake(key, ask);
		const [answer] = await Promise.allSettled([asked]);
		if (answer.status === 'fulfilled') {
			asking.forget(key, asked);
			return answer.value;
		}
		if (!hasStatus(answer.reason, 400, 401, 403, 404)) asking.forget(key, asked);
		throw answer.reason;
	};
}

export function undefinedWhereUnreadable(error: unknown): undefined {
	if (hasStatus(error, 401, 403, 404)) return undefined;
	throw error;
}

export const NO_TEMPLATES =
	'The filter Template leaves out every inspection, because this service does not say which template an inspection was made from. Take the filter out.';

export interface TemplateFilter {
	/** To be called before `matches`: asks for the template where these inspections need it. */
	prepare(inspections: readonly InspectionRecord[]): Promise<void>;
	matches(inspection: InspectionRecord): boolean;
	hasSeenNone(): boolean;
}

export function templateFilter(
	reference: string | undefined,
	templates: TemplateCache,
): TemplateFilter | undefined {
	if (reference === undefined) return undefined;
	const isGuid = guidOf(reference) !== undefined;
	let names: TemplateNames | undefined;
	let hasSeen = false;
	let hasSeenTemplate = false;
	return {
		async prepare(inspections) {
			if (names !== undefined) return;
			const isEnough =
				isGuid && inspections.every((one) => hasTemplateGuid(one) || !saysTemplate(one));
			if (!isEnough) names = await namesOf(reference, isGuid, templates);
		},
		matches(inspection) {
			hasSeen = true;
			hasSeenTemplate ||= saysTemplate(inspection);
			return isMadeFrom(inspection, names ?? { id: reference });
		},
		hasSeenNone: () => hasSeen && !hasSeenTemplate,
	};
}

/** Where the owner of the API key may not read a template whose GUID is known, the GUID has to do. */
async function namesOf(
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

export function preparedList(
	{ list }: ListSource,
	template: TemplateFilter | undefined,
): ListSource {
	return {
		async list(query) {
			const page = await list(query);
			await template?.prepare(page.inspections);
			return page;
		},
	};
}
