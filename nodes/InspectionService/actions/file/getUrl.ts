import type { JsonRecord } from '../../domain/json';
import { MemoryBudget } from '../../domain/memoryBudget';
import type { Hint } from '../../domain/notices';
import { parametersOf } from '../../fields/field';
import { FILE_REFERENCE } from '../../fields/locators';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import { perItem, type Run } from '../action';
import { UnencryptedUrls } from './unencryptedUrls';

/** Returns the signed URL of one file per item. */
export function startGetUrl({ context, services, notices }: Run) {
	const urls = new SignedUrls();
	return perItem(
		{ context },
		{
			async check(item) {
				const { inspectionId, fileId } = parametersOf(context, item, FILE_REFERENCE);
				return { inspectionId, fileId, client: (await services.of(item)).client };
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

const TOO_LARGE =
	'The responses with these URLs take more memory than n8n can spare (1 GB). Send fewer items to the node at a time, for example with a Loop Over Items node';

/** Fetches signed URLs within the memory budget of one run. */
export class SignedUrls {
	private readonly unencrypted = new UnencryptedUrls();
	private readonly budget = new MemoryBudget(TOO_LARGE);

	/** Throws RequestFailure. Throws InputError if all responses together exceed the memory budget. */
	async get(
		client: Pick<InspectionServiceClient, 'getFileUrl' | 'baseUrl'>,
		inspectionId: string,
		fileId: string,
	): Promise<JsonRecord> {
		const signed = await client.getFileUrl(inspectionId, fileId);
		this.budget.add(signed);
		this.unencrypted.add(client.baseUrl, signed.url);
		return { ...signed, inspection_id: inspectionId, file_id: fileId };
	}

	hints(): Hint[] {
		return this.unencrypted.hints();
	}
}
