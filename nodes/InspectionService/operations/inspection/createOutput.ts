import {
	createdCells,
	type CreatedInspection,
	rawCreated,
} from '../../domain/create/createdInspection';
import type { JsonRecord } from '../../domain/json';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { RowSheet, simplified } from '../../domain/row/row';
import { CREATE_KEYS } from '../../domain/rowKeys';
import { type Form, formOf } from '../../domain/template/form';
import { templateIdOf, templateKey } from '../../domain/template/templateOfInspection';
import { parametersOf } from '../../fields/field';
import { CREATE_OUTPUT } from '../../fields/output';
import { Memory } from '../../transport/memory';
import type { OperationRun, UnitOutput } from '../operation';
import { templateOfItem } from './createFields';
import type { CreateHints } from './createHints';
import type { Order } from './createOrders';

/** Reads what an order has chosen. The function that it gives runs once the inspection exists, and so never throws. */
export function createOutputs(
	{ context, serviceOf }: OperationRun,
	hints: CreateHints,
): (order: Order) => (created: CreatedInspection) => Promise<UnitOutput> {
	/**
	 * Rows of one template have one header, and are made once all are known. Templates of two services can share a GUID (a
	 * restored copy, staging next to production), so each credential has its own.
	 */
	const sheets = new Memory<{ rows: RowSheet; forms: Map<string, Form> }>();
	const makeSheet = () => ({
		rows: new RowSheet({ columnNames: 'label', keysBehind: CREATE_KEYS }),
		forms: new Map<string, Form>(),
	});
	return ({ unit: [item], group }) => {
		const { output } = parametersOf(context, item, { output: CREATE_OUTPUT });
		return async (created) => {
			hints.addCreated(created, output === 'row');
			if (output === 'raw') return [{ json: rawCreated(created, group) }];
			// The template was read before the create was sent. In another try of Retry On Fail it may not be readable.
			const service = await serviceOf(item).catch(() => undefined);
			const template = await Promise.resolve(service)
				.then(async (one) => await one?.templates(templateOfItem(context, item)))
				.catch(() => undefined);
			if (output === 'simplified') {
				return [{ json: { ...simplifiedCreated(created, template), ...group } }];
			}
			const inspection = ofTemplate(created, template);
			const { rows, forms } = sheets.getOrMake(service?.credential ?? '', makeSheet);
			const key = templateKey(inspection);
			if (template !== undefined && !forms.has(key)) forms.set(key, formOf(template));
			const made = rows.add([inspection], forms);
			const more = { ...createdCells(created), ...group };
			return () =>
				made().flatMap((records) => records.map((row) => ({ json: { ...row, ...more } })));
		};
	};
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
