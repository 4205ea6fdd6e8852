// Measures how long n8n takes to load the built package (two nodes and a credential) in a new process.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { core } from '#harness/n8nCore.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

/**
 * Loads an empty package before the measurement. So the measured time excludes code that n8n loads only once for all
 * packages.
 */
async function loadEmptyPackage(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'empty-package-'));
	const manifest = {
		name: 'n8n-nodes-empty',
		version: '1.0.0',
		n8n: { nodes: [], credentials: [] },
	};
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	await new core.PackageDirectoryLoader(folder).loadAll();
	await rm(folder, { recursive: true });
}

await loadEmptyPackage();
const loader = new core.PackageDirectoryLoader(PROJECT);
const start = performance.now();
const processor = process.cpuUsage();
await loader.loadAll();
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(processor);
if (loader.types.nodes.length < 2) throw new Error('the package was not loaded whole');
const { cache } = createRequire(import.meta.url);
const files = Object.keys(cache).filter((file) => file.startsWith(join(PROJECT, 'dist'))).length;
console.log(JSON.stringify({ ms, processorMs: (user + system) / 1000, files }));
process.exit(0);
