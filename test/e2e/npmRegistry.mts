/**
 * A local npm registry with one package and its versions. n8n and npm request registry.npmjs.org as usual, through a proxy that sends
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
	const { name, version } = manifest;
	const versions: Record<string, object> = {};
	const answers = new Map<string, string | Buffer>();
	/** Publishes a version, which becomes the latest one. Returns the checksum of its tarball. */
	const publish = async (published: string, path: string) => {
		const content = await readFile(path);
		const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
		const file = `/${name}/-/${name}-${published}.tgz`;
		const dist = { tarball: `https://${HOST}${file}`, integrity };
		const release = { ...manifest, version: published, dist };
		versions[published] = release;
		answers.set(file, content);
		answers.set(`/${name}/${published}`, JSON.stringify(release));
		const document = { name, 'dist-tags': { latest: published }, versions };
		answers.set(`/${name}`, JSON.stringify(document));
		return integrity;
	};
	const integrity = await publish(version, tarball);
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
		publish,
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
