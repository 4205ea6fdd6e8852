import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { fileLocator, inspectionLocator, requiredUuid } from '../../fields/locators';

/** Items whose file requests run at once: as many as Create has by default (its option Concurrency). */
export const CONCURRENT_FILES = 10;

const CURE = 'Choose it from the list, or take its ID from Get Many with the output Files';

/** The two fields that name a file. */
export function fileReferenceFields(): INodeProperties[] {
	return [inspectionLocator('The inspection that the file belongs to'), fileLocator()];
}

/** An item's two ids. Throws InputError where one is no UUID (getFileUrl of docs/service.openapi.yaml refuses it). */
export function fileReferenceOf(
	context: IExecuteFunctions,
	itemIndex: number,
): { inspectionId: string; fileId: string } {
	const idOf = (label: string, name: string) =>
		requiredUuid(label, context.getNodeParameter(name, itemIndex), CURE);
	return {
		inspectionId: idOf('Inspection', 'inspectionId'),
		fileId: idOf('File', 'fileId'),
	};
}
