import type { InspectionRecord } from '../domain/list/inspectionPage';
import { isOfTemplate, templateIdOf } from '../domain/template/templateOfInspection';
import { type TemplateCache, templateIdOfReference } from './templateCache';

/** Keeps the inspections of one template: listInspections of docs/service.openapi.yaml has no such filter. */
export interface TemplateFilter {
	/** Asks the service for the template's id, where only the identifier is known. To be called before `matches`. */
	prepare(): Promise<void>;
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
	let id: string | undefined;
	let seen = 0;
	let seenWithTemplate = 0;
	return {
		async prepare() {
			id ??= await templateIdOfReference(reference, templates);
		},
		matches(inspection) {
			seen += 1;
			if (templateIdOf(inspection) !== undefined) seenWithTemplate += 1;
			return id !== undefined && isOfTemplate(inspection, id);
		},
		hasSeenNone: () => seen > 0 && seenWithTemplate === 0,
	};
}
