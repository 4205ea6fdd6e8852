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

/** What the editor calls a member of a collection: "Created After" for `createdAfter`. */
export function memberLabel({ options = [] }: INodeProperties, name: string): string {
	const member = options.find((option) => option.name === name);
	return member !== undefined && 'displayName' in member ? member.displayName : name;
}
