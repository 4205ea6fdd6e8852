import { createHmac, timingSafeEqual } from 'node:crypto';

import type { FileRecord } from './model.mts';
import { type Ticks, TICKS_PER_SECOND } from './timestamp.mts';

/** Signs download addresses: whoever holds one may fetch its file until it expires, without a key. */
export class UrlSigner {
	private readonly secret: string;

	constructor(secret: string) {
		this.secret = secret;
	}

	/** Path and query below the files origin. `expires` is in whole seconds since 1970. */
	sign(file: FileRecord, expiresAt: Ticks): string {
		const expires = String(expiresAt / TICKS_PER_SECOND);
		const signature = this.signatureOf(file.id, expires);
		const name = encodeURIComponent(file.name).replaceAll('%2F', '_');
		return `/files/${file.id}/${name}?expires=${expires}&signature=${signature}`;
	}

	/** Whether the address was signed here and has not expired. */
	isValid(fileId: string, query: URLSearchParams, now: Ticks): boolean {
		const expires = query.get('expires') ?? '';
		const given = Buffer.from(query.get('signature') ?? '');
		const expected = Buffer.from(this.signatureOf(fileId, expires));
		if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
		return /^\d+$/.test(expires) && BigInt(expires) * TICKS_PER_SECOND > now;
	}

	private signatureOf(fileId: string, expires: string): string {
		return createHmac('sha256', this.secret).update(`${fileId}\n${expires}`).digest('hex');
	}
}
