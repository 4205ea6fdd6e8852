import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently } from '../domain/mapConcurrently';
import { knownTemplate, type KnownTemplates, templateKey } from '../domain/row/row';
import { hasControls } from '../domain/template/control';
import { hasStatus } from '../transport/serviceError';
import type { TemplateCache } from '../transport/templateCache';

/** Templates asked for at once: they share the connection's queue, so this only hides the distance. */
const CONCURRENT_TEMPLATES = 5;
/** Refusals after which a template counts as not readable (getTemplate of docs/service.openapi.yaml); any other failure is one. */
const NOT_READABLE = new Set(['401', '403', '404']);

/** The templates of the inspections; those that the key's owner may not read are left out, and those without
 * a list of controls. */
export async function templatesOf(
	inspections: readonly InspectionRecord[],
	templates: TemplateCache,
): Promise<KnownTemplates> {
	const keys = [...new Set(inspections.map(templateKey))].filter((key) => key !== '');
	const found = await mapConcurrently(keys, CONCURRENT_TEMPLATES, async (key) => {
		const template = await templates(key).catch(undefinedWhereRefused);
		if (template === undefined || !hasControls(template)) return [];
		return [[key, knownTemplate(template)]] as const;
	});
	return new Map(found.flat());
}

function undefinedWhereRefused(error: unknown): undefined {
	if (hasStatus(error, NOT_READABLE)) return undefined;
	throw error;
}
