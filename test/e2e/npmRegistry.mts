/**
 * The npm registry with one package in it, on this machine. n8n and npm ask registry.npmjs.org as they always do; their
 * proxy leads all that they ask for here, where no other host's certificate is.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import manifest from '../../package.json' with { type: 'json' };
import { startRawServer } from '../n8n/rawServer.mts';
import { selfSigned } from '../n8n/selfSigned.mts';

const HOST = 'registry.npmjs.org';

/** @param folder absolute, for what npm keeps @param tarball the packed connector */
export async function startNpmRegistry(folder: string, tarball: string) {
	const content = await readFile(tarball);
	const { name, version } = manifest;
	const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
	const file = `/${name}/-/${name}-${version}.tgz`;
	const release = { ...manifest, dist: { tarball: `https://${HOST}${file}`, integrity } };
	const answers = new Map<string, string | Buffer>([
		[
			`/${name}`,
			JSON.stringify({
				name,
				'dist-tags': { latest: version },
				versions: { [version]: release },
			}),
		],
		[`/${name}/${version}`, JSON.stringify(release)],
		[file, content],
	]);
	/** Paths that were asked for. */
	const asked: string[] = [];
	const certificate = selfSigned(HOST);
	const registry = await startRawServer(({ url = '' }, response) => {
		asked.push(url);
		const answer = answers.get(url);
		response.writeHead(answer === undefined ? 404 : 200).end(answer ?? '{}');
	}, certificate);

	/** Of the proxy: a server does not close by itself what a CONNECT has made of a connection. */
	const tunnels = new Set<Socket>();
	const proxy = createServer((_, response) => response.writeHead(502).end());
	proxy.on('connect', (_, client: Socket) => {
		tunnels.add(client);
		client.on('error', () => client.destroy());
		const onward = connect(Number(new URL(registry.url).port), '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connected\r\n\r\n');
			onward.pipe(client).pipe(onward);
		});
		onward.on('error', () => client.destroy());
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	const address = proxy.address();
	if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

	await mkdir(folder, { recursive: true });
	const authority = join(folder, 'registry.pem');
	await writeFile(authority, certificate.cert);
	return {
		name,
		version,
		/** What `npm view <package> dist.integrity` says. */
		integrity,
		asked,
		/** For n8n, which hands it on to npm. */
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${String(address.port)}`,
			NODE_EXTRA_CA_CERTS: authority,
			npm_config_cache: join(folder, 'npm-cache'),
			npm_config_userconfig: join(folder, 'npmrc'),
		},
		async close() {
			for (const tunnel of tunnels) tunnel.destroy();
			await new Promise((resolve) => proxy.close(resolve));
			await registry.close();
		},
	};
}
