import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { guidOf } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import { fileLocator, inspectionLocator, locatorId } from '../../fields/recentLocator';

/** Items whose file requests run at once: as many as Create has by default (its option Concurrency). */
export const CONCURRENT_FILES = 10;

/** The two fields that name a file. */
export function fileReferenceFields(): INodeProperties[] {
	return [inspectionLocator(), fileLocator()];
}

/** An item's two ids. Throws InputError where one is no UUID (getFileUrl of docs/service.openapi.yaml refuses it). */
export function fileReferenceOf(
	context: IExecuteFunctions,
	itemIndex: number,
): { inspectionId: string; fileId: string } {
	return {
		inspectionId: uuidOf('Inspection', context.getNodeParameter('inspectionId', itemIndex)),
		fileId: uuidOf('File', context.getNodeParameter('fileId', itemIndex)),
	};
}

function uuidOf(label: string, locator: unknown): string {
	const id = locatorId(locator);
	const guid = guidOf(id);
	if (guid !== undefined) return guid;
	const found = id === undefined ? 'nothing is chosen' : `"${id}" is not a UUID`;
	throw new InputError(
		`${label}: ${found}. Choose it from the list, or take its ID from Get Many with the output Files`,
	);
}
