import type { ByteStream } from './responseBody';

/**
 * Returns the first `count` bytes of a body, or all bytes if it's shorter. Puts them back, so that who reads the body
 * afterwards gets all bytes. If the body breaks, returns no bytes.
 */
export async function firstBytes(body: ByteStream, count: number): Promise<Uint8Array> {
	const isOver = () => body.readableEnded || body.destroyed;
	if (isOver()) return new Uint8Array();
	return await new Promise((resolve) => {
		const events = ['readable', 'end', 'error', 'close'];
		const look = () => {
			// Null until this many bytes have arrived, or the body has ended.
			const bytes: unknown = body.read(count);
			if (bytes === null && !isOver()) return;
			for (const event of events) body.off(event, look);
			const found = bytes instanceof Uint8Array ? bytes : new Uint8Array();
			if (found.length > 0) body.unshift(found);
			resolve(found);
		};
		for (const event of events) body.on(event, look);
	});
}
