import type { IDataObject } from 'n8n-workflow';

import type { Question } from '../../domain/template/questions';
import { choice, parametersOf, propertiesOf, toggle, wholeNumber } from '../../fields/field';
import { NO_QUESTIONS } from '../../fields/formTraits';
import { TEMPLATE } from '../../fields/locators';
import { jobPerItem, type Operation } from '../operation';

const TEMPLATE_FIELDS = {
	templateId: TEMPLATE,
	output: choice({
		displayName: 'Output',
		options: [
			{
				name: 'Empty Row',
				value: 'emptyRow',
				description:
					'One item with the columns that Create takes, all empty: Convert to File makes a sheet to fill in of it',
			},
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
	}),
	instances: wholeNumber({
		displayName: 'Instances',
		min: 1,
		// A wider sheet is filled in by a program.
		max: 50,
		default: 1,
		description:
			'How many times each question of a repeatable section has a column: Severity, Severity:2 and so on. With one row per instance and the option Group Rows By of Create, 1 is enough.',
		displayOptions: { show: { output: ['emptyRow'] } },
	}),
	includeControls: toggle({
		displayName: 'Include Controls',
		default: true,
		description: 'Whether to include the form’s controls: pages, sections and questions',
		displayOptions: { show: { output: ['template'] } },
	}),
};

export const getTemplate: Operation = {
	resource: 'template',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a template',
		description:
			'Get a template: as it is, as the list of its questions, or as an empty row to fill in',
	},
	fields: propertiesOf(TEMPLATE_FIELDS),
	async begin({ context, serviceOf }) {
		const { emptyRow } = await import('../../domain/row/rowTable');
		const { formOf } = await import('../../domain/template/form');
		const { questionsOf } = await import('../../domain/template/questions');
		const { templateCopier } = await import('../../transport/templates');
		const copyOf = templateCopier();
		let isEmpty = false;
		return {
			jobs: jobPerItem(context, async (item) => {
				const chosen = parametersOf(context, item, TEMPLATE_FIELDS);
				const { templateId, output, instances } = chosen;
				const includeControls = output !== 'template' || chosen.includeControls;
				const { templates } = await serviceOf(item);
				return async () => {
					const template = await templates(templateId, { includeControls });
					const questions = output === 'template' ? [] : questionsOf(template).questions;
					isEmpty ||= output !== 'template' && questions.length === 0;
					switch (output) {
						case 'emptyRow':
							return [{ json: emptyRow(formOf(template), instances) }];
						case 'questions':
							return questions.map((question) => ({ json: questionItem(question) }));
						case 'template':
							return [{ json: copyOf(template) }];
					}
				};
			}),
			hints: () => (isEmpty ? [{ message: NO_QUESTIONS, type: 'warning' }] : []),
		};
	},
};

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
		repeatable_section: section && {
			field_id: section.fieldId,
			label: section.label,
			path: section.path,
		},
	};
}
