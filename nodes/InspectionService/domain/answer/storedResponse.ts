import { isRecord, type JsonRecord, type JsonValue, recordsOf, textOf } from '../json';
import { trimmedEnd } from '../normalizeText';

export interface StoredResponse {
	/** Empty text if the service leaves out the field, like all strings of this object. */
	fieldId: string;
	controlId: string;
	order: number;
	value: JsonValue | undefined;
	/** The response as the service sends it: an object with `value`. Undefined if the answer has no response. */
	response: JsonValue | undefined;
	type: string;
	label: string;
	/** Whether the service marks the answer as flagged. The API doesn't document the field (`StoredItem`). */
	isFlagged: boolean;
	/**
	 * Slash-separated labels, ending with the answer's own label. The same for every instance of a repeatable section.
	 */
	path: string;
}

/** Matches the instance number at the end of a path or column name, such as `:2`. */
export const INSTANCE_NUMBER = /:([1-9]\d*)$/;

/**
 * Returns an inspection's answers in the service's order. Undefined if the inspection was read without `data`. An empty
 * list if `data` is null or has no answers (`Inspection` in docs/service.openapi.yaml).
 */
export function storedResponsesOf({ data }: JsonRecord): StoredResponse[] | undefined {
	if (data === undefined) return undefined;
	return recordsOf(isRecord(data) ? data.items : data).map((item) => {
		const [path, label] = [textOf(item.path) ?? '', textOf(item.label) ?? ''];
		const order = instanceOf(item.repeat_section_order, path, label);
		return {
			fieldId: textOf(item.field_id) ?? '',
			controlId: textOf(item.template_control_id) ?? '',
			order,
			value: isRecord(item.response) ? item.response.value : item.response,
			response: item.response,
			type: textOf(item.type) ?? '',
			label,
			isFlagged: [item.is_flagged, item.flagged].includes(true),
			path: pathWithLabel(path, label, order),
		};
	});
}

/**
 * Returns the number of the section's instance: `repeat_section_order`, or the number at the end of the path
 * (`StoredItem` in docs/service.openapi.yaml). A number that belongs to the question's label doesn't count, such as in
 * `Gate:4`.
 */
function instanceOf(given: unknown, path: string, label: string): number {
	if (typeof given === 'number') return given;
	if (label !== '' && (path === label || path.endsWith(`/${label}`))) return 1;
	return Number(INSTANCE_NUMBER.exec(path)?.[1] ?? 1);
}

function pathWithLabel(given: string, label: string, order: number): string {
	const suffix = `:${String(order)}`;
	const path = order > 1 && given.endsWith(suffix) ? given.slice(0, -suffix.length) : given;
	return path.endsWith('/') ? trimmedEnd(`${path}${label}`, '/') : path;
}
