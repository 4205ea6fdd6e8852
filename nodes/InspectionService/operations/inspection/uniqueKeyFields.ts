import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_KEY_DAYS, DEFAULT_KEY_FIELD } from '../../domain/create/uniqueKey';

/** The options that make Create create an inspection only once. Their names are saved in workflows. */
export function uniqueKeyFields(): INodeProperties[] {
	return [
		{
			displayName: 'Unique Key',
			name: 'uniqueKey',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json["Order No"] }}',
			description:
				'What only this inspection has, such as an order number. An inspection that has the key already is returned and not created again, so that a run can be repeated.',
		},
		{
			displayName: 'Unique Key Days',
			name: 'uniqueKeyDays',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: DEFAULT_KEY_DAYS,
			description:
				'How many days back to look for inspections that have the key already. 0 means all; the more there are, the longer it takes.',
		},
		{
			displayName: 'Unique Key Field',
			name: 'uniqueKeyField',
			type: 'string',
			default: DEFAULT_KEY_FIELD,
			description: 'Name of the custom field that keeps the key in the inspection',
		},
	];
}
