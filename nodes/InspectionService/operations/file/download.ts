import { InputError } from '../../domain/inputError';
import { fileNameInItem } from '../../domain/row/fileRecords';
import { optionsCollection } from '../../fields/collection';
import { maxBytesOf, maxSizeOption } from '../../fields/maxSize';
import { booleanOf, membersOf, nameOf } from '../../fields/parameterValue';
import { fileFacts, storeFile } from '../../output/binaryFiles';
import { jobPerItem, type Operation } from '../operation';
import { CONCURRENT_FILES, fileReferenceFields, fileReferenceOf } from './fileReference';
import { UnencryptedUrls } from './unencryptedUrls';

/** Puts a file into the item's binary data. */
export const downloadInspectionFile: Operation = {
	resource: 'file',
	option: {
		name: 'Download',
		value: 'download',
		action: 'Download file by inspection ID and file ID',
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
			description:
				'What to call the file. Leave empty for its own name, from the service or from the item; a file without a name is called by its ID.',
		},
		optionsCollection([
			{
				displayName: 'Include Other Input Fields',
				name: 'includeOtherFields',
				type: 'boolean',
				default: false,
				description:
					'Whether to pass all the fields of the input item along. Its other files are always passed along.',
			},
			maxSizeOption(),
		]),
	],
	begin({ context, serviceOf }) {
		const unencrypted = new UnencryptedUrls();
		return {
			concurrency: CONCURRENT_FILES,
			jobs: jobPerItem(context, async (item) => {
				const { inspectionId, fileId } = fileReferenceOf(context, item);
				const property = propertyName(context.getNodeParameter('binaryPropertyName', item));
				const wantedName = nameOf('File Name', context.getNodeParameter('fileName', item, ''));
				const input = context.getInputData()[item];
				const listedName = fileNameInItem(input?.json ?? {}, fileId);
				const options = membersOf(context.getNodeParameter('options', item, {}));
				const keepsFields = booleanOf(
					'Include Other Input Fields',
					options.includeOtherFields,
					false,
				);
				const kept = keepsFields ? input?.json : undefined;
				const maxBytes = maxBytesOf(options.maxSize);
				const { client } = await serviceOf(item);
				return async () => {
					const order = { inspectionId, fileId, wantedName, listedName, maxBytes };
					const { binary, bytes, url } = await storeFile(context, client, order);
					unencrypted.add(client.baseUrl, url);
					const facts = fileFacts(binary, bytes);
					return [
						{
							json: { ...kept, inspection_id: inspectionId, file_id: fileId, ...facts },
							binary: { ...input?.binary, [property]: binary },
						},
					];
				};
			}),
			hints: () => unencrypted.hints(),
		};
	},
};

function propertyName(value: unknown): string {
	const name = nameOf('Put Output File in Field', value);
	if (name !== undefined) return name;
	throw new InputError('Put Output File in Field is empty. Enter a name, for example data');
}
