import { describe, expect, it } from 'vitest';

import { countFileBytes } from '#connector/output/filesInMemory.ts';

const MB = 1024 * 1024;
/** Returns the counter of a run whose n8n stores files like `stored`, and how often n8n stored something. */
function runWith(stored: { data: string; id?: string }) {
	let asked = 0;
	const prepareBinaryData = async () => {
		asked += 1;
		return await Promise.resolve({ ...stored, mimeType: 'image/jpeg' });
	};
	type Context = Parameters<typeof countFileBytes>[0];
	const context = { helpers: { prepareBinaryData } } as unknown as Context;
	return {
		/** Counts megabytes, and waits until n8n has stored something. */
		count: async (megabytes: number) => {
			const refusal = countFileBytes(context, megabytes * MB);
			await Promise.resolve();
			await Promise.resolve();
			return refusal;
		},
		asked: () => asked,
	};
}
const inMemory = { data: 'AA==' };
const onDisk = { data: 'filesystem-v2', id: 'filesystem-v2:1' };

describe('the files of a run', () => {
	it('have a common limit in memory that the error explains', async () => {
		const { count } = runWith(inMemory);
		expect(await count(300)).toBeUndefined();
		expect(await count(75)).toBeUndefined();
		const refusal = await count(1);
		expect(refusal?.message).toMatch(
			/more than 375 MB, .* its memory\. .*N8N_DEFAULT_BINARY_DATA_MODE=filesystem/,
		);
	});

	it('make room when a download fails', async () => {
		const { count } = runWith(inMemory);
		expect(await count(370)).toBeUndefined();
		expect(await count(370)).toBeDefined();
		expect(await count(-370)).toBeUndefined();
		expect(await count(5)).toBeUndefined();
	});

	it.each([
		['in memory', inMemory, true],
		['on disk', onDisk, false],
	])('turn out to be %s while the first large one arrives', async (_, stored, isRefused) => {
		const { count, asked } = runWith(stored);
		expect(await count(64)).toBeUndefined();
		expect(asked()).toBe(0);
		for (let n = 0; n < 10; n++) await count(100);
		expect((await count(1)) !== undefined).toBe(isRefused);
		expect(asked()).toBe(1);
	});

	it('are counted separately for each run', async () => {
		const { count } = runWith(inMemory);
		await count(370);
		expect(await runWith(inMemory).count(10)).toBeUndefined();
		expect(await count(10)).toBeDefined();
	});
});
