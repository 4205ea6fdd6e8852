import { sentId } from '../id';
import type { JsonRecord } from '../json';

/**
 * Returns the members that identify an inspection, for a response that's too large to keep. Leaves out text that's
 * longer than an ID can be.
 */
export function outlineOf(inspection: JsonRecord): JsonRecord {
	const names = ['id', 'name', 'status', 'template_id', 'created_at'];
	return Object.fromEntries(names.map((name) => [name, sentId(inspection[name]) ?? null]));
}
