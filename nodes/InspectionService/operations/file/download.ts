import {
	optionsCollection,
	parametersOf,
	propertiesOf,
	required,
	text,
	toggle,
} from '../../fields/field';
import { FILE_REFERENCE } from '../../fields/locators';
import { MAX_SIZE } from '../../fields/output';
import { jobPerItem, type Operation } from '../operation';

const DOWNLOAD_FIELDS = {
	...FILE_REFERENCE,
	binaryPropertyName: required(
		text({
			displayName: 'Put Output File in Field',
			default: 'data',
			hint: 'The name of the output binary field to put the file in',
		}),
		'Put Output File in Field is empty. Enter a name, for example data',
	),
	fileName: text({
		displayName: 'File Name',
		placeholder: 'e.g. photo.jpg',
		description:
			'What to call the file. Leave empty for its own name, from the service or from the item; a file without a name is called by its ID. Several files may have the same name: add {{ $json.file_id }} to it to keep each on a disk.',
	}),
	options: optionsCollection({
		includeOtherFields: toggle({
			displayName: 'Include Other Input Fields',
			description:
				'Whether to pass all the fields of the input item along. Its other files are always passed along.',
		}),
		maxSize: MAX_SIZE,
	}),
};

/** Puts a file into the item's binary data. */
export const downloadInspectionFile: Operation = {
	resource: 'file',
	option: {
		name: 'Download',
		value: 'download',
		action: 'Download a file',
		description: 'Download a photo, video, recording, attachment or signature of an inspection',
	},
	fields: propertiesOf(DOWNLOAD_FIELDS),
	async begin({ context, serviceOf }) {
		const { fileInItem } = await import('../../domain/file/file');
		const { fileFacts, storeFile } = await import('../../output/binaryFiles');
		const { unencryptedUrls } = await import('./unencryptedUrls');
		const unencrypted = unencryptedUrls();
		return {
			jobs: jobPerItem(context, async (item) => {
				const parameters = parametersOf(context, item, DOWNLOAD_FIELDS);
				const { inspectionId, fileId, binaryPropertyName, options } = parameters;
				const input = context.getInputData()[item];
				const order = {
					inspectionId,
					fileId,
					wantedName: parameters.fileName,
					...fileInItem(input?.json ?? {}, fileId),
					maxSizeMb: options.maxSize,
				};
				const kept = options.includeOtherFields ? input?.json : undefined;
				const ids = { inspection_id: inspectionId, file_id: fileId };
				const { client } = await serviceOf(item);
				return async () => {
					const stored = await storeFile(context, client, order);
					unencrypted.add(client.baseUrl, stored.url);
					const json = { ...kept, ...ids, ...fileFacts(stored) };
					return [{ json, binary: { ...input?.binary, [binaryPropertyName]: stored.binary } }];
				};
			}),
			hints: unencrypted.hints,
		};
	},
};
