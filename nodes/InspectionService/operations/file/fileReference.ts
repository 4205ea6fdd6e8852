import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isGuid } from '../../domain/id';
import { InputError } from '../../domain/inputError';

/** File requests in flight at once: as many as Create has by default (contract, `concurrency`). */
export const CONCURRENT_FILES = 5;

/** The two fields that name a file. */
export function fileReferenceFields(): INodeProperties[] {
	return [
		{
			displayName: 'Inspection ID',
			name: 'inspectionId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 8f14e45f-ceea-467f-9b2c-2e1f0b6d3a51',
			description: 'The ID (UUID) of the inspection that the file belongs to',
		},
		{
			displayName: 'File ID',
			name: 'fileId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. c9f0f895-fb98-4b91-8d51-4f6a2f3f0a77',
			description:
				'The ID (UUID) of the file, from the files of the inspection: Get Many lists them with the output Raw and Files included',
		},
	];
}

/** An item's two ids. Throws InputError for what is no UUID (interface, section 4: the service refuses it). */
export function fileReferenceOf(
	context: IExecuteFunctions,
	itemIndex: number,
): { inspectionId: string; fileId: string } {
	return {
		inspectionId: uuidOf('Inspection ID', context.getNodeParameter('inspectionId', itemIndex)),
		fileId: uuidOf('File ID', context.getNodeParameter('fileId', itemIndex)),
	};
}

function uuidOf(name: string, value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (isGuid(text)) return text;
	const found = text === '' ? 'is empty' : `"${text}" is not a UUID`;
	throw new InputError(
		`${name} ${found}. Take it from the files of an inspection: Get Many lists them with the output Raw and Files included`,
	);
}
