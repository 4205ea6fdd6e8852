import { once } from 'node:events';
import { createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1');
	return address.port;
}

/** True when a server can listen on the port of 127.0.0.1 now. */
export async function isPortFree(port: number): Promise<boolean> {
	const server = createServer();
	const listening = once(server, 'listening').then(
		() => true,
		() => false,
	);
	server.listen(port, '127.0.0.1');
	if (!(await listening)) return false;
	server.close();
	await once(server, 'close');
	return true;
}
