import { sentId } from '../id';
import type { JsonRecord } from '../json';

/**
 * What is kept of an inspection whose response is too large: what it is known by. A text of more characters than an ID can
 * have is left out.
 */
export function outlineOf(inspection: JsonRecord): JsonRecord {
	const names = ['id', 'name', 'status', 'template_id', 'created_at'];
	return Object.fromEntries(names.map((name) => [name, sentId(inspection[name]) ?? null]));
}
