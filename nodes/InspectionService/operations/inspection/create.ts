import type { IExecuteFunctions } from 'n8n-workflow';

import { mapColumns, mapItem } from '../../domain/answer/answerMapping';
import type { AnswerMapping } from '../../domain/answer/answerMapping';
import type { DetailFields } from '../../domain/create/createDetails';
import { createRequest } from '../../domain/create/createRequest';
import type { CreateRequest } from '../../domain/create/createRequest';
import { createdInspection } from '../../domain/create/createdInspection';
import type { CreatedInspection } from '../../domain/create/createdInspection';
import { isGuid } from '../../domain/id';
import { isRecord, recordsOf, textOf } from '../../domain/json';
import type { JsonRecord } from '../../domain/json';
import { templateForm } from '../../domain/answer/templateForm';
import type { TemplateForm } from '../../domain/answer/templateForm';
import { booleanOf } from '../../fields/parameterValue';
import { requiredTemplateReference } from '../../fields/templateLocator';
import type { TemplateCache } from '../../transport/templateCache';
import type { Operation, Unit } from '../operation';
import { createAttempts } from './createAttempts';
import { createFields, DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from './createFields';
import { CreateSummary, describeCreated } from './createSummary';

/** Creates one inspection per item: answers are checked before anything is sent, and compared with what was stored. */
export const createInspection: Operation = {
	resource: 'inspection',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create an inspection',
		description: 'Create an inspection from a template, with answers and a task',
	},
	fields: createFields(),
	begin({ context, serviceOf }) {
		const formOf = rememberForms();
		// One inspection for each item. Whatever makes one of several items groups them here.
		const units = context.getInputData().map((_, item): Unit => [item]);
		const attempts = createAttempts(context, units);
		const summary = new CreateSummary(units.length);
		const output = (created: CreatedInspection) => {
			summary.addCreated(created);
			return [{ json: created }];
		};
		return {
			concurrency: concurrencyOf(context),
			units,
			async prepare(unit) {
				const before = attempts.createdOf(unit);
				if (before !== undefined) return async () => await Promise.resolve(output(before));
				const [item] = unit;
				const { client, templates } = await serviceOf(item);
				const { body, sent, unknownKeys } = await itemRequest(context, item, { templates, formOf });
				summary.addUnknownKeys(unknownKeys);
				return async () => {
					const created = await attempts.attempt(unit, async () =>
						createdInspection(await client.createInspection(body), sent),
					);
					return output(created);
				};
			},
			hints: () => summary.hints(),
			doneItems: () => attempts.createdItems(),
			describeDone: describeCreated,
		};
	},
};

interface Templates {
	templates: TemplateCache;
	formOf: (template: JsonRecord) => TemplateForm;
}

/** What to send for an item, and its keys that no question goes by. Throws InputError with all the item's problems. */
async function itemRequest(
	context: IExecuteFunctions,
	item: number,
	{ templates, formOf }: Templates,
): Promise<CreateRequest & { unknownKeys: readonly string[] }> {
	const reference = requiredTemplateReference(context.getNodeParameter('templateId', item));
	const template = await templates(reference);
	const form = formOf(template);
	const mapping = mappingOf(context, item, form);
	const request = createRequest({
		// The create operation is shown to refuse what is no GUID (interface, "Errors", 400).
		templateId: guidOf(template) ?? reference,
		form,
		mapping,
		details: detailsOf(context, item),
		timeZone: context.getTimezone(),
		validate: booleanOf('Validate Responses', optionsOf(context, item).validateResponses, true),
	});
	return { ...request, unknownKeys: mapping.unknownKeys };
}

function guidOf(template: JsonRecord): string | undefined {
	const id = textOf(template.id);
	return id !== undefined && isGuid(id) ? id : undefined;
}

/** A form is worked out once for each template, however many items have it. */
function rememberForms(): (template: JsonRecord) => TemplateForm {
	const forms = new WeakMap<JsonRecord, TemplateForm>();
	return (template) => {
		const form = forms.get(template) ?? templateForm(template);
		forms.set(template, form);
		return form;
	};
}

/**
 * The mapper is read whole: read by its `value`, n8n 2.41 checks each value against its column's type first and
 * refuses an array of choices.
 */
function mappingOf(
	context: IExecuteFunctions,
	itemIndex: number,
	form: TemplateForm,
): AnswerMapping {
	const mapper: unknown = context.getNodeParameter('responses', itemIndex, {});
	if (!isRecord(mapper)) return mapColumns(form, {}, new Map());
	if (mapper.mappingMode === 'autoMapInputData') {
		return mapItem(form, context.getInputData()[itemIndex]?.json ?? {});
	}
	const labels = new Map(
		recordsOf(mapper.schema).map(({ id, displayName }) => [String(id), String(displayName)]),
	);
	return mapColumns(form, isRecord(mapper.value) ? mapper.value : {}, labels);
}

function detailsOf(context: IExecuteFunctions, itemIndex: number): DetailFields {
	const isTaskWanted = booleanOf(
		'Create Task',
		context.getNodeParameter('createTask', itemIndex, false),
		false,
	);
	return {
		additionalFields: collectionOf(context, 'additionalFields', itemIndex),
		task: isTaskWanted ? collectionOf(context, 'task', itemIndex) : undefined,
	};
}

function optionsOf(context: IExecuteFunctions, itemIndex: number): JsonRecord {
	return collectionOf(context, 'options', itemIndex);
}

function collectionOf(context: IExecuteFunctions, name: string, itemIndex: number): JsonRecord {
	const value: unknown = context.getNodeParameter(name, itemIndex, {});
	return isRecord(value) ? value : {};
}

function concurrencyOf(context: IExecuteFunctions): number {
	const wanted = Number(optionsOf(context, 0).concurrency ?? DEFAULT_CONCURRENCY);
	if (!Number.isFinite(wanted)) return DEFAULT_CONCURRENCY;
	return Math.min(Math.max(Math.floor(wanted), 1), MAX_CONCURRENCY);
}
