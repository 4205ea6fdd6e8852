import { deepCopy, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../../domain/json';
import type { Question } from '../../domain/template/question';
import { questionsOf } from '../../domain/template/templateQuestions';
import { booleanOf } from '../../fields/parameterValue';
import { requiredTemplateReference, templateLocator } from '../../fields/templateLocator';
import type { ItemOutput, Operation } from '../operation';

/** Template requests that run at once: as many as Create has by default (its option Concurrency). */
const CONCURRENT_TEMPLATES = 10;

export const getTemplate: Operation = {
	resource: 'template',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get template by ID or identifier',
		description: 'Get a template, as it is or as the list of its questions',
	},
	fields: [
		templateLocator(),
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Questions',
					value: 'questions',
					description: 'One item for each question that can be answered',
				},
				{
					name: 'Template',
					value: 'template',
					description: 'The template as the service returns it',
				},
			],
			default: 'template',
		},
		{
			displayName: 'Include Controls',
			name: 'includeControls',
			type: 'boolean',
			default: true,
			description: 'Whether to include the form’s controls: pages, sections and questions',
			displayOptions: { show: { output: ['template'] } },
		},
	],
	begin({ context, serviceOf }) {
		return {
			concurrency: CONCURRENT_TEMPLATES,
			async prepare([item]) {
				const reference = requiredTemplateReference(context.getNodeParameter('templateId', item));
				const wantsQuestions = context.getNodeParameter('output', item) === 'questions';
				const includeControls = wantsQuestions || includesControls(context, item);
				const { templates } = await serviceOf(item);
				return async () => {
					const template = await templates(reference, { includeControls });
					// A copy, because the next node may change its items, and other items have the same template.
					return wantsQuestions ? questionItems(template) : [{ json: deepCopy(template) }];
				};
			},
		};
	},
};

function includesControls(context: IExecuteFunctions, item: number): boolean {
	const given = context.getNodeParameter('includeControls', item, true);
	return booleanOf('Include Controls', given, true);
}

function questionItems(template: JsonRecord): ItemOutput[] {
	return questionsOf(template).questions.map((question) => ({ json: questionItem(question) }));
}

function questionItem(question: Question): IDataObject {
	const { section } = question;
	return {
		field_id: question.fieldId,
		template_control_id: question.controlId,
		label: question.label,
		path: question.path,
		type: question.type,
		required: question.required,
		choices: [...question.choices],
		repeatable_section:
			section === null
				? null
				: { field_id: section.fieldId, label: section.label, path: section.path },
	};
}
