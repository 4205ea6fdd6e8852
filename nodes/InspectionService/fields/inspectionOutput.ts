import type { INodeProperties } from 'n8n-workflow';

/** How inspections come out of a node; names and values are saved in workflows. */
export function outputField(): INodeProperties {
	return {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: 'Each inspection as the service returns it',
			},
			{
				name: 'Row',
				value: 'row',
				description: 'One column per question, ready for a spreadsheet',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The most useful fields, the same for every inspection',
			},
		],
		default: 'simplified',
	};
}

/** Options that Get Many and the trigger have in common. */
export function outputOptions(): INodeProperties[] {
	return [
		{
			displayName: 'Download Files',
			name: 'downloadFiles',
			type: 'boolean',
			default: false,
			description:
				'Whether to download the files of each inspection, as binary data file_0, file_1 and so on',
		},
		{
			displayName: 'Include',
			name: 'include',
			type: 'multiOptions',
			options: [
				{ name: 'Answers', value: 'data' },
				{ name: 'Files', value: 'files' },
				{ name: 'Shared Users', value: 'shared_with_users' },
			],
			default: [],
			description: 'What to get in addition to the inspection itself. Shown in the raw output.',
		},
	];
}
