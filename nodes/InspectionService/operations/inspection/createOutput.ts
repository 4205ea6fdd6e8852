import {
	createdCells,
	type CreatedInspection,
	createdOutline,
	rawCreated,
} from '../../domain/create/createdInspection';
import type { JsonRecord } from '../../domain/json';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { MemoryBudget } from '../../domain/memoryBudget';
import { rowsOf, simplified } from '../../domain/row/row';
import { CREATE_KEYS } from '../../domain/rowKeys';
import { type Form, formOf } from '../../domain/template/form';
import { templateIdOf, templateKey } from '../../domain/template/templateOfInspection';
import { parametersOf } from '../../fields/field';
import { CREATE_OUTPUT } from '../../fields/output';
import type { ItemOutput } from '../../output/inspectionOutput';
import { Memory } from '../../transport/memory';
import type { Run } from '../operation';
import { templateOfItem } from './createFields';
import type { CreateHints } from './createHints';
import type { Order } from './createOrders';

/** What becomes of an inspection once it exists. Neither function throws. */
export interface CreatedOutput {
	/** Returns what is kept of the inspection until the end of the execution. */
	keep(created: CreatedInspection): CreatedInspection;
	make(kept: CreatedInspection): Promise<() => ItemOutput[]>;
}

const TOO_LARGE_TO_KEEP =
	'The responses to this node take more memory than n8n can spare (1 GB), so only what names the inspection is kept of this one.';

interface Sheet {
	inspections: InspectionRecord[];
	forms: Map<string, Form>;
	rows?: JsonRecord[][];
}

/** Reads what an order has chosen. */
export function createOutputs(
	{ context, serviceOf }: Run,
	hints: CreateHints,
): (order: Order) => CreatedOutput {
	const budget = new MemoryBudget(TOO_LARGE_TO_KEEP);
	/**
	 * Rows of one template have one header, and are made once all are known. Templates of two services can share a GUID (a
	 * restored copy, staging next to production), so each credential has its own.
	 */
	const sheets = new Memory<Sheet>();
	const makeSheet = (): Sheet => ({ inspections: [], forms: new Map<string, Form>() });
	return ({ items: [item], group }) => {
		const { output } = parametersOf(context, item, { output: CREATE_OUTPUT });
		const keep = (created: CreatedInspection) => keptPart(created, output, budget);
		const make = async (created: CreatedInspection): Promise<() => ItemOutput[]> => {
			const service = await serviceOf(item).catch(() => undefined);
			hints.addCreated(created, { isRow: output === 'row', redact: service?.client.redact });
			if (output === 'raw') return () => [{ json: rawCreated(created, group) }];
			// The template was read before the create was sent. In another try of Retry On Fail it may not be readable.
			const template = await Promise.resolve(service)
				.then(async (one) => await one?.templates(templateOfItem(context, item)))
				.catch(() => undefined);
			if (output === 'simplified') {
				return () => [{ json: { ...simplifiedCreated(created, template), ...group } }];
			}
			const inspection = ofTemplate(created, template);
			const sheet = sheets.getOrMake(service?.credential ?? '', makeSheet);
			const { inspections, forms } = sheet;
			const key = templateKey(inspection);
			if (template !== undefined && !forms.has(key)) forms.set(key, formOf(template));
			const more = { ...createdCells(created), ...group };
			const place = inspections.push(inspection) - 1;
			return () => {
				sheet.rows ??= rowsOf(inspections, forms, {
					columnNames: 'label',
					keysBehind: CREATE_KEYS,
				});
				return (sheet.rows[place] ?? []).map((row) => ({ json: { ...row, ...more } }));
			};
		};
		return { keep, make };
	};
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
