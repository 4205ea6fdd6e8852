import { createHmac, randomBytes } from 'node:crypto';

import type { Caller } from './authentication.mts';
import { parseGuid } from './guid.mts';
import { FILE_KINDS, type FileRecord } from './model.mts';
import type { Sandbox } from './sandbox.mts';
import { badRequest, notFound, unauthorized } from './serviceError.mts';
import { formatTimestamp, type Ticks, TICKS_PER_SECOND, ticksOfMs } from './time.mts';

/** How long a signed URL is valid. */
const FIVE_MINUTES_MS = 300_000;

const SECRET = randomBytes(32);

const signatureOf = (fileId: string, expires: string) =>
	createHmac('sha256', SECRET).update(`${fileId}\n${expires}`).digest('hex');

/**
 * Returns the path and query of a signed URL, which allows downloading the file without an API key until the URL
 * expires.
 */
function signedPath(file: FileRecord, expiresAt: Ticks): string {
	const expires = String(expiresAt / TICKS_PER_SECOND);
	const name = encodeURIComponent(file.name).replaceAll('%2F', '_');
	return `/files/${file.id}/${name}?expires=${expires}&signature=${signatureOf(file.id, expires)}`;
}

/**
 * Whether the query is from a URL that this service signed and that has not expired. Its parameter `expires` is in
 * seconds since 1970.
 */
export function isSigned(fileId: string, query: URLSearchParams, now: Ticks): boolean {
	const expires = query.get('expires') ?? '';
	if (query.get('signature') !== signatureOf(fileId, expires)) return false;
	return BigInt(expires) * TICKS_PER_SECOND > now;
}

/** Implements the operation getFileUrl of the OpenAPI document. */
export function getFileUrl(
	ids: { inspectionId: string; fileId: string },
	caller: Caller,
	{ store, settings, clock, filesUrl }: Sandbox,
): object {
	const inspection = store.find(parseGuid(ids.inspectionId) ?? '');
	const fileId = parseGuid(ids.fileId);
	if (inspection === undefined) throw notFound('Inspection not found');
	if (inspection.organizationId !== caller.organization.id) throw unauthorized();
	const file = inspection.files.find(({ id }) => id === fileId);
	if (file === undefined) throw notFound('File not found');
	if (!FILE_KINDS.some((kind) => kind === file.kind)) {
		throw badRequest(`Unsupported file kind: ${file.kind}`);
	}
	const expiresAt = clock.now() + ticksOfMs(FIVE_MINUTES_MS);
	return {
		url: `${filesUrl}${signedPath(file, expiresAt)}`,
		expires_at: formatTimestamp(expiresAt, settings.timestampPrecision),
	};
}
