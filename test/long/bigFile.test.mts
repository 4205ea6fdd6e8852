import { join } from 'node:path';

import { execaNode } from 'execa';
import { expect, test } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';

/** A video of a few minutes, and one of an hour. */
const [MEDIUM, LARGE] = [100_000_000, 1_000_000_000];

const { sandbox, credential } = await sandboxForTests();
const { id: template } = sandbox.store.addTemplate({ name: 'Film', controls: [] });
const { id, files } = sandbox.store.addInspection({
	template,
	files: [MEDIUM, LARGE].map((length) => ({
		kind: 'video',
		content: { form: 'pattern', length },
	})),
});

test('a 1 GB file needs less than 64 MB more memory than a 100 MB file', async () => {
	const script = join(import.meta.dirname, 'downloadMemory.mts');
	const ids = [id, ...files.map((file) => file.id)];
	const { stdout } = await execaNode(script, [credential.baseUrl, credential.apiKey, ...ids], {
		env: { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' },
		nodeOptions: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
	});
	const [medium, large] = stdout
		.split('\n')
		.map((line) => JSON.parse(line) as { bytes: number; peak: number });
	expect([medium?.bytes, large?.bytes]).toEqual([MEDIUM, LARGE]);
	// Both include the used buffers that Node piles up for any stream before it collects them, a little over 64 MB.
	const grownBy = (large?.peak ?? NaN) - (medium?.peak ?? NaN);
	expect(grownBy / 2 ** 20).toBeLessThan(64);
});
