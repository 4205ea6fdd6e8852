declare const brand: unique symbol;
/** A text of one kind, which no other text may stand for. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

/** `field_id` of a control: unique inside its template (Control of docs/service.openapi.yaml). */
export type FieldId = Branded<'FieldId'>;
/** `id` of a control, a GUID, usable as `template_control_id` (Control of docs/service.openapi.yaml). */
export type ControlId = Branded<'ControlId'>;

export const asFieldId = (value: string) => value as FieldId;
export const asControlId = (value: string) => value as ControlId;

/** 8-4-4-4-12 hexadecimal digits. Some programs leave the dashes out. */
const GUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;

/** A GUID in its usual form: databases and spreadsheets also write `{3F2B8C1E5D4A4C6B9E7F0A1B2C3D4E5F}`. */
export function guidOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1).trim() : text;
	const groups = GUID.exec(inner)?.slice(1);
	return groups?.join('-').toLowerCase();
}

/** An id as ids are compared: a GUID in its usual form, any other (a template's identifier) in lower case. */
export function idKey(id: string): string {
	return guidOf(id) ?? id.toLowerCase();
}
