import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execaNode } from 'execa';
import { expect, test } from 'vitest';

import { startSandbox } from '#sandbox/service/sandbox.mts';

/** A film of a few minutes, and one of an hour. */
const MEDIUM = 100_000_000;
const LARGE = 1_000_000_000;

test('a file of 1 GB takes less than 64 MB of memory more than one of 100 MB', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'inspection-big-file-'));
	const sandbox = await startSandbox({ data: 'empty' });
	try {
		const template = sandbox.store.addTemplate({ name: 'Film', controls: [] });
		const { id, files } = sandbox.store.addInspection({
			template: template.id,
			files: [
				{ kind: 'video', content: { form: 'pattern', length: MEDIUM } },
				{ kind: 'video', content: { form: 'pattern', length: LARGE } },
			],
		});
		const ids = files.map((file) => file.id);
		const script = join(import.meta.dirname, 'downloadMemory.mts');
		const { stdout } = await execaNode(script, [sandbox.apiUrl, sandbox.keys.north, id, ...ids], {
			env: { N8N_USER_FOLDER: folder, N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' },
			nodeOptions: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
		});
		const [medium, large] = stdout
			.split('\n')
			.map((line) => JSON.parse(line) as { bytes: number; peak: number });
		expect([medium?.bytes, large?.bytes]).toEqual([MEDIUM, LARGE]);
		// Both have what Node lets pile up of any stream before it collects the used buffers, 64 MB and a little.
		const grownBy = (large?.peak ?? NaN) - (medium?.peak ?? NaN);
		expect(grownBy / 2 ** 20).toBeLessThan(64);
	} finally {
		await sandbox.close();
		await rm(folder, { recursive: true, force: true });
	}
}, 180_000);
