import type { JsonRecord } from '../../domain/json';
import { MemoryBudget } from '../../domain/memoryBudget';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import { unencryptedUrls } from './unencryptedUrls';

const TOO_LARGE =
	'The responses with these URLs take more memory than n8n can spare (1 GB). Give the node fewer items at once, for example with Loop Over Items';

/** Gets the signed URLs of one run. Throws InputError if the responses are too large together. */
export function signedUrls() {
	const unencrypted = unencryptedUrls();
	const budget = new MemoryBudget(TOO_LARGE);
	return {
		async get(
			{ getFileUrl, baseUrl }: Pick<InspectionServiceClient, 'getFileUrl' | 'baseUrl'>,
			inspectionId: string,
			fileId: string,
		): Promise<JsonRecord> {
			const signed = await getFileUrl(inspectionId, fileId);
			budget.add(signed);
			unencrypted.add(baseUrl, signed.url);
			return { ...signed, inspection_id: inspectionId, file_id: fileId };
		},
		hints: unencrypted.hints,
	};
}
