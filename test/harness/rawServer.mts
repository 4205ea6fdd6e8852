import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import { generate } from 'selfsigned';

/** Generates a self-signed certificate, so that the repository doesn't contain a private key. */
export async function selfSigned(host = 'test') {
	const name = [{ name: 'commonName', value: host }];
	const { private: key, cert } = await generate(name, { keyType: 'ec', algorithm: 'sha256' });
	return { key, cert };
}

/**
 * Starts a server on 127.0.0.1 whose listener the test provides. The server records its requests, and uses TLS if it
 * has a certificate.
 */
export async function startRawServer(
	listener: (...parameters: Parameters<RequestListener>) => unknown,
	certificate?: { key: string; cert: string },
) {
	const server = certificate === undefined ? createServer() : createTlsServer(certificate);
	const requests: IncomingMessage[] = [];
	server.on('request', (request: IncomingMessage) => requests.push(request));
	server.on('request', listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the server has no port');
	const close = async () => {
		server.closeAllConnections();
		await new Promise<void>((resolve) => server.close(() => resolve()));
	};
	const scheme = certificate === undefined ? 'http' : 'https';
	const url = `${scheme}://127.0.0.1:${String(address.port)}`;
	return { server, url, requests, close, [Symbol.asyncDispose]: close };
}
