import { nestedId } from '../displayName';
import { guidOf, idKey, sentId } from '../id';
import { isRecord, type JsonRecord, textOf } from '../json';

/** The ID of an inspection's template; undefined if the inspection names none, or no usable one (`sentId`). */
export function templateIdOf(inspection: JsonRecord): string | undefined {
	return sentId(nestedId(inspection.template) ?? inspection.template_id);
}

/** The key of an inspection's template among those that were read; '' where the inspection names none. */
export function templateKey(inspection: JsonRecord): string {
	return templateIdOf(inspection)?.toLowerCase() ?? '';
}

/** Whether an inspection was made from the template with this id; ids are GUIDs, so case and braces do not matter. */
export function isOfTemplate(inspection: JsonRecord, templateId: string): boolean {
	const id = templateIdOf(inspection);
	return id !== undefined && idKey(id) === idKey(templateId);
}

/** What a template is known by. A name need not be unique. */
export interface TemplateNames {
	readonly id: string;
	readonly identifier?: string | undefined;
	readonly name?: string | undefined;
}

/**
 * Whether an inspection was made from a template, by whichever of GUID, identifier and name is there, because the shape
 * is not shown (Inspection of docs/service.openapi.yaml). A GUID decides alone.
 */
export function isMadeFrom(inspection: JsonRecord, names: TemplateNames): boolean {
	const { id, identifier = id, name = id } = names;
	const texts = templateTexts(inspection);
	if (hasTemplateGuid(inspection)) return texts.some((text) => guidOf(text) === idKey(id));
	const keys = [id, identifier, name].map(idKey);
	return texts.some((text) => keys.includes(idKey(text)));
}

/** Whether an inspection may be made from a template that was fetched: from any, where it tells nothing of its own. */
export function mayBeOfTemplate(inspection: JsonRecord, template: JsonRecord): boolean {
	if (!saysTemplate(inspection)) return true;
	const [id = '', identifier, name] = [template.id, template.template_id, template.name].map(
		textOf,
	);
	return isMadeFrom(inspection, { id, identifier, name });
}

export function hasTemplateGuid(inspection: JsonRecord): boolean {
	return templateTexts(inspection).some((text) => guidOf(text) !== undefined);
}

export function saysTemplate(inspection: JsonRecord): boolean {
	return templateTexts(inspection).length > 0;
}

function templateTexts({ template, template_id }: JsonRecord): string[] {
	const inside = isRecord(template)
		? [template.id, template.template_id, template.name]
		: [template];
	return [...inside, template_id].flatMap((value) => textOf(value) ?? []);
}
