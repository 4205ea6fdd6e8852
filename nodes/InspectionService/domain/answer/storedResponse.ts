import { isRecord, type JsonRecord, type JsonValue, recordsOf, textOf } from '../json';
import { trimmedEnd } from '../plainText';

/** One answer of an inspection that was read from the service. */
export interface StoredResponse {
	/** '' where the service leaves it out; then `controlId` is there. */
	fieldId: string;
	controlId: string;
	/** Instance of the repeating section, 1 for the first and for answers outside of any. */
	order: number;
	value: JsonValue | undefined;
	/** The response as the service sends it: an object with `value`; undefined where there is none. */
	response: JsonValue | undefined;
	/** Type of the control; '' where the service leaves it out. */
	type: string;
	/** '' where the service leaves it out. */
	label: string;
	/**
	 * Slash-separated labels, the answer's own label last, also where the service leaves that one out. The path is the
	 * same for every instance. '' where there is no path.
	 */
	path: string;
}

const INSTANCE = /:([1-9]\d*)$/;

/**
 * The answers of an inspection in the service's order. Undefined where the inspection was read without `data`. An empty
 * list where `data` holds none or is null (Inspection of docs/service.openapi.yaml: the data can be left unpopulated).
 */
export function storedResponsesOf(inspection: JsonRecord): StoredResponse[] | undefined {
	const { data } = inspection;
	if (data === undefined) return undefined;
	return recordsOf(isRecord(data) ? data.items : data).map((item) => ({
		fieldId: textOf(item.field_id) ?? '',
		controlId: textOf(item.template_control_id) ?? '',
		order: orderOf(item),
		value: isRecord(item.response) ? item.response.value : item.response,
		response: item.response,
		type: textOf(item.type) ?? '',
		label: textOf(item.label) ?? '',
		path: pathOf(item),
	}));
}

/**
 * The instance of an answer: `repeat_section_order`, else the number after the path, which each later instance has
 * (StoredItem of docs/service.openapi.yaml). A path that ends in its own label has no such number, also where the label
 * is `Gate:4`.
 */
function orderOf(item: JsonRecord): number {
	if (typeof item.repeat_section_order === 'number') return item.repeat_section_order;
	const path = textOf(item.path) ?? '';
	const label = textOf(item.label);
	if (label !== undefined && (path === label || path.endsWith(`/${label}`))) return 1;
	return Number(INSTANCE.exec(path)?.[1] ?? 1);
}

function pathOf(item: JsonRecord): string {
	const order = orderOf(item);
	const given = textOf(item.path) ?? '';
	const suffix = `:${String(order)}`;
	const path = order > 1 && given.endsWith(suffix) ? given.slice(0, -suffix.length) : given;
	return path.endsWith('/') ? trimmedEnd(`${path}${textOf(item.label) ?? ''}`, '/') : path;
}
