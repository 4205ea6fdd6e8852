import { once } from 'node:events';
import { createServer } from 'node:net';

/** True when a server can listen on the port of 127.0.0.1 now. */
export async function isPortFree(port: number): Promise<boolean> {
	return (await listenOnce(port)) !== undefined;
}

/** A TCP port of 127.0.0.1 that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
	const port = await listenOnce(0);
	if (port === undefined) throw new Error('No free port on 127.0.0.1');
	return port;
}

/** The port that was listened on for a moment, 0 for any; undefined where it is taken. */
async function listenOnce(port: number): Promise<number | undefined> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch {
		return undefined;
	}
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' ? address?.port : undefined;
}
