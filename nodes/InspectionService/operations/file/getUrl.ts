import { parametersOf, propertiesOf } from '../../fields/field';
import { FILE_REFERENCE } from '../../fields/locators';
import { jobPerItem, type Operation } from '../operation';

/** Gives the signed URL of a file. Whoever has this URL can read the file until the URL expires. */
export const getFileUrl: Operation = {
	resource: 'file',
	option: {
		name: 'Get URL',
		value: 'getUrl',
		action: 'Get a file link',
		description: 'Get a download URL that works for a short time without the API key',
	},
	fields: propertiesOf(FILE_REFERENCE),
	async begin({ context, serviceOf }) {
		const { signedUrls } = await import('./signedUrls');
		const urls = signedUrls();
		return {
			jobs: jobPerItem(context, async (item) => {
				const { inspectionId, fileId } = parametersOf(context, item, FILE_REFERENCE);
				const { client } = await serviceOf(item);
				return async () => [{ json: await urls.get(client, inspectionId, fileId) }];
			}),
			hints: urls.hints,
		};
	},
};
