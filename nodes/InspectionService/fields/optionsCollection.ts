import type { INodeProperties } from 'n8n-workflow';

/** The field Options; its name and those of its members are saved in workflows. */
export function optionsCollection(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	};
}
