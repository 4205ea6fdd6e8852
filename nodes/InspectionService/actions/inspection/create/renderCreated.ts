import {
	createdCells,
	type CreatedInspection,
	createdOutline,
	rawCreated,
} from '../../../domain/create/createdInspection';
import type { JsonRecord } from '../../../domain/json';
import type { MemoryBudget } from '../../../domain/memoryBudget';
import { simplified, simplifiedMembers } from '../../../domain/row/simplified';
import type { Parameters } from './readParameters';

type Output = Parameters['output'];

export const TOO_LARGE_TO_KEEP =
	'The responses to this node take more memory than n8n can spare (1 GB), so only the ID and name of this inspection were kept.';

/** A created or existing inspection, and its template as the service returned it. */
export interface CreateOutcome {
	readonly created: CreatedInspection;
	readonly template: JsonRecord;
}

/**
 * Returns the members of a created inspection that an output needs, or only an outline if these members exceed the
 * memory budget. Never throws.
 */
export function keptPart(
	created: CreatedInspection,
	output: Output,
	budget: MemoryBudget,
): CreatedInspection {
	const needed =
		output === 'simplified'
			? { ...created, inspection: simplifiedMembers(created.inspection) }
			: created;
	if (budget.tryAdd(needed) !== undefined) return needed;
	return createdOutline(needed, TOO_LARGE_TO_KEEP);
}

/**
 * Returns the output item of a created inspection. Simplified has the fields that Get Many also returns for a new
 * inspection, and the facts about its creation. The fields that people check first come first. Never throws.
 */
export function renderCreated(
	{ created, template: known }: CreateOutcome,
	output: Output,
	group: JsonRecord = {},
): JsonRecord {
	if (output === 'raw') return rawCreated(created, group);
	const { id, name, status, template, team, created_at } = simplified(
		created.inspection,
		undefined,
		known,
	);
	const { task_id, ...facts } = createdCells(created);
	return { id, name, status, ...facts, template, team, created_at, ...group, task_id };
}
