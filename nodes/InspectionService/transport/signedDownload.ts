import { storageOrigin } from '../domain/file/downloadUrl';
import { reportOf } from '../domain/request/failureReport';
import type { RequestFailure, RequestResult } from '../domain/request/requestFailure';
import { needsUrl } from '../domain/request/retryPolicy';
import type { Connection } from './connection';
import { openFile, type OpenFile } from './fileStorage';
import type { FileTaker, InspectionServiceClient } from './inspectionServiceClient';
import { RequestQueue } from './requestQueue';
import { serviceError } from './serviceError';
import { thrownFailure } from './thrownFailure';
import { MIN_REQUEST_MS } from './timeLimits';

/** Downloads of one connection at once. Many small files stay quick, and a large one shares the line with few. */
const MAX_DOWNLOADS = 6;

/** Downloads through URLs that `sign` gets, a new one for each attempt. */
export function signedDownload(
	connection: Connection,
	sign: InspectionServiceClient['getFileUrl'],
): InspectionServiceClient['download'] {
	const { context, deadline } = connection;
	const queue = new RequestQueue({ maxActive: MAX_DOWNLOADS, deadline });
	return async ({ inspectionId, fileId, maxBytes }, take) => {
		let url = '';
		const result = await queue.run({
			safe: true,
			send: async () => {
				if (deadline.isOver()) return { failure: TIME_UP };
				({ url } = await sign(inspectionId, fileId));
				const opened = await openFile(connection, url, maxBytes);
				return 'failure' in opened ? opened : await taken(opened.value, take, connection);
			},
		});
		if ('value' in result) return result.value;
		// At the end of a poll there is no time for another URL: the next poll asks for it.
		const isLate = needsUrl(result.failure) && deadline.longestWaitMs() < MIN_REQUEST_MS;
		const failure = isLate ? TIME_UP : result.failure;
		throw serviceError(context.getNode(), reportOf(storage(url), failure));
	};
}

const TIME_UP: RequestFailure = { kind: 'timeUp' };

const storage = (url: string) => ({
	operation: 'downloadFile' as const,
	baseUrl: url === '' ? '' : storageOrigin(url),
	path: '',
});

async function taken<Taken>(
	file: OpenFile,
	take: FileTaker<Taken>,
	connection: Connection,
): Promise<RequestResult<Taken>> {
	const result = await take(file).catch((error: unknown) => ({ error }));
	const breakage = file.breakage();
	file.body.destroy();
	const { maxBytes } = file;
	if (file.isTooLarge()) return { failure: { kind: 'fileTooLarge', maxBytes } };
	if (!('error' in result)) return cutOff(file, result.bytes) ?? { value: result.taken };
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
