import { NodeApiError } from 'n8n-workflow';

import type { InspectionRecord } from '../domain/list/inspectionPage';
import {
	type KnownTemplate,
	knownTemplate,
	type KnownTemplates,
	templateKey,
} from '../domain/row/row';
import { hasControls } from '../domain/template/control';
import type { TemplateCache } from '../transport/templateCache';

/** Templates asked for at once: they share the connection's queue, so this only hides the distance. */
const CONCURRENT_TEMPLATES = 5;
/** Refusals after which a template counts as not readable (interface, "Errors"); any other failure is one. */
const NOT_READABLE = new Set(['401', '403', '404']);

/** The templates of the inspections; those that the key's owner may not read are left out, and those without
 * a list of controls. */
export async function templatesOf(
	inspections: readonly InspectionRecord[],
	templates: TemplateCache,
): Promise<KnownTemplates> {
	const keys = [...new Set(inspections.map(templateKey))].filter((key) => key !== '');
	const found = new Map<string, KnownTemplate>();
	let next = 0;
	const work = async () => {
		for (let key = keys[next++]; key !== undefined; key = keys[next++]) {
			const template = await templates(key).catch(undefinedWhereRefused);
			if (template !== undefined && hasControls(template)) {
				found.set(key, knownTemplate(template));
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(CONCURRENT_TEMPLATES, keys.length) }, work));
	return found;
}

function undefinedWhereRefused(error: unknown): undefined {
	if (error instanceof NodeApiError && NOT_READABLE.has(error.httpCode ?? '')) return undefined;
	throw error;
}
