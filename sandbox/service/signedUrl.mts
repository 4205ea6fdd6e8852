import { createHmac, randomBytes } from 'node:crypto';

import type { FileRecord } from './model.mts';
import { type Ticks, TICKS_PER_SECOND } from './timestamp.mts';

const SECRET = randomBytes(32);

const signatureOf = (fileId: string, expires: string) =>
	createHmac('sha256', SECRET).update(`${fileId}\n${expires}`).digest('hex');

/** Path and query below the files' origin: whoever holds them may fetch the file until they expire, without a key. */
export function signedPath(file: FileRecord, expiresAt: Ticks): string {
	const expires = String(expiresAt / TICKS_PER_SECOND);
	const name = encodeURIComponent(file.name).replaceAll('%2F', '_');
	return `/files/${file.id}/${name}?expires=${expires}&signature=${signatureOf(file.id, expires)}`;
}

/** Whether the address was signed here and has not expired. `expires` is in whole seconds since 1970. */
export function isSigned(fileId: string, query: URLSearchParams, now: Ticks): boolean {
	const expires = query.get('expires') ?? '';
	if (query.get('signature') !== signatureOf(fileId, expires)) return false;
	return BigInt(expires) * TICKS_PER_SECOND > now;
}
