import type { JsonRecord } from '../domain/json';
import type { InspectionServiceClient } from './inspectionServiceClient';

/** Templates with their controls, each asked for once however many items need it. */
export type TemplateCache = (idOrIdentifier: string) => Promise<JsonRecord>;

/**
 * A cache that lives as long as its holder: one execution or one poll. Identifiers are compared without
 * regard to case, as the service does (interface, section 1). A failed request is shared by those who
 * waited for it and asked again by those who come later.
 */
export function cacheTemplates(service: InspectionServiceClient): TemplateCache {
	const templates = new Map<string, Promise<JsonRecord>>();
	return (idOrIdentifier) => {
		const key = idOrIdentifier.toLowerCase();
		const known = templates.get(key);
		if (known !== undefined) return known;
		const template = service.getTemplate(idOrIdentifier, { includeControls: true });
		templates.set(key, template);
		template.catch(() => templates.delete(key));
		return template;
	};
}
