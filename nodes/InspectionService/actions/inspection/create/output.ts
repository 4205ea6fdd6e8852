import type { IExecuteFunctions } from 'n8n-workflow';

import {
	createdCells,
	type CreatedInspection,
	createdOutline,
	createFactsOf,
	rawCreated,
} from '../../../domain/create/createdInspection';
import { groupBy } from '../../../domain/groupBy';
import type { JsonRecord } from '../../../domain/json';
import type { InspectionRecord } from '../../../domain/list/inspectionPage';
import type { MemoryBudget } from '../../../domain/memoryBudget';
import { rowsOf } from '../../../domain/row/row';
import { simplified } from '../../../domain/row/simplified';
import { CREATE_KEYS } from '../../../domain/rowKeys';
import { type Form, formOf } from '../../../domain/template/form';
import { templateIdOf, templateKey } from '../../../domain/template/templateOfInspection';
import { parametersOf } from '../../../fields/field';
import { CREATE_OUTPUT } from '../../../fields/output';
import type { ItemOutput } from '../../../output/inspectionOutput';
import type { Done } from '../../action';
import type { ItemService } from '../../itemServices';
import type { CreateHints } from './hints';
import type { InspectionPlan } from './plan';
import type { InspectionRequest } from './request';

export const TOO_LARGE_TO_KEEP =
	'The responses to this node take more memory than n8n can spare (1 GB), so only the ID and name of this inspection were kept.';

/** A created or existing inspection, with everything needed to build its output. */
export interface CreateOutcome {
	readonly created: CreatedInspection;
	readonly output: 'simplified' | 'row' | 'raw';
	/** Undefined if the template couldn't be read in a later attempt of Retry On Fail. */
	readonly template: JsonRecord | undefined;
	/** Undefined if the credential couldn't be read in a later attempt of Retry On Fail. */
	readonly service: ItemService | undefined;
}

/** The result of checking a planned inspection: either the request to send, or the inspection that already exists. */
export type CheckedPlan = Pick<CreateOutcome, 'output' | 'template' | 'service'> &
	(Pick<CreateOutcome, 'created'> | { readonly request: InspectionRequest });

/** Returns the value of the field Output for a planned inspection. Throws InputError for an unknown value. */
export function chosenOutput(
	context: IExecuteFunctions,
	{ items: [item] }: Pick<InspectionPlan, 'items'>,
): CreateOutcome['output'] {
	return parametersOf(context, item, { output: CREATE_OUTPUT }).output;
}

/** Returns the output items of each created inspection: one item, or one item per row. Never throws. */
export function renderCreated(
	done: readonly Done<InspectionPlan, CreateOutcome>[],
	hints: CreateHints,
): ItemOutput[][] {
	for (const { outcome } of done) {
		const { created, output, service } = outcome;
		hints.addCreated(created, { isRow: output === 'row', redact: service?.client.redact });
	}
	const rows = rowsOfCreated(done.map(({ outcome }) => outcome));
	return done.map(({ plan: { group }, outcome }) => {
		const { created, output, template } = outcome;
		switch (output) {
			case 'raw':
				return [{ json: rawCreated(created, group) }];
			case 'simplified':
				return [{ json: simplifiedCreated(created, template, group) }];
			case 'row': {
				const more = { ...createdCells(created), ...group };
				return (rows.get(outcome) ?? []).map((row) => ({ json: { ...row, ...more } }));
			}
		}
	});
}

/**
 * Builds the rows of all inspections with the output Row. Each credential is processed separately, because templates of
 * two services can have the same GUID, for example in staging and production.
 */
function rowsOfCreated(
	outcomes: readonly CreateOutcome[],
): ReadonlyMap<CreateOutcome, JsonRecord[]> {
	const ofRows = outcomes.filter(({ output }) => output === 'row');
	const sheets = groupBy(ofRows, ({ service }) => service?.credential);
	return new Map([...sheets.values()].flatMap(rowsOfSheet));
}

function rowsOfSheet(outcomes: readonly CreateOutcome[]): [CreateOutcome, JsonRecord[]][] {
	const forms = new Map<string, Form>();
	const inspections = outcomes.map(({ created, template }) => {
		const inspection = ofTemplate(created, template);
		const key = templateKey(inspection);
		if (template !== undefined && !forms.has(key)) forms.set(key, formOf(template));
		return inspection;
	});
	const rows = rowsOf(inspections, forms, { columnNames: 'label', keysAfter: CREATE_KEYS });
	return outcomes.map((outcome, index) => [outcome, rows[index] ?? []]);
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
	const needed = output === 'simplified' ? neededForSimplified(created) : created;
	if (budget.tryAdd(needed) !== undefined) return needed;
	return createdOutline(needed, TOO_LARGE_TO_KEEP);
}

/** Returns only the members that `simplifiedCreated` reads, because a response can be much larger. */
function neededForSimplified(created: CreatedInspection): CreatedInspection {
	const { id, name, status, template, template_id, team, created_at } = created;
	return { id, name, status, template, template_id, team, created_at, ...createFactsOf(created) };
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

/** Adds the template's ID and name if the service's response omits the template. */
function ofTemplate(
	created: CreatedInspection,
	template: JsonRecord | undefined,
): InspectionRecord {
	const inspection = { ...created, id: String(created.id) };
	if (template === undefined || templateIdOf(created) !== undefined) return inspection;
	return { ...inspection, template: { id: template.id, name: template.name } };
}
