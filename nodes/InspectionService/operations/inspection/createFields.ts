import type { INodeProperties } from 'n8n-workflow';

import { MAX_ASSIGNEES, PRIORITIES } from '../../domain/create/details';
import { STATUSES } from '../../domain/list/inspectionQuery';
import { propertiesOf } from '../../fields/field';
import { team, TEMPLATE } from '../../fields/locators';
import { CREATE_OUTPUT } from '../../fields/output';
import type { OperationDescription } from '../operation';
import { answerFields } from './createAnswerFields';
import { optionFields } from './createOptions';

/** The fields of Create; their names are saved in workflows. */
export function createFields(): INodeProperties[] {
	return [
		...propertiesOf({ templateId: TEMPLATE }),
		...answerFields(),
		additionalFields(),
		...taskFields(),
		...propertiesOf({ output: CREATE_OUTPUT }),
		optionFields(),
	];
}

/** The fields of an inspection besides its answers. */
export function additionalFields(): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [CREATED_BY, CUSTOM_FIELDS, DESCRIPTION, LOCATIONS, NAME, STATUS, ...TEAM],
	};
}

const CREATED_BY: INodeProperties = {
	displayName: 'Created By (Email)',
	name: 'createdBy',
	type: 'string',
	default: '',
	placeholder: 'e.g. kim@example.com',
	description:
		'Email of the user to set as creator: a member with access to the template’s team. For anybody else the owner of the API key is the creator, and a warning says so.',
};

const CUSTOM_FIELDS: INodeProperties = {
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
};

const DESCRIPTION: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	description: 'Description of the inspection',
};

const LOCATIONS: INodeProperties = {
	displayName: 'Locations',
	name: 'locations',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. [{"name": "Gate 4"}]',
	description: 'Locations as a JSON array of objects, sent as they are',
};

const NAME: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Gate 4, weekly',
	description:
		'Name of the inspection. When empty, the service makes one from the template’s name and the time.',
};

const STATUS: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: STATUSES.map((value) => ({ name: titleCase(value), value })),
	default: 'new',
	description: 'Status of the new inspection; by expression in any case',
};

const TEAM = propertiesOf({
	teamId: team('The template’s team. Not needed: the service takes the template’s team.'),
});

/** The switch for a task, and the task's fields. */
function taskFields(): INodeProperties[] {
	return [
		{
			displayName: 'Create Task',
			name: 'createTask',
			type: 'boolean',
			default: false,
			description: 'Whether to create a task that is linked to the inspection',
		},
		task(),
	];
}

function task(): INodeProperties {
	return {
		displayName: 'Task',
		name: 'task',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: { show: { createTask: [true] } },
		options: [ASSIGNEE, DUE_DATE_TIME, INSTRUCTIONS, PRIORITY, TITLE],
	};
}

const ASSIGNEE: INodeProperties = {
	displayName: 'Assignees (Emails)',
	name: 'assignee',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Assignee' },
	default: '',
	placeholder: 'e.g. kim@example.com',
	description: `Emails of up to ${String(MAX_ASSIGNEES)} members. By expression also an array, or one text with commas, semicolons or line breaks between them. Without any, the creator of the inspection gets the task.`,
};

const DUE_DATE_TIME: INodeProperties = {
	displayName: 'Due Date',
	name: 'dueDateTime',
	type: 'dateTime',
	default: '',
	description:
		'When the task is due. Without a time zone it is read in the time zone of the workflow.',
};

const INSTRUCTIONS: INodeProperties = {
	displayName: 'Instructions',
	name: 'instructions',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	description: 'What is to be done',
};

const PRIORITY: INodeProperties = {
	displayName: 'Priority',
	name: 'priority',
	type: 'options',
	options: PRIORITIES.map((value) => ({ name: titleCase(value), value })),
	default: 'medium',
	description: 'Priority of the task; by expression in any case',
};

const TITLE: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	description: 'Title of the task. When empty, the name of the inspection is used.',
};

/** `in_progress` as the editor shows it: In Progress. */
function titleCase(value: string): string {
	return value
		.split('_')
		.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
		.join(' ');
}

export const createDescription: OperationDescription = {
	resource: 'inspection',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create inspection from template',
		description: 'Create an inspection from a template, with answers and a task',
	},
	fields: createFields(),
};
