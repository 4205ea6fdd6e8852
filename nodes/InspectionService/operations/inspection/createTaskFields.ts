import type { INodeProperties } from 'n8n-workflow';

import { MAX_ASSIGNEES, PRIORITIES } from '../../domain/create/details';
import { titleCase } from './titleCase';

/** The switch for a task, and the task's fields. */
export function taskFields(): INodeProperties[] {
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
