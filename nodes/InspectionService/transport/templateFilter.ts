import { guidOf } from '../domain/id';
import { textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import type { ListSource } from '../domain/list/readFirst';
import type { MemoryBudget } from '../domain/memoryBudget';
import {
	hasTemplateGuid,
	isMadeFrom,
	saysTemplate,
	type TemplateNames,
} from '../domain/template/templateOfInspection';
import { type TemplateCache, undefinedWhereUnreadable } from './templateCache';

/** For a hint and for n8n's log. */
export const NO_TEMPLATES =
	'The filter Template leaves out every inspection, because this service does not say which template an inspection was made from. Take the filter out.';

/** Keeps the inspections of one template: listInspections of docs/service.openapi.yaml has no such filter. */
export interface TemplateFilter {
	/**
	 * Asks the service for the template where only its identifier is known, or where one of these inspections does not
	 * carry a GUID to compare. To be called before `matches`, with the same inspections.
	 */
	prepare(inspections: readonly InspectionRecord[]): Promise<void>;
	matches(inspection: InspectionRecord): boolean;
	/** True where inspections came, but none of them said which template it was made from. */
	hasSeenNone(): boolean;
}

/** The filter for the template with this id or identifier; undefined where any template will do. */
export function templateFilter(
	reference: string | undefined,
	templates: TemplateCache,
): TemplateFilter | undefined {
	if (reference === undefined) return undefined;
	const isGuid = guidOf(reference) !== undefined;
	let names: TemplateNames | undefined = isGuid ? { id: reference } : undefined;
	let isLookedUp = false;
	let seen = 0;
	let seenWithTemplate = 0;
	return {
		async prepare(inspections) {
			const isEnough = isGuid && inspections.every(isToldByGuid);
			if (isLookedUp || isEnough) return;
			names = (await namesOf(reference, isGuid, templates)) ?? names;
			isLookedUp = true;
		},
		matches(inspection) {
			seen += 1;
			if (saysTemplate(inspection)) seenWithTemplate += 1;
			return names !== undefined && isMadeFrom(inspection, names);
		},
		hasSeenNone: () => seen > 0 && seenWithTemplate === 0,
	};
}

/**
 * A list that prepares the filter for each page before it hands the page over. Without a filter all inspections are kept,
 * so that the budget counts them here.
 */
export function preparedList(
	{ list }: ListSource,
	template: TemplateFilter | undefined,
	budget?: MemoryBudget,
): ListSource {
	return {
		async list(query) {
			const page = await list(query);
			if (template === undefined)
				for (const inspection of page.inspections) budget?.add(inspection);
			await template?.prepare(page.inspections);
			return page;
		},
	};
}

function isToldByGuid(inspection: InspectionRecord): boolean {
	return hasTemplateGuid(inspection) || !saysTemplate(inspection);
}

/** Undefined where the owner of the API key may not read a template whose GUID is known: then the GUID has to do. */
async function namesOf(
	reference: string,
	isGuid: boolean,
	templates: TemplateCache,
): Promise<TemplateNames | undefined> {
	const asked = templates(reference, { includeControls: !isGuid });
	const template = await (isGuid ? asked.catch(undefinedWhereUnreadable) : asked);
	if (template === undefined) return undefined;
	const { id, template_id, name } = template;
	const identifier = textOf(template_id) ?? (isGuid ? undefined : reference);
	return { id: textOf(id) ?? reference, identifier, name: textOf(name) };
}
