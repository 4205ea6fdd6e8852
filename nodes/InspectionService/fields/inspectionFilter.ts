import type { INodeProperties } from 'n8n-workflow';

import { teamLocator, templateLocator } from './locators';

/** Filters that Get Many and the trigger have in common; names and values are saved in workflows. */
export function sharedFilters(): INodeProperties[] {
	return [
		statusFilter(),
		teamLocator('Only inspections of this team'),
		templateLocator('Only inspections made from this template', false),
	];
}

/** Get Many's filters: those of the service's list, and the template, by which the node filters itself. */
export function inspectionFilters(): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			dateFilter('Created After', 'createdAfter', 'created at this time or later'),
			dateFilter(
				'Created Before',
				'createdBefore',
				'created at this time or earlier; a day without a time counts to its end',
			),
			{
				displayName: 'Flagged Items Only',
				name: 'flaggedItemsOnly',
				type: 'boolean',
				default: false,
				description: 'Whether to get only inspections with flagged items',
			},
			...sharedFilters(),
			{
				displayName: 'Questions (Control IDs)',
				name: 'templateControlIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. 3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f',
				description:
					'Only inspections that answer one of these questions, given by their template_control_id, separated by commas. Template → Get with the output Questions shows them.',
			},
			dateFilter('Updated After', 'updatedAfter', 'updated at this time or later'),
			dateFilter(
				'Updated Before',
				'updatedBefore',
				'updated at this time or earlier; a day without a time counts to its end',
			),
		],
	};
}

function statusFilter(): INodeProperties {
	return {
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		options: [
			{ name: 'Canceled', value: 'canceled' },
			{ name: 'Completed', value: 'completed' },
			{ name: 'In Progress', value: 'in_progress' },
			{ name: 'New', value: 'new' },
		],
		default: [],
		description: 'Only inspections in one of these statuses. None chosen means any.',
	};
}

function dateFilter(displayName: string, name: string, rule: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'dateTime',
		default: '',
		description: `Only inspections that were ${rule}. A time without a zone is in the workflow's time zone.`,
	};
}
