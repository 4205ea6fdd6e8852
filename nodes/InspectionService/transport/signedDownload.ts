import { storageOrigin } from '../domain/file/downloadUrl';
import { reportOf } from '../domain/request/failureReport';
import type { RequestFailure } from '../domain/request/requestFailure';
import type { Connection } from './connection';
import { type OpenFile, openStorage } from './fileStorage';
import type { FileTaker, InspectionServiceClient } from './inspectionServiceClient';
import { RequestQueue } from './requestQueue';
import { serviceError } from './serviceError';
import { thrownFailure } from './thrownFailure';

/** Downloads of one connection at once. Many small files stay quick, and a large one shares the line with few. */
const MAX_DOWNLOADS = 6;
/** One signed URL, and one more where the first was refused or broke off. */
const MAX_SIGNINGS = 2;
/** How storages refuse a signature that has expired (Google Cloud Storage: 400) or is no longer known. */
const REFUSES_URL = new Set([400, 401, 403, 404, 410]);

type Download = InspectionServiceClient['download'];
type Outcome<Taken> = { taken: Taken } | { url: string; failure: RequestFailure };

/** Downloads through URLs that `sign` gets. */
export function signedDownload(
	connection: Connection,
	sign: InspectionServiceClient['getFileUrl'],
): Download {
	const { context, deadline } = connection;
	const open = openStorage(connection, MAX_DOWNLOADS);
	const queue = new RequestQueue({ maxActive: MAX_DOWNLOADS, deadline });

	const attempt = async <Taken>(
		{ inspectionId, fileId, maxBytes }: Parameters<Download>[0],
		take: FileTaker<Taken>,
	): Promise<Outcome<Taken>> => {
		if (deadline.isOver()) return { url: '', failure: { kind: 'timeUp' } };
		const { url } = await sign(inspectionId, fileId);
		const opened = await open(url, maxBytes);
		if ('failure' in opened) return { url, failure: opened.failure };
		const result = await taken(opened.value, take, connection);
		return 'failure' in result ? { url, ...result } : result;
	};

	return async (ids, take) => {
		const start = await queue.start({ isRetry: false });
		if ('kind' in start) throw serviceError(context.getNode(), reportOf(storage(''), start));
		try {
			for (let signing = 1; ; signing++) {
				const outcome = await attempt(ids, take);
				if ('taken' in outcome) return outcome.taken;
				const { url, failure } = outcome;
				const again = signing < MAX_SIGNINGS && !deadline.isCancelled() && mayHeal(failure);
				if (!again) {
					throw serviceError(context.getNode(), reportOf(storage(url), failure));
				}
			}
		} finally {
			queue.finish({ success: true });
		}
	};
}

const storage = (url: string) => ({
	operation: 'downloadFile' as const,
	baseUrl: url === '' ? '' : storageOrigin(url),
	path: '',
});

/** Whether another signed URL may help. After other failures `openStorage` has retried already. */
function mayHeal(failure: RequestFailure): boolean {
	if (failure.kind === 'status') return REFUSES_URL.has(failure.status);
	return failure.kind === 'cutOff';
}

async function taken<Taken>(
	file: OpenFile,
	take: FileTaker<Taken>,
	connection: Connection,
): Promise<{ taken: Taken } | { failure: RequestFailure }> {
	const result = await take(file).catch((error: unknown) => ({ error }));
	const breakage = file.breakage();
	file.body.destroy();
	const { maxBytes } = file;
	if (file.isTooLarge()) return { failure: { kind: 'fileTooLarge', maxBytes } };
	if (!('error' in result)) return cutOff(file, result.bytes) ?? { taken: result.taken };
	// The download was fine, so the error is that of `take`: the disk may be full.
	if (breakage === undefined) throw result.error;
	const failure = thrownFailure(breakage, connection);
	if (failure.kind === 'cancelled' || failure.kind === 'timeUp') return { failure };
	return { failure: { kind: 'cutOff', detail: connection.redact(breakage.message) } };
}

/**
 * The failure where fewer bytes were stored than the storage has announced. Node notices a connection that ends early;
 * this finds bytes that get lost later. n8n unpacks a compressed file in silence, and a file that does not compress is a little
 * longer in its compressed form. 2% and 1 kB are more than any compressor adds, so such a file is not refused.
 */
function cutOff({ length = 0 }: OpenFile, bytes: number): { failure: RequestFailure } | undefined {
	if (length <= bytes * 1.02 + 1024) return undefined;
	return { failure: { kind: 'cutOff', detail: `${bytes} of ${length} bytes arrived` } };
}
