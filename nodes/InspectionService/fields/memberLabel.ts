import type { INodeProperties } from 'n8n-workflow';

/** What the editor calls a member of a collection: "Created After" for `createdAfter`. */
export function memberLabel({ options = [] }: INodeProperties, name: string): string {
	const member = options.find((option) => option.name === name);
	return member !== undefined && 'displayName' in member ? member.displayName : name;
}
