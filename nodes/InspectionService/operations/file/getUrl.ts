import type { Operation } from '../operation';
import { CONCURRENT_FILES, fileReferenceFields, fileReferenceOf } from './fileReference';

/** The signed address of a file: whoever has it can read the file until it expires. */
export const getFileUrl: Operation = {
	resource: 'file',
	option: {
		name: 'Get URL',
		value: 'getUrl',
		action: 'Get a file URL',
		description: 'Get a download URL that works for a short time without the API key',
	},
	fields: fileReferenceFields(),
	begin({ context, service }) {
		return {
			concurrency: CONCURRENT_FILES,
			async executeItem(itemIndex) {
				const { inspectionId, fileId } = fileReferenceOf(context, itemIndex);
				const answer = await service.getFileUrl(inspectionId, fileId);
				return [{ json: { ...answer, inspection_id: inspectionId, file_id: fileId } }];
			},
		};
	},
};
