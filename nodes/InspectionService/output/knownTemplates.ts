import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently } from '../domain/mapConcurrently';
import { knownTemplate, type KnownTemplates, templateKey } from '../domain/row/row';
import { hasControls } from '../domain/template/control';
import { hasStatus } from '../transport/serviceError';
import type { TemplateCache } from '../transport/templateCache';

/** Templates asked for at once. Chosen: enough to hide the network's delay; the connection's queue limits them too. */
const CONCURRENT_TEMPLATES = 5;
/**
 * Statuses after which a template counts as not readable (getTemplate of docs/service.openapi.yaml). Any other failure
 * is thrown.
 */
const NOT_READABLE = new Set(['401', '403', '404']);

/**
 * The templates of the inspections, without those that the owner of the API key may not read, and without those that
 * have no list of controls.
 */
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
