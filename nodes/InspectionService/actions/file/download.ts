import { fileInItem } from '../../domain/file/file';
import { parametersOf } from '../../fields/field';
import { fileFacts, storeFile } from '../../output/binaryFiles';
import { perItem, type Run } from '../action';
import { DOWNLOAD_FIELDS } from './fileFields';
import { UnencryptedUrls } from './unencryptedUrls';

/** Downloads one file per item. */
export function startDownload({ context, services, notices }: Run) {
	const unencrypted = new UnencryptedUrls();
	return perItem(
		{ context },
		{
			async check(item) {
				const parameters = parametersOf(context, item, DOWNLOAD_FIELDS);
				const { inspectionId, fileId, binaryPropertyName, fileName, options } = parameters;
				const input = context.getInputData()[item];
				const order = {
					inspectionId,
					fileId,
					wantedName: fileName,
					...fileInItem(input?.json ?? {}, fileId),
				};
				const kept = {
					json: options.includeOtherFields ? input?.json : undefined,
					binary: input?.binary,
				};
				const { client } = await services.of(item);
				return { client, order, binaryPropertyName, kept };
			},
			async send({ client, order, binaryPropertyName, kept }) {
				const stored = await storeFile(context, client, order);
				unencrypted.add(client.baseUrl, stored.url);
				const ids = { inspection_id: order.inspectionId, file_id: order.fileId };
				const json = { ...kept.json, ...ids, ...fileFacts(stored) };
				return { json, binary: { ...kept.binary, [binaryPropertyName]: stored.binary } };
			},
			render(outcomes) {
				notices.addEach(unencrypted.hints());
				return outcomes.map((item) => [item]);
			},
		},
	);
}
