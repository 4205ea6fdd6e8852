import { type TemplateCache, undefinedIfUnreadable } from '../cache/templateCache';
import { cleanLine } from '../domain/formatting';
import type { JsonRecord } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently, MAX_ACTIVE } from '../domain/mapConcurrently';
import { hasControls } from '../domain/template/control';
import { type Form, formOf } from '../domain/template/form';
import { templateKey } from '../domain/template/templateOfInspection';

/**
 * Forms by template object, so that each template is parsed only once, even though Get reads one inspection per item.
 */
const FORMS = new WeakMap<JsonRecord, Form>();

function knownForm(template: JsonRecord): Form {
	const form = FORMS.get(template) ?? formOf(template);
	FORMS.set(template, form);
	return form;
}

/**
 * Returns the forms of the inspections' templates, by `templateKey`. Also returns a sentence for each template that has
 * no controls or can't be read.
 */
export async function loadForms(
	inspections: readonly InspectionRecord[],
	templates: TemplateCache,
): Promise<{ forms: ReadonlyMap<string, Form>; unread: readonly string[] }> {
	const asStored = 'its answers have the names and values that the service stores.';
	const keys = [...new Set(inspections.map(templateKey))];
	const unread: string[] = [];
	const found = await mapConcurrently(keys, MAX_ACTIVE, async (key) => {
		if (key === '') {
			unread.push(`The service sent an inspection without the ID of its template: ${asStored}`);
			return [];
		}
		const template = await templates.get(key).catch(undefinedIfUnreadable);
		if (template !== undefined && hasControls(template))
			return [[key, knownForm(template)]] as const;
		const why =
			template === undefined ? "can't be read with this API key" : 'came without its questions';
		unread.push(`The template ${cleanLine(key, 100)} ${why}: ${asStored}`);
		return [];
	});
	return { forms: new Map(found.flat()), unread };
}
