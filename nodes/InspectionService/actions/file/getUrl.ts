import { parametersOf } from '../../fields/field';
import { FILE_REFERENCE } from '../../fields/locators';
import { perItem, type Run } from '../action';
import { SignedUrls } from './signedUrls';

/** Returns the signed URL of one file per item. */
export function startGetUrl({ context, serviceOf, notices }: Run) {
	const urls = new SignedUrls();
	return perItem(
		{ context },
		{
			async check(item) {
				const { inspectionId, fileId } = parametersOf(context, item, FILE_REFERENCE);
				return { inspectionId, fileId, client: (await serviceOf(item)).client };
			},
			send: async ({ client, inspectionId, fileId }) =>
				await urls.get(client, inspectionId, fileId),
			render(outcomes) {
				notices.addEach(urls.hints());
				return outcomes.map((json) => [{ json }]);
			},
		},
	);
}
