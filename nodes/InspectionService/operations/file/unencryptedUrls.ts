import { unencryptedOrigin } from '../../domain/file/file';
import { listText } from '../../domain/shownText';
import type { Hint } from '../hints';

const SHOWN = 3;

/** Collects the servers of one execution's signed URLs that are not encrypted although the service is. */
export class UnencryptedUrls {
	private readonly origins = new Set<string>();

	add(baseUrl: string, url: string): void {
		const origin = unencryptedOrigin(baseUrl, url);
		if (origin !== undefined) this.origins.add(origin);
	}

	hints(): Hint[] {
		if (this.origins.size === 0) return [];
		const servers = listText([...this.origins].slice(0, SHOWN), this.origins.size);
		const message = `The service gave addresses of files without encryption (${servers}): others on the way can read the files. Ask whoever runs the service for https addresses`;
		return [{ message, type: 'warning' }];
	}
}
