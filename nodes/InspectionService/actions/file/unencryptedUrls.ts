import { listText } from '../../domain/formatting';
import type { Hint } from '../../domain/notices';

/** Maximum number of servers in the hint. A service usually has one or two storage servers. */
const SHOWN = 3;

/** Collects the servers of signed URLs that use plain HTTP although the service uses HTTPS. */
export class UnencryptedUrls {
	private readonly origins = new Set<string>();

	/** Adds a web address. */
	add(baseUrl: string, url: string): void {
		const { protocol, origin } = new URL(url);
		if (baseUrl.startsWith('https:') && protocol === 'http:') this.origins.add(origin);
	}

	hints(): Hint[] {
		const { origins } = this;
		if (origins.size === 0) return [];
		const servers = listText([...origins].slice(0, SHOWN), origins.size);
		const message = `The service sent unencrypted file addresses (${servers}): others on the network can read the files. Ask the service administrator to use https addresses`;
		return [{ message, type: 'warning' }];
	}
}
