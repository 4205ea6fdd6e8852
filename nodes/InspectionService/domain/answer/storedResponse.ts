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

/** The IDs by which a stored answer refers to its control. Empty text for a missing ID. */
export type ControlIds = Pick<StoredResponse, 'fieldId' | 'controlId'>;

/**
 * Returns an inspection's answers in the service's order. Undefined if the inspection was read without `data`. An empty
 * list if `data` is null or has no answers (`Inspection` in docs/service.openapi.yaml). `pathOf` returns the path that
 * the template has for a control, if the template is known.
 */
export function storedResponsesOf(
	{ data }: JsonRecord,
	pathOf: (ids: ControlIds) => string | undefined = () => undefined,
): StoredResponse[] | undefined {
	if (data === undefined) return undefined;
	return recordsOf(isRecord(data) ? data.items : data).map((item) => {
		const [path, label] = [textOf(item.path) ?? '', textOf(item.label) ?? ''];
		const ids = {
			fieldId: textOf(item.field_id) ?? '',
			controlId: textOf(item.template_control_id) ?? '',
		};
		const order =
			orderOf(item.repeat_section_order) ?? instanceInPath(path, label, () => pathOf(ids));
		return {
			...ids,
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

/** Returns the number of an instance. A service can store it as text. */
function orderOf(given: unknown): number | undefined {
	if (typeof given === 'number') return given;
	return typeof given === 'string' && /^\s*\d{1,9}\s*$/.test(given) ? Number(given) : undefined;
}

/**
 * Returns the number at the end of a path, which is the number of the section's instance (`StoredItem` in
 * docs/service.openapi.yaml). A number that belongs to a label doesn't count, such as in `Gate:4`. The path in the
 * template shows that, else the label of the answer.
 */
function instanceInPath(
	path: string,
	label: string,
	templatePath: () => string | undefined,
): number {
	const number = INSTANCE_NUMBER.exec(path)?.[1];
	if (number === undefined) return 1;
	const known = templatePath() ?? label;
	// The path can lack the label.
	const isWhole = known === path || known.startsWith(`${path}/`);
	if (isWhole || (label !== '' && path.endsWith(`/${label}`))) return 1;
	return Number(number);
}

function pathWithLabel(given: string, label: string, order: number): string {
	const suffix = `:${String(order)}`;
	const path = order > 1 && given.endsWith(suffix) ? given.slice(0, -suffix.length) : given;
	return path.endsWith('/') ? trimmedEnd(`${path}${label}`, '/') : path;
}
