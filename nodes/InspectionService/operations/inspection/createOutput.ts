import type { IDataObject } from 'n8n-workflow';

import { createdCells, simplifiedCreated } from '../../domain/create/createdCells';
import type { CreatedInspection } from '../../domain/create/createdInspection';
import type { JsonRecord } from '../../domain/json';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { knownTemplate, type KnownTemplate, rowsOf, templateKey } from '../../domain/row/row';
import { CREATE_KEYS } from '../../domain/rowKeys';
import { templateIdOf } from '../../domain/template/templateOfInspection';
import { parametersOf } from '../../fields/field';
import { TEMPLATE } from '../../fields/locators';
import { CREATE_OUTPUT } from '../../fields/output';
import type { Hint } from '../hints';
import type { OperationRun, Unit, UnitOutput } from '../operation';
import type { Order } from './createOrders';
import type { CreateSummary } from './createSummary';

/** Makes the output of one order, after its inspection was made. Never throws, because the inspection exists. */
type OutputOfOrder = (created: CreatedInspection) => Promise<UnitOutput>;

/** The outputs of Create in one run of the node. */
export interface CreateOutputs {
	/** Reads what an order has chosen. Throws InputError for a value that is none. */
	of(order: Order): OutputOfOrder;
	hints(): Hint[];
}

export function createOutputs(
	{ context, serviceOf }: OperationRun,
	summary: CreateSummary,
): CreateOutputs {
	const templateOf = async ([item]: Unit): Promise<JsonRecord | undefined> => {
		const reference = parametersOf(context, item, { templateId: TEMPLATE }).templateId;
		const { templates } = await serviceOf(item);
		return await templates(reference);
	};
	const rows = new CreatedRows();
	const of = ({ unit, group }: Order): OutputOfOrder => {
		const { output } = parametersOf(context, unit[0], { output: CREATE_OUTPUT });
		return async (created) => {
			summary.addCreated(created);
			if (output === 'raw') return [{ json: rawCreated(created, group) }];
			// The template was read before the create was sent. In another try of Retry On Fail it may not be readable.
			const template = await templateOf(unit).catch(() => undefined);
			if (output === 'simplified') {
				return [{ json: { ...simplifiedCreated(created, template), ...group } }];
			}
			const rowOf = rows.add(created, template);
			return () => [{ json: { ...rowOf(), ...createdCells(created), ...group } }];
		};
	};
	return { of, hints: () => rows.hints() };
}

/** Puts the group beside the other facts, which stand before the many members of an inspection. */
function rawCreated(created: CreatedInspection, group: IDataObject): IDataObject {
	const { id, name, status, task_id, warnings, unstored_responses, already_existed, ...others } =
		created;
	const facts = { task_id, warnings, unstored_responses, already_existed, ...group };
	return { id, name, status, ...facts, ...others, ...facts };
}

/** The rows of all inspections that were created. They are made together, so that those of a template have one header. */
class CreatedRows {
	private readonly inspections: InspectionRecord[] = [];
	private readonly templates = new Map<string, KnownTemplate>();
	private rows: readonly JsonRecord[] | undefined;

	/** The function that it returns may be called only after all inspections were added. */
	add(created: CreatedInspection, template: JsonRecord | undefined): () => JsonRecord {
		const inspection = {
			...created,
			...templateIfMissing(created, template),
			id: String(created.id),
		};
		const place = this.inspections.push(inspection) - 1;
		const key = templateKey(inspection);
		if (template !== undefined && !this.templates.has(key)) {
			this.templates.set(key, knownTemplate(template));
		}
		return () => (this.rows ??= this.make())[place] ?? {};
	}

	hints(): Hint[] {
		const bare = this.inspections.filter(({ data }) => data === undefined);
		if (bare.length === 0) return [];
		const rows = bare.length === 1 ? '1 row has' : `${String(bare.length)} rows have`;
		const message = `${rows} no answers, because the service did not send them: the inspection existed already, or the service tells only its ID. Inspection → Get with the output Row has them.`;
		return [{ message, type: 'info' }];
	}

	private make(): readonly JsonRecord[] {
		return rowsOf(this.inspections, this.templates, {
			columnNames: 'label',
			rowPerInstanceOf: undefined,
			hasFiles: false,
			hasDownloads: false,
			keysBehind: CREATE_KEYS,
		}).flat();
	}
}

/** The service's response may leave out which template an inspection was made from. */
function templateIfMissing(created: CreatedInspection, template: JsonRecord | undefined) {
	if (template === undefined || templateIdOf(created) !== undefined) return {};
	return { template: { id: template.id, name: template.name } };
}
