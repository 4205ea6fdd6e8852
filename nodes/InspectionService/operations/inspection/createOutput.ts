import {
	createdCells,
	type CreatedInspection,
	rawCreated,
	simplifiedCreated,
} from '../../domain/create/createdInspection';
import type { JsonRecord } from '../../domain/json';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { RowSheet } from '../../domain/row/row';
import { CREATE_KEYS } from '../../domain/rowKeys';
import { type Form, formOf } from '../../domain/template/form';
import { templateIdOf, templateKey } from '../../domain/template/templateOfInspection';
import { parametersOf } from '../../fields/field';
import { CREATE_OUTPUT } from '../../fields/output';
import type { OperationRun, UnitOutput } from '../operation';
import { templateOf } from './createFields';
import type { CreateNotes } from './createHints';
import type { Order } from './createOrders';

/** Reads what an order has chosen. The function that it gives runs once the inspection exists, and so never throws. */
export type OutputOf = (order: Order) => (created: CreatedInspection) => Promise<UnitOutput>;

export function createOutputs({ context, serviceOf }: OperationRun, notes: CreateNotes): OutputOf {
	const rows = new CreatedRows();
	return ({ unit: [item], group }) => {
		const { output } = parametersOf(context, item, { output: CREATE_OUTPUT });
		const readTemplate = async () => {
			const { templates } = await serviceOf(item);
			return await templates(templateOf(context, item));
		};
		return async (created) => {
			notes.created.push(created);
			if (output === 'raw') return [{ json: rawCreated(created, group) }];
			// The template was read before the create was sent. In another try of Retry On Fail it may not be readable.
			const template = await readTemplate().catch(() => undefined);
			if (output === 'simplified') {
				return [{ json: { ...simplifiedCreated(created, template), ...group } }];
			}
			notes.asRows.push(created);
			const made = rows.add(created, template);
			return () => made().map((row) => ({ json: { ...row, ...createdCells(created), ...group } }));
		};
	};
}

/** The inspections that were created as rows; those of a template have one header. */
class CreatedRows {
	private readonly sheet = new RowSheet({
		columnNames: 'label',
		rowPerInstanceOf: undefined,
		hasFiles: false,
		hasDownloads: false,
		keysBehind: CREATE_KEYS,
	});
	private readonly forms = new Map<string, Form>();

	/** The function that it returns may be called only after all inspections were added. */
	add(created: CreatedInspection, template: JsonRecord | undefined): () => JsonRecord[] {
		const inspection: InspectionRecord = { ...created, id: String(created.id) };
		if (template !== undefined) {
			// The service's response may leave out which template an inspection was made from.
			if (templateIdOf(created) === undefined) {
				inspection.template = { id: template.id, name: template.name };
			}
			const key = templateKey(inspection);
			if (!this.forms.has(key)) this.forms.set(key, formOf(template));
		}
		const made = this.sheet.add([inspection], this.forms);
		return () => made().flat();
	}
}
