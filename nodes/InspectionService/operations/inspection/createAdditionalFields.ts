import type { INodeProperties } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../../domain/json';
import { STATUSES } from '../../domain/list/inspectionQuery';
import { membersOf } from '../../fields/parameterValue';
import { recentLocator } from '../../fields/recentLocator';
import { titleCase } from './titleCase';

/** The fields of an inspection besides its answers. */
export function additionalFields(): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [CREATED_BY, CUSTOM_FIELDS, DESCRIPTION, LOCATIONS, NAME, STATUS, TEAM],
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
	type: 'json',
	default: '[]',
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

const TEAM: INodeProperties = recentLocator({
	displayName: 'Team',
	name: 'teamId',
	description: 'The template’s team. Not needed: the service takes the template’s team.',
	required: false,
	searchListMethod: 'searchTeams',
	hint: 'Teams seen in recent inspections and their templates',
	id: 'a team ID',
});

/** The values of the fields: of the team's locator only the id in it. */
export function additionalValues(given: unknown): JsonRecord {
	const fields = membersOf(given);
	return isRecord(fields.teamId) ? { ...fields, teamId: fields.teamId.value } : fields;
}
