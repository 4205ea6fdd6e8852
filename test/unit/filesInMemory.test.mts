import { describe, expect, it } from 'vitest';

import { FilesInMemory } from '#connector/output/filesInMemory.ts';

const MB = 1024 * 1024;
/** Returns the counter of a run whose n8n stores files like `stored`, and how often n8n stored something. */
function runWith(stored: { data: string; id?: string }) {
	let asked = 0;
	const prepareBinaryData = async () => {
		asked += 1;
		return await Promise.resolve({ ...stored, mimeType: 'image/jpeg' });
	};
	const context = { helpers: { prepareBinaryData } };
	type Context = Parameters<typeof FilesInMemory.of>[0];
	const files = () => FilesInMemory.of(context as unknown as Context);
	return { files, asked: () => asked };
}
const inMemory = { data: 'AA==', mimeType: '' };
const onDisk = { data: 'filesystem-v2', id: 'filesystem-v2:1', mimeType: '' };

describe('the files of a run', () => {
	it('in memory have a common limit that the error explains', () => {
		const { files } = runWith(inMemory);
		expect(files().count(300 * MB)).toBeUndefined();
		files().stored(inMemory, 300 * MB);
		expect(files().count(75 * MB)).toBeUndefined();
		expect(files().count(1)?.message).toMatch(
			/more than 375 MB, .* its memory\. .*N8N_DEFAULT_BINARY_DATA_MODE=filesystem/,
		);
	});

	it('on disk have no limit together', () => {
		const { files } = runWith(onDisk);
		for (let n = 0; n < 10; n++) {
			expect(files().count(300 * MB)).toBeUndefined();
			files().stored(onDisk, 300 * MB);
		}
	});

	it('make room when a download fails', () => {
		const { files } = runWith(inMemory);
		files().stored(inMemory, 0);
		expect(files().count(370 * MB)).toBeUndefined();
		expect(files().count(370 * MB)).toBeDefined();
		files().count(-370 * MB);
		expect(files().count(5 * MB)).toBeUndefined();
	});

	it.each([
		['in memory', inMemory, true],
		['on disk', onDisk, false],
	])('turn out to be %s while the first large one arrives', async (_, stored, isRefused) => {
		const { files, asked } = runWith(stored);
		expect(files().count(64 * MB)).toBeUndefined();
		expect(asked()).toBe(0);
		for (let n = 0; n < 10; n++) {
			files().count(100 * MB);
			await Promise.resolve();
		}
		expect(files().count(1) !== undefined).toBe(isRefused);
		expect(asked()).toBe(1);
	});

	it('of another run are counted separately', () => {
		const { files } = runWith(inMemory);
		files().stored(inMemory, 0);
		files().count(370 * MB);
		expect(
			runWith(inMemory)
				.files()
				.count(10 * MB),
		).toBeUndefined();
	});
});
