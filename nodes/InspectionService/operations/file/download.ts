import { InputError } from '../../domain/inputError';
import { textOf } from '../../domain/json';
import { downloadFile, fileFacts } from '../../output/fileDownload';
import type { Operation } from '../operation';
import { CONCURRENT_FILES, fileReferenceFields, fileReferenceOf } from './fileReference';
import { UnencryptedUrls } from './unencryptedUrls';

/** Puts a file into the item's binary data. */
export const downloadInspectionFile: Operation = {
	resource: 'file',
	option: {
		name: 'Download',
		value: 'download',
		action: 'Download a file',
		description: 'Download a photo, video, recording, attachment or signature of an inspection',
	},
	fields: [
		...fileReferenceFields(),
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			required: true,
			default: 'data',
			hint: 'The name of the output binary field to put the file in',
		},
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. photo.jpg',
			description: 'What to call the file. Leave empty for the name that it has in the service.',
		},
	],
	begin({ context, serviceOf }) {
		const unencrypted = new UnencryptedUrls();
		return {
			concurrency: CONCURRENT_FILES,
			async prepare([item]) {
				const { inspectionId, fileId } = fileReferenceOf(context, item);
				const property = propertyName(context.getNodeParameter('binaryPropertyName', item));
				const wantedName = textOf(context.getNodeParameter('fileName', item, ''));
				const { client } = await serviceOf(item);
				return async () => {
					const order = { inspectionId, fileId, wantedName };
					const { binary, bytes, url } = await downloadFile(context, client, order);
					unencrypted.add(client.baseUrl, url);
					const facts = fileFacts(binary, bytes);
					const json = { inspection_id: inspectionId, file_id: fileId, ...facts };
					return [{ json, binary: { [property]: binary } }];
				};
			},
			hints: () => unencrypted.hints(),
		};
	},
};

function propertyName(value: unknown): string {
	const name = typeof value === 'string' ? value.trim() : '';
	if (name !== '') return name;
	throw new InputError('Put Output File in Field is empty. Enter a name, for example data');
}
