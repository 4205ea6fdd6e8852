import { nestedId } from '../displayName';
import { idKey } from '../id';
import { type JsonRecord, textOf } from '../json';

/** The id of the template that an inspection was made from; undefined where the service does not tell. */
export function templateIdOf(inspection: JsonRecord): string | undefined {
	return nestedId(inspection.template) ?? textOf(inspection.template_id);
}

/** Whether an inspection was made from the template with this id; ids are GUIDs, so case and braces do not matter. */
export function isOfTemplate(inspection: JsonRecord, templateId: string): boolean {
	const id = templateIdOf(inspection);
	return id !== undefined && idKey(id) === idKey(templateId);
}
