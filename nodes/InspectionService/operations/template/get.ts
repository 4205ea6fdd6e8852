import { deepCopy, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../../domain/json';
import { emptyRow } from '../../domain/row/rowTable';
import { formOf } from '../../domain/template/form';
import { type Question, questionsOf } from '../../domain/template/questions';
import { requiredTemplateReference, templateLocator } from '../../fields/locators';
import { booleanOf, choiceOf, wholeNumberOf } from '../../fields/parameterValue';
import { type ItemOutput, jobPerItem, type Operation } from '../operation';

/** Template requests that run at once: as many as Create has by default (its option Concurrency). */
const CONCURRENT_TEMPLATES = 10;
/** Columns for each question of a repeatable section, at most: a wider sheet is filled in by a program. */
const MAX_INSTANCES = 50;

export const getTemplate: Operation = {
	resource: 'template',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get template by ID or identifier',
		description:
			'Get a template: as it is, as the list of its questions, or as an empty row to fill in',
	},
	fields: [
		templateLocator(),
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
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
		},
		{
			displayName: 'Instances',
			name: 'instances',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_INSTANCES, numberPrecision: 0 },
			default: 1,
			description:
				'How many times each question of a repeatable section has a column: Severity, Severity:2 and so on. With one row per instance and the option Group Rows By of Create, 1 is enough.',
			displayOptions: { show: { output: ['emptyRow'] } },
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
			jobs: jobPerItem(context, async (item) => {
				const reference = requiredTemplateReference(context.getNodeParameter('templateId', item));
				const make = makerOf(context, item);
				const includeControls = make !== templateItem || includesControls(context, item);
				const { templates } = await serviceOf(item);
				return async () => {
					return make(await templates(reference, { includeControls }));
				};
			}),
		};
	},
};

type Maker = (template: JsonRecord) => ItemOutput[];

/** What makes the chosen output of a template. Throws InputError where a parameter cannot be used. */
function makerOf(context: IExecuteFunctions, item: number): Maker {
	const output = context.getNodeParameter('output', item);
	switch (choiceOf('Output', output, ['emptyRow', 'questions', 'template'])) {
		case 'emptyRow': {
			const given = context.getNodeParameter('instances', item, 1);
			const instances = wholeNumberOf('Instances', given, { min: 1, max: MAX_INSTANCES });
			return (template) => [{ json: emptyRow(formOf(template), instances) }];
		}
		case 'questions':
			return questionItems;
		default:
			return templateItem;
	}
}

/** A copy, because the next node may change its items, and other items have the same template. */
function templateItem(template: JsonRecord): ItemOutput[] {
	return [{ json: deepCopy(template) }];
}

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
