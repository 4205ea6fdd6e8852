import type { INodeProperties } from 'n8n-workflow';

import { PRIORITIES } from '../../domain/create/createDetails';
import { MAX_ASSIGNEES } from '../../domain/limits';
import { STATUSES } from '../../domain/list/inspectionQuery';
import { templateLocator } from '../../fields/templateLocator';
import { uniqueKeyFields } from './uniqueKeyFields';

/** Creates in flight at once where the user does not say (contract). */
export const DEFAULT_CONCURRENCY = 10;
/** As many as the transport sends at once: a higher number would change nothing. */
export const MAX_CONCURRENCY = 10;

/** Until a template is chosen there is nothing to map, and n8n would show that as an error. */
const TEMPLATE_CHOSEN = { hide: { templateId: [''] } };

/** The fields of Create; their names are saved in workflows. */
export function createFields(): INodeProperties[] {
	return [
		templateLocator(),
		answers(),
		...answersNotices(),
		additionalFields(),
		{
			displayName: 'Create Task',
			name: 'createTask',
			type: 'boolean',
			default: false,
			description: 'Whether to create a task that is linked to the inspection',
		},
		task(),
		options(),
	];
}

function answers(): INodeProperties {
	return {
		displayName: 'Answers',
		name: 'responses',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description: 'The answers to the questions of the template. An empty field is not answered.',
		builderHint: {
			propertyHint:
				'With rows of a spreadsheet use mappingMode autoMapInputData: keys of an item are question labels, ":2" behind one means the second entry of a repeatable section. With defineBelow the keys of value are field_id values, and section:<field_id> takes an array with one object per entry.',
		},
		displayOptions: TEMPLATE_CHOSEN,
		typeOptions: {
			loadOptionsDependsOn: ['templateId.value'],
			resourceMapper: {
				resourceMapperMethod: 'getQuestionColumns',
				mode: 'add',
				valuesLabel: 'Answers',
				fieldWords: { singular: 'question', plural: 'questions' },
				addAllFields: true,
				supportAutoMap: true,
				refreshStaleSchemaOnOpen: true,
				// The reason stands in the notice below it; this line brings n8n's link to try again.
				noFieldsError: 'There are no questions to show',
			},
		},
	};
}

/**
 * What the fields of the mapper cannot say themselves: n8n 2.41 shows a question's name, and nothing to explain it. One
 * notice each, because n8n takes line breaks out of a notice.
 */
function answersNotices(): INodeProperties[] {
	return [
		{
			...answersNotice(
				'choiceForModelNotice',
				'A question with choices has no button to let the model fill it. Switch its field to Expression and write {{ $fromAI("Result", "Pass, Fail or N/A") }}, with the name of the question and its choices.',
			),
			displayOptions: {
				...TEMPLATE_CHOSEN,
				show: { '@tool': [true], '/responses.mappingMode': ['defineBelow'] },
			},
		},
		answersNotice(
			'severalChoicesNotice',
			'Several choices for one question: switch its field to Expression and write them with commas between them, such as Dust, Noise',
		),
		answersNotice(
			'sectionsNotice',
			'A question named Room › Name fills the first entry of the repeatable section Room. For several entries add Room (list, one entry each) instead: drag an array into it, or write [{"Name": "Hall"}, {"Name": "Kitchen"}] with the names behind the › sign.',
		),
		answersNotice(
			'longTemplateNotice',
			'Of a long template 50 questions are shown, and “Add question to send” has the others; where it is missing, choose the template again. The mode “Map Automatically” takes all of them.',
		),
	];
}

function answersNotice(name: string, displayName: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'notice',
		default: '',
		displayOptions: { ...TEMPLATE_CHOSEN, show: { '/responses.mappingMode': ['defineBelow'] } },
	};
}

function additionalFields(): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Created By (Email)',
				name: 'createdBy',
				type: 'string',
				default: '',
				placeholder: 'e.g. kim@example.com',
				description:
					'Email of the user to set as creator: a member with access to the template’s team. For anybody else the owner of the API key is the creator, and a warning says so.',
			},
			{
				displayName: 'Custom Fields',
				name: 'customFields',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Custom Field',
				default: {},
				options: [
					{
						displayName: 'Custom Field',
						name: 'customField',
						values: [
							{
								displayName: 'Name',
								name: 'name',
								type: 'string',
								default: '',
								description: 'Name of the custom field',
							},
							{
								displayName: 'Value',
								name: 'value',
								type: 'string',
								default: '',
								description: 'Value of the custom field',
							},
						],
					},
				],
			},
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				description: 'Description of the inspection',
			},
			{
				displayName: 'Locations',
				name: 'locations',
				type: 'json',
				default: '[]',
				description: 'Locations as a JSON array of objects, sent as they are',
			},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Gate 4, weekly',
				description:
					'Name of the inspection. When empty, the service makes one from the template’s name and the time.',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: STATUSES.map((value) => ({ name: titleOf(value), value })),
				default: 'new',
				description: 'Status of the new inspection; by expression in any case',
			},
			{
				displayName: 'Team ID',
				name: 'teamId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f',
				description:
					'GUID of the template’s team. Not needed: the service takes the template’s team.',
			},
		],
	};
}

function task(): INodeProperties {
	return {
		displayName: 'Task',
		name: 'task',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: { show: { createTask: [true] } },
		options: [
			{
				displayName: 'Assignees (Emails)',
				name: 'assignee',
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Assignee' },
				default: '',
				placeholder: 'e.g. kim@example.com',
				description: `Emails of up to ${String(MAX_ASSIGNEES)} members. By expression also an array, or one text with commas, semicolons or line breaks between them. Without any, the creator of the inspection gets the task.`,
			},
			{
				displayName: 'Due Date',
				name: 'dueDateTime',
				type: 'dateTime',
				default: '',
				description:
					'When the task is due. Without a time zone it is read in the time zone of the workflow.',
			},
			{
				displayName: 'Instructions',
				name: 'instructions',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				description: 'What is to be done',
			},
			{
				displayName: 'Priority',
				name: 'priority',
				type: 'options',
				options: PRIORITIES.map((value) => ({ name: titleOf(value), value })),
				default: 'medium',
				description: 'Priority of the task; by expression in any case',
			},
			{
				displayName: 'Title',
				name: 'title',
				type: 'string',
				default: '',
				description: 'Title of the task. When empty, the name of the inspection is used.',
			},
		],
	};
}

function options(): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Concurrency',
				name: 'concurrency',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY, numberPrecision: 0 },
				default: DEFAULT_CONCURRENCY,
				description: 'How many inspections are created at the same time',
			},
			{
				displayName: 'Date Format',
				name: 'dateFormat',
				type: 'string',
				default: '',
				placeholder: 'e.g. dd.MM.yyyy',
				description:
					'How dates are written as text: dd for the day, MM for the month, yyyy for the year, HH:mm for a time. Without it, only text that can be read in one way is taken for a date, such as 2026-05-31.',
			},
			{
				displayName: 'Decimal Separator',
				name: 'decimalSeparator',
				type: 'options',
				options: [
					{ name: 'Comma (1.234,5)', value: 'comma' },
					{ name: 'Point (1,234.5)', value: 'point' },
				],
				default: 'point',
				description:
					'How numbers are written as text. Without it, a text with a comma or a thousands separator is no number.',
			},
			{
				displayName: 'Group Rows By',
				name: 'groupRowsBy',
				type: 'string',
				requiresDataPath: 'single',
				default: '',
				placeholder: 'e.g. Inspection No',
				description:
					'Column that tells which rows belong together: rows with the same value make one inspection. Each row with an answer to a repeatable section is one instance of it.',
			},
			...uniqueKeyFields(),
			{
				displayName: 'Validate Responses',
				name: 'validateResponses',
				type: 'boolean',
				default: true,
				description:
					'Whether to check all answers before anything is sent. When off, answers that break a rule are sent as they are; the service drops them in silence.',
			},
		],
	};
}

/** `in_progress` as the editor shows it: In Progress. */
function titleOf(value: string): string {
	return value
		.split('_')
		.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
		.join(' ');
}
