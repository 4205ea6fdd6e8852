import type { IExecuteFunctions } from 'n8n-workflow';

import { mapColumns, mapItem } from '../../domain/answer/answerMapping';
import type { AnswerMapping } from '../../domain/answer/answerMapping';
import type { DetailFields } from '../../domain/create/createDetails';
import { createRequest } from '../../domain/create/createRequest';
import { createdInspection } from '../../domain/create/createdInspection';
import { isGuid } from '../../domain/id';
import { isRecord, recordsOf, textOf } from '../../domain/json';
import type { JsonRecord } from '../../domain/json';
import { templateForm } from '../../domain/answer/templateForm';
import type { TemplateForm } from '../../domain/answer/templateForm';
import { booleanOf } from '../../fields/parameterValue';
import { requiredTemplateReference } from '../../fields/templateLocator';
import { cacheTemplates } from '../../transport/templateCache';
import type { Operation } from '../operation';
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
	begin({ context, service }) {
		const templates = cacheTemplates(service);
		const formOf = rememberForms();
		const summary = new CreateSummary(context.getInputData().length);
		return {
			concurrency: concurrencyOf(context),
			async executeItem(itemIndex) {
				const reference = requiredTemplateReference(
					context.getNodeParameter('templateId', itemIndex),
				);
				const template = await templates(reference);
				const form = formOf(template);
				const mapping = mappingOf(context, itemIndex, form);
				summary.addUnknownKeys(mapping.unknownKeys);
				const { body, sent } = createRequest({
					// The create operation is shown to refuse what is no GUID (interface, "Errors", 400).
					templateId: guidOf(template) ?? reference,
					form,
					mapping,
					details: detailsOf(context, itemIndex),
					timeZone: context.getTimezone(),
					validate: booleanOf(
						'Validate Responses',
						optionsOf(context, itemIndex).validateResponses,
						true,
					),
				});
				const created = createdInspection(await service.createInspection(body), sent);
				summary.addCreated(created);
				return [{ json: created }];
			},
			hints: () => summary.hints(),
			describeDone: describeCreated,
		};
	},
};

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
