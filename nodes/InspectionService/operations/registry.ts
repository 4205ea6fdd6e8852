import type { INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from './operation';
import { createInspection } from './inspection/create';
import { getTemplate } from './template/get';

/** Every operation of the action node: a new one is one new file and one line here. */
export const OPERATIONS: readonly Operation[] = [createInspection, getTemplate];

/** The operation that a workflow's saved names mean, undefined where this version has none of that name. */
export function findOperation(resource: string, value: string): Operation | undefined {
	return OPERATIONS.find(
		(operation) => operation.resource === resource && operation.option.value === value,
	);
}

/** The operation's dropdown of one resource. */
export function operationOptions(resource: Resource): Operation['option'][] {
	return OPERATIONS.filter((operation) => operation.resource === resource).map(
		(operation) => operation.option,
	);
}

/** The fields of all operations, each shown only with its own resource and operation. */
export function operationFields(): INodeProperties[] {
	return OPERATIONS.flatMap(({ resource, option, fields }) =>
		fields.map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: {
					...field.displayOptions?.show,
					resource: [resource],
					operation: [option.value],
				},
			},
		})),
	);
}
