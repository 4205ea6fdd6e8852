// Compressed files without a length: 0.35 MB become 350 MB each. n8n 2 gives no access to the compressed size.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { execaNode } from 'execa';
import { expect, test } from 'vitest';

import { startRawServer } from '#harness/rawServer.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const MB = 1024 * 1024;
const { sandbox, credential } = await sandboxForTests();
const { id: template } = sandbox.store.addTemplate({ name: 'Film', controls: [] });

/** Downloads so many files of this size, which are sent compressed and without a length. */
async function outcomeOf(count: number, megabytes: number) {
	const { id, files } = sandbox.store.addInspection({
		template,
		files: Array.from({ length: count }, () => ({ kind: 'attachment' })),
	});
	const packed = gzipSync(Buffer.alloc(megabytes * MB));
	await using storage = await startRawServer((_, response) => {
		response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
	});
	const body = { url: `${storage.url}/file` };
	const fault = sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'body', body } });
	const script = join(import.meta.dirname, 'filesInMemory.mts');
	const ids = [id, ...files.map((file) => file.id)];
	const { stdout } = await execaNode(script, [credential.baseUrl, credential.apiKey, ...ids], {
		env: { N8N_DEFAULT_BINARY_DATA_MODE: 'default' },
	});
	fault.remove();
	return JSON.parse(stdout) as { outcomes: unknown[]; peakMb: number };
}

const REFUSED = /The files of this run have more than 375 MB, and n8n keeps them in its memory/;

test('one file of 300 MB fits into the memory of n8n', async () => {
	const { outcomes } = await outcomeOf(1, 300);
	expect(outcomes).toEqual([300 * MB]);
});

test('four files of 350 MB fail once they no longer fit, before they fill the memory', async () => {
	const { outcomes, peakMb } = await outcomeOf(4, 350);
	expect(outcomes).toHaveLength(4);
	const refused = outcomes.filter((outcome) => REFUSED.test(String(outcome)));
	expect(refused.length).toBeGreaterThanOrEqual(3);
	expect(peakMb).toBeLessThan(2_200);
});

test('one file of 1.9 GB fails before it fills the memory', async () => {
	const { outcomes, peakMb } = await outcomeOf(1, 1_900);
	expect(String(outcomes[0])).toMatch(REFUSED);
	expect(peakMb).toBeLessThan(1_200);
});
