import { choice, propertiesOf, toggle, wholeNumber } from '../../fields/field';
import { TEMPLATE } from '../../fields/locators';
import type { OperationDescription } from '../action';

export const TEMPLATE_FIELDS = {
	templateId: TEMPLATE,
	output: choice({
		displayName: 'Output',
		options: [
			{
				name: 'Empty Row',
				value: 'emptyRow',
				description:
					'One item with an empty field for each column that Create accepts. A Convert to File node turns the item into a sheet to fill in.',
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
		// With more columns per question, a sheet is too wide for people to fill in.
		max: 50,
		default: 1,
		description: 'How many columns each question of a repeatable section has',
		displayOptions: { show: { output: ['emptyRow'] } },
	}),
	includeControls: toggle({
		displayName: 'Include Controls',
		default: true,
		description: 'Whether to include pages, sections, and questions',
		displayOptions: { show: { output: ['template'] } },
	}),
};

export const getTemplateDescription: OperationDescription = {
	resource: 'template',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a template',
		description: 'Retrieve a template, the list of its questions, or an empty row to fill in',
	},
	fields: propertiesOf(TEMPLATE_FIELDS),
};
