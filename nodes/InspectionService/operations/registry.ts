import type { INodeProperties } from 'n8n-workflow';

import { downloadInspectionFile } from './file/download';
import { getFileUrl } from './file/getUrl';
import { createDescription } from './inspection/createFields';
import { getDescription, getManyDescription } from './inspection/readingFields';
import type { Operation } from './operation';
import { getTemplate } from './template/get';

/**
 * Every operation of the action node. The first of each resource is the one that a new node starts with. n8n loads every
 * node when it starts: what does the work of an operation is loaded with its first run.
 */
export const OPERATIONS: readonly Operation[] = [
	{
		...createDescription,
		begin: async (run) => await (await import('./inspection/create')).beginCreate(run),
	},
	{ ...getDescription, begin: async (run) => (await import('./inspection/get')).beginGet(run) },
	{
		...getManyDescription,
		begin: async (run) => (await import('./inspection/getAll')).beginGetMany(run),
	},
	getTemplate,
	downloadInspectionFile,
	getFileUrl,
];

/** The operation of the names that a workflow has saved; undefined where this version of the node has none. */
export function findOperation(resource: string, value: string): Operation | undefined {
	return OPERATIONS.find(
		(operation) => operation.resource === resource && operation.option.value === value,
	);
}

/** One dropdown for each resource. */
export function operationDropdowns(): INodeProperties[] {
	const resources = new Set(OPERATIONS.map(({ resource }) => resource));
	return [...resources].map((resource) => {
		const operations = OPERATIONS.filter((operation) => operation.resource === resource);
		const firstOperation = operations.map(({ option }) => option.value).at(0);
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: operations.map(({ option }) => option),
			default: firstOperation,
		};
	});
}

/** The fields of all operations, each shown only with its own resource and operation. */
export function operationFields(): INodeProperties[] {
	return OPERATIONS.flatMap(({ resource, option, fields }) =>
		fields.map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { ...field.displayOptions?.show, resource: [resource], operation: [option.value] },
			},
		})),
	);
}
