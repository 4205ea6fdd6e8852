import { nestedId } from '../displayName';
import { guidOf, idKey, sentId } from '../id';
import { isRecord, type JsonRecord, textOf } from '../json';

/** Returns the ID of an inspection's template. Undefined if the ID is missing or unusable (`sentId`). */
export function templateIdOf(inspection: JsonRecord): string | undefined {
	return sentId(nestedId(inspection.template) ?? inspection.template_id);
}

/** Returns the key of an inspection's template in a map of templates. Empty if the inspection has no template ID. */
export function templateKey(inspection: JsonRecord): string {
	return templateIdOf(inspection)?.toLowerCase() ?? '';
}

/** The ID, identifier, and name of a template. Several templates can have the same name. */
export interface TemplateNames {
	readonly id: string;
	readonly identifier?: string | undefined;
	readonly name?: string | undefined;
}

/**
 * Whether an inspection was created from a template. The API doesn't document how an inspection refers to its template
 * (`Inspection` in docs/service.openapi.yaml), so this compares GUID, identifier, and name. If the inspection contains a
 * GUID, only the GUID counts.
 */
export function isFromTemplate(inspection: JsonRecord, names: TemplateNames): boolean {
	const { id, identifier = id, name = id } = names;
	const texts = templateTexts(inspection);
	if (hasTemplateGuid(inspection)) return texts.some((text) => guidOf(text) === idKey(id));
	const keys = [id, identifier, name].map(idKey);
	return texts.some((text) => keys.includes(idKey(text)));
}

/**
 * Whether an inspection can be from a fetched template. Also true if the inspection contains nothing about its
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
