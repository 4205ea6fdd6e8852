import { nestedId } from '../displayName';
import { guidOf, idKey } from '../id';
import { isRecord, type JsonRecord, textOf } from '../json';

/** The id of the template that an inspection was made from; undefined where the service does not tell. */
export function templateIdOf(inspection: JsonRecord): string | undefined {
	return nestedId(inspection.template) ?? textOf(inspection.template_id);
}

/** Whether an inspection was made from the template with this id; ids are GUIDs, so case and braces do not matter. */
export function isOfTemplate(inspection: JsonRecord, templateId: string): boolean {
	const id = templateIdOf(inspection);
	return id !== undefined && idKey(id) === idKey(templateId);
}

/**
 * Whether an inspection may be made from a template that was fetched. The inspection's GUID of a template decides; where
 * it carries none, an identifier or name does. One that tells nothing of its template may be made from any.
 */
export function mayBeOfTemplate(inspection: JsonRecord, template: JsonRecord): boolean {
	const { template: nested, template_id: id } = inspection;
	const carried = isRecord(nested) ? [nested.id, nested.template_id, nested.name] : [nested];
	const texts = [...carried, id].flatMap((value) => textOf(value) ?? []);
	const guids = texts.flatMap((text) => guidOf(text) ?? []);
	const wanted = guidOf(template.id);
	if (guids.length > 0 && wanted !== undefined) return guids.includes(wanted);
	const names = [template.id, template.template_id, template.name].flatMap((value) => {
		return textOf(value) ?? [];
	});
	return (
		texts.length === 0 || texts.some((text) => names.some((name) => idKey(name) === idKey(text)))
	);
}
