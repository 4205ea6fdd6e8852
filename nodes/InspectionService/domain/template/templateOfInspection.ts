import { nestedId } from '../displayName';
import { guidOf, idKey, sentId } from '../id';
import { isRecord, type JsonRecord, textOf } from '../json';

/** Returns the ID of an inspection's template. Undefined if it's missing or unusable (`sentId`). */
export function templateIdOf(inspection: JsonRecord): string | undefined {
	return sentId(nestedId(inspection.template) ?? inspection.template_id);
}

/** Returns the key of an inspection's template among those that were read. '' if the inspection has no template ID. */
export function templateKey(inspection: JsonRecord): string {
	return templateIdOf(inspection)?.toLowerCase() ?? '';
}

/** Whether an inspection was created from the template with this ID. IDs are GUIDs, so case and braces don't matter. */
export function isOfTemplate(inspection: JsonRecord, templateId: string): boolean {
	const id = templateIdOf(inspection);
	return id !== undefined && idKey(id) === idKey(templateId);
}

/** The identifiers of a template. The name might not be unique. */
export interface TemplateNames {
	readonly id: string;
	readonly identifier?: string | undefined;
	readonly name?: string | undefined;
}

/**
 * Whether an inspection was created from a template. Compares the GUID, identifier, or name, whichever is present,
 * because the shape is unknown (Inspection of docs/service.openapi.yaml). If there's a GUID, only that counts.
 */
export function isFromTemplate(inspection: JsonRecord, names: TemplateNames): boolean {
	const { id, identifier = id, name = id } = names;
	const texts = templateTexts(inspection);
	if (hasTemplateGuid(inspection)) return texts.some((text) => guidOf(text) === idKey(id));
	const keys = [id, identifier, name].map(idKey);
	return texts.some((text) => keys.includes(idKey(text)));
}

/**
 * Whether an inspection may have been created from a fetched template. True if the inspection doesn't show its
 * template.
 */
export function mayBeOfTemplate(inspection: JsonRecord, template: JsonRecord): boolean {
	if (!hasTemplate(inspection)) return true;
	const [id = '', identifier, name] = [template.id, template.template_id, template.name].map(
		textOf,
	);
	return isFromTemplate(inspection, { id, identifier, name });
}

export function hasTemplateGuid(inspection: JsonRecord): boolean {
	return templateTexts(inspection).some((text) => guidOf(text) !== undefined);
}

export function hasTemplate(inspection: JsonRecord): boolean {
	return templateTexts(inspection).length > 0;
}

function templateTexts({ template, template_id }: JsonRecord): string[] {
	const inside = isRecord(template)
		? [template.id, template.template_id, template.name]
		: [template];
	return [...inside, template_id].flatMap((value) => textOf(value) ?? []);
}
