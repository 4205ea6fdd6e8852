import {
	createdCells,
	type CreatedInspection,
	createdOutline,
	createFactsOf,
	rawCreated,
} from '../../../domain/create/createdInspection';
import type { JsonRecord } from '../../../domain/json';
import type { MemoryBudget } from '../../../domain/memoryBudget';
import { simplified, simplifiedMembers } from '../../../domain/row/simplified';
import type { ItemOutput } from '../../../output/inspectionOutput';
import type { Done } from '../../action';
import type { ItemService } from '../../itemServices';
import type { InspectionRequest } from './buildRequest';
import type { CreateNotices } from './collectNotices';
import type { InspectionPlan } from './planInspections';

export const TOO_LARGE_TO_KEEP =
	'The responses to this node take more memory than n8n can spare (1 GB), so only the ID and name of this inspection were kept.';

/** A created or existing inspection, with everything needed to build its output. */
export interface CreateOutcome {
	readonly created: CreatedInspection;
	readonly output: 'simplified' | 'raw';
	/** Undefined if the template couldn't be read in a later attempt of Retry On Fail. */
	readonly template: JsonRecord | undefined;
	/** Undefined if the credential couldn't be read in a later attempt of Retry On Fail. */
	readonly service: ItemService | undefined;
}

/** The result of checking a planned inspection: either the request to send, or the inspection that already exists. */
export type CheckedPlan = Pick<CreateOutcome, 'output' | 'template' | 'service'> &
	(Pick<CreateOutcome, 'created'> | { readonly request: InspectionRequest });

/** Returns one output item for each created inspection. Never throws. */
export function renderCreated(
	done: readonly Done<InspectionPlan, CreateOutcome>[],
	notices: CreateNotices,
): ItemOutput[][] {
	return done.map(({ plan: { group }, outcome: { created, output, template, service } }) => {
		notices.addCreated(created, service?.client.redact);
		const json =
			output === 'raw' ? rawCreated(created, group) : simplifiedCreated(created, template, group);
		return [{ json }];
	});
}

/**
 * Returns the members of a created inspection that an output needs, or only an outline if these members exceed the
 * memory budget. Never throws.
 */
export function keptPart(
	created: CreatedInspection,
	output: string,
	budget: MemoryBudget,
): CreatedInspection {
	const needed =
		output === 'simplified'
			? { ...simplifiedMembers(created), ...createFactsOf(created) }
			: created;
	if (budget.tryAdd(needed) !== undefined) return needed;
	return createdOutline(needed, TOO_LARGE_TO_KEEP);
}

/**
 * Returns the output Simplified: the fields that Get Many also returns for a new inspection, and the facts about its
 * creation. The fields that people check first come first.
 */
export function simplifiedCreated(
	created: CreatedInspection,
	known: JsonRecord | undefined,
	group: JsonRecord = {},
): JsonRecord {
	const { id, name, status, template, team, created_at } = simplified(created, undefined, known);
	const { task_id, already_existed, ...others } = createdCells(created);
	const facts = { already_existed, ...others };
	return { id, name, status, ...facts, template, team, created_at, ...group, task_id };
}
