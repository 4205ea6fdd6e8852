/**
 * A local npm registry with one package. n8n and npm request registry.npmjs.org as usual, through a proxy that sends
 * every request to this registry. Requests to other hosts fail, because the certificate is only valid for
 * registry.npmjs.org.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

import { selfSigned, startRawServer } from '#harness/rawServer.mts';
import manifest from '../../package.json' with { type: 'json' };

const HOST = 'registry.npmjs.org';

/** Starts the registry. @param folder absolute path for npm's files @param tarball path of the packed connector */
export async function startNpmRegistry(folder: string, tarball: string) {
	const content = await readFile(tarball);
	const { name, version } = manifest;
	const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
	const file = `/${name}/-/${name}-${version}.tgz`;
	const release = { ...manifest, dist: { tarball: `https://${HOST}${file}`, integrity } };
	const document = { name, 'dist-tags': { latest: version }, versions: { [version]: release } };
	const answers = new Map<string, string | Buffer>([
		[`/${name}`, JSON.stringify(document)],
		[`/${name}/${version}`, JSON.stringify(release)],
		[file, content],
	]);
	/** The paths that n8n and npm have requested. */
	const asked: string[] = [];
	const certificate = await selfSigned(HOST);
	const registry = await startRawServer(({ url = '' }, response) => {
		asked.push(url);
		const answer = answers.get(url);
		response.writeHead(answer === undefined ? 404 : 200).end(answer ?? '{}');
	}, certificate);

	/**
	 * Open connections through the proxy. `close` has to end them, because a server doesn't close connections after
	 * CONNECT.
	 */
	const tunnels: Duplex[] = [];
	const proxy = await startRawServer((_, response) => response.writeHead(502).end());
	proxy.server.on('connect', (_, tunnel) => {
		tunnels.push(tunnel);
		tunnel.write('HTTP/1.1 200 Connected\r\n\r\n');
		registry.server.emit('connection', tunnel);
	});

	await mkdir(folder, { recursive: true });
	const authority = join(folder, 'registry.pem');
	await writeFile(authority, certificate.cert);
	return {
		name,
		version,
		/** The checksum that `npm view <package> dist.integrity` prints. */
		integrity,
		asked,
		/** Environment variables for n8n, which passes them on to npm. */
		env: {
			HTTPS_PROXY: proxy.url,
			NODE_EXTRA_CA_CERTS: authority,
			npm_config_cache: join(folder, 'npm-cache'),
			npm_config_userconfig: join(folder, 'npmrc'),
		},
		async close() {
			for (const tunnel of tunnels) tunnel.destroy();
			await proxy.close();
			await registry.close();
		},
	};
}
