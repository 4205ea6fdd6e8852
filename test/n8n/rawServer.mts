import { createServer, type RequestListener } from 'node:http';

/** A server on 127.0.0.1 that answers whatever a test wants, valid or not. */
export interface RawServer {
	url: string;
	close(): Promise<void>;
}

export async function startRawServer(listener: RequestListener): Promise<RawServer> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the server has no port');
	return {
		url: `http://127.0.0.1:${String(address.port)}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
