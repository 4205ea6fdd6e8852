import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

/** A server on 127.0.0.1 that answers whatever a test wants, valid or not; `await using` closes it. */
export interface RawServer extends AsyncDisposable {
	url: string;
	close(): Promise<void>;
}

/** Speaks TLS where it is given a certificate. */
export async function startRawServer(
	listener: RequestListener,
	certificate?: { key: string; cert: string },
): Promise<RawServer> {
	const server =
		certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the server has no port');
	const scheme = certificate === undefined ? 'http' : 'https';
	const close = async () => {
		server.closeAllConnections();
		await new Promise<void>((resolve) => server.close(() => resolve()));
	};
	const url = `${scheme}://127.0.0.1:${String(address.port)}`;
	return { url, close, [Symbol.asyncDispose]: close };
}
