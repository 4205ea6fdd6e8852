import type { JsonRecord } from '../../domain/json';
import { MemoryBudget } from '../../domain/memoryBudget';
import type { Hint } from '../../domain/notices';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import { UnencryptedUrls } from './unencryptedUrls';

const TOO_LARGE =
	'The responses with these URLs take more memory than n8n can spare (1 GB). Send fewer items to the node at once, for example with Loop Over Items';

/** Fetches signed URLs within the memory budget of one run. */
export class SignedUrls {
	private readonly unencrypted = new UnencryptedUrls();
	private readonly budget = new MemoryBudget(TOO_LARGE);

	/** Throws RequestFailure, and InputError if the responses exceed the memory budget together. */
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
