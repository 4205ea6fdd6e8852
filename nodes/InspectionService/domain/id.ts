declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** `field_id` of a control: unique inside its template (interface, "Control object"). */
export type FieldId = Branded<'FieldId'>;
/** `id` of a control, a GUID, usable as `template_control_id` (interface, "Control object"). */
export type ControlId = Branded<'ControlId'>;

export const asFieldId = (value: string) => value as FieldId;
export const asControlId = (value: string) => value as ControlId;

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a GUID in its usual form of 8-4-4-4-12 hexadecimal digits, in any case. */
export function isGuid(value: string): boolean {
	return GUID.test(value);
}
