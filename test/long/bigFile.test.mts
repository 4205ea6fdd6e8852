import { join } from 'node:path';

import { execaNode } from 'execa';
import { expect, test } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';

/** The sizes of two files in bytes, like a video of a few minutes and one of an hour. */
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
	});
	const [medium, large] = stdout
		.split('\n')
		.map((line) => JSON.parse(line) as { bytes: number; peak: number });
	expect([medium?.bytes, large?.bytes]).toEqual([MEDIUM, LARGE]);
	// In both downloads, Node keeps a little over 64 MB of used stream buffers before it frees them. The difference
	// doesn't include these.
	const grownBy = (large?.peak ?? NaN) - (medium?.peak ?? NaN);
	expect(grownBy / 2 ** 20).toBeLessThan(64);
});
