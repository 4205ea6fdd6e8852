import type { IExecuteFunctions } from 'n8n-workflow';

import {
	createdCells,
	type CreatedInspection,
	createdOutline,
	rawCreated,
} from '../../domain/create/createdInspection';
import { groupBy } from '../../domain/groupBy';
import type { JsonRecord } from '../../domain/json';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import type { MemoryBudget } from '../../domain/memoryBudget';
import { rowsOf, simplified } from '../../domain/row/row';
import { CREATE_KEYS } from '../../domain/rowKeys';
import { type Form, formOf } from '../../domain/template/form';
import { templateIdOf, templateKey } from '../../domain/template/templateOfInspection';
import { parametersOf } from '../../fields/field';
import { CREATE_OUTPUT } from '../../fields/output';
import type { ItemOutput } from '../../output/inspectionOutput';
import type { ItemService } from '../../transport/itemServices';
import type { Done } from '../operation';
import type { CreateHints } from './createHints';
import type { Order } from './createOrders';

export const TOO_LARGE_TO_KEEP =
	'The responses to this node take more memory than n8n can spare (1 GB), so only what names the inspection is kept of this one.';

/** What is known of an inspection once it exists. */
export interface CreateOutcome {
	readonly created: CreatedInspection;
	readonly output: 'simplified' | 'row' | 'raw';
	/** Undefined if it could not be read in another try of Retry On Fail. */
	readonly template: JsonRecord | undefined;
	/** Undefined if the credential could not be read in another try. */
	readonly service: ItemService | undefined;
}

/** Throws InputError for an output that the node doesn't know. */
export function chosenOutput(
	context: IExecuteFunctions,
	{ items: [item] }: Pick<Order, 'items'>,
): CreateOutcome['output'] {
	return parametersOf(context, item, { output: CREATE_OUTPUT }).output;
}

/** The item of each created inspection, or its rows. Never throws. */
export function renderCreated(
	done: readonly Done<Order, CreateOutcome>[],
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
				return [{ json: { ...simplifiedCreated(created, template), ...group } }];
			case 'row': {
				const more = { ...createdCells(created), ...group };
				return (rows.get(outcome) ?? []).map((row) => ({ json: { ...row, ...more } }));
			}
		}
	});
}

/**
 * Rows of one template have one header. Templates of two services can share a GUID (a restored copy, staging next to
 * production), so each credential has its own.
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
	const rows = rowsOf(inspections, forms, { columnNames: 'label', keysBehind: CREATE_KEYS });
	return outcomes.map((outcome, index) => [outcome, rows[index] ?? []]);
}

/** What an output needs of a created inspection; only its outline if that is too large. Never throws. */
export function keptPart(
	created: CreatedInspection,
	output: string,
	budget: MemoryBudget,
): CreatedInspection {
	const needed = output === 'simplified' ? neededForSimplified(created) : created;
	if (budget.tryAdd(needed) !== undefined) return needed;
	return createdOutline(needed, TOO_LARGE_TO_KEEP);
}

/** The members that `simplifiedCreated` reads: a response can have much more. */
function neededForSimplified(created: CreatedInspection): CreatedInspection {
	const { id, name, status, template, template_id, team, created_at, ...others } = created;
	const { task_id, warnings, unstored_responses, already_existed } = others;
	const facts = { task_id, warnings, unstored_responses, already_existed };
	return { id, name, status, template, template_id, team, created_at, ...facts };
}

/** The columns of Get Many's output of the same name that a new inspection fills, and what is known of its create. */
export function simplifiedCreated(
	created: CreatedInspection,
	known: JsonRecord | undefined,
): JsonRecord {
	const { id, name, status, template, team, created_at } = simplified(created, undefined, known);
	const { task_id, ...facts } = createdCells(created);
	return { id, name, status, task_id, template, team, created_at, ...facts };
}

/** The service's response may leave out which template an inspection was made from. */
function ofTemplate(
	created: CreatedInspection,
	template: JsonRecord | undefined,
): InspectionRecord {
	const inspection = { ...created, id: String(created.id) };
	if (template === undefined || templateIdOf(created) !== undefined) return inspection;
	return { ...inspection, template: { id: template.id, name: template.name } };
}
