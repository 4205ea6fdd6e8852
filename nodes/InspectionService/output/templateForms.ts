import { type TemplateCache, undefinedIfUnreadable } from '../cache/templateCache';
import { cleanLine } from '../domain/formatting';
import type { JsonRecord } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently, MAX_ACTIVE } from '../domain/mapConcurrently';
import { hasControls } from '../domain/template/control';
import { type Form, formOf } from '../domain/template/form';
import { templateIdOf, templateKey } from '../domain/template/templateOfInspection';

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
 * no controls or can't be read. `filtered` is the template of the filter, if any: then it's the template of the
 * inspections that don't refer to theirs.
 */
export async function loadForms(
	inspections: readonly InspectionRecord[],
	templates: TemplateCache,
	filtered?: string,
): Promise<{ forms: ReadonlyMap<string, Form>; unread: readonly string[] }> {
	const asStored = 'its answers have the names and values that the service stores.';
	// Fetch by the reference as the service sends it, because a service can compare it as text.
	const references = new Map(
		inspections.map((one) => [templateKey(one), templateIdOf(one) ?? filtered] as const),
	);
	const unread: string[] = [];
	const found = await mapConcurrently([...references], MAX_ACTIVE, async ([key, reference]) => {
		if (reference === undefined) {
			unread.push(`The service sent an inspection without the ID of its template: ${asStored}`);
			return [];
		}
		const template = await templates.get(reference).catch(undefinedIfUnreadable);
		if (template !== undefined && hasControls(template))
			return [[key, knownForm(template)]] as const;
		const why =
			template === undefined ? "can't be read with this API key" : 'came without its questions';
		unread.push(`The template ${cleanLine(reference, 100)} ${why}: ${asStored}`);
		return [];
	});
	return { forms: new Map(found.flat()), unread };
}
