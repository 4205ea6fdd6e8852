import { type TemplateCache, undefinedWhereUnreadable } from '../cache/templateCache';
import { guidOf } from '../domain/id';
import { textOf } from '../domain/json';
import type { ListSource } from '../domain/list/fetchPage';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import {
	hasTemplateGuid,
	isMadeFrom,
	saysTemplate,
	type TemplateNames,
} from '../domain/template/templateOfInspection';

export const NO_TEMPLATES =
	"The filter Template rejects every inspection, because this service doesn't send the template of an inspection. Remove the filter.";

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
