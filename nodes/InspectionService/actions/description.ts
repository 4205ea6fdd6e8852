import type { INodeProperties } from 'n8n-workflow';

import type { OperationDescription } from './action';
import { downloadDescription, getUrlDescription } from './file/fileFields';
import { createDescription } from './inspection/create/description';
import { getDescription, getManyDescription } from './inspection/inspectionFields';
import { getTemplateDescription } from './template/templateFields';

/**
 * Describes every operation of the action node. New nodes start with the first operation of each resource. n8n loads
 * every node at startup, so the code that does the work (`router.ts`) is loaded only when a node first runs.
 */
const OPERATIONS: readonly OperationDescription[] = [
	createDescription,
	getDescription,
	getManyDescription,
	getTemplateDescription,
	downloadDescription,
	getUrlDescription,
];

/**
 * Returns one Operation dropdown per resource, and the fields of all operations. Each field is shown only for its
 * operation.
 */
export function operationProperties(): INodeProperties[] {
	const resources = new Set(OPERATIONS.map(({ resource }) => resource));
	const dropdowns: INodeProperties[] = [...resources].map((resource) => {
		const operations = OPERATIONS.filter((operation) => operation.resource === resource);
		const firstOperation = operations[0]?.option.value;
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
	const fields = OPERATIONS.flatMap(({ resource, option, fields: own }) =>
		own.map((field) => {
			const show = {
				...field.displayOptions?.show,
				resource: [resource],
				operation: [option.value],
			};
			return { ...field, displayOptions: { ...field.displayOptions, show } };
		}),
	);
	return [...dropdowns, ...fields];
}
