import { Readable } from 'node:stream';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { openResponse, readText } from '#connector/transport/responseBody.ts';

/** Reads a text that arrives in pieces of `pieceLength` bytes. `values` is the maximum number of values. */
async function read(text: string, values: number, pieceLength: number) {
	const bytes = Buffer.from(text);
	const starts = Array.from({ length: bytes.length / pieceLength + 1 }, (_, n) => n * pieceLength);
	const pieces = starts.map((start) => bytes.subarray(start, start + pieceLength));
	return await readText(Readable.from(pieces), { bytes: Infinity, values });
}

/** Returns how many values of a JSON value count toward the limit. */
function countOf(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const inside: unknown[] = Object.values(value);
	return inside.reduce<number>((sum, part) => sum + countOf(part), Math.max(1, inside.length));
}

test("a response's values are counted in any chunks, without lookalikes in its strings", async () => {
	const texts = fc.string({ unit: fc.constantFrom(...'[{,:"\\4ä😀') });
	const { json } = fc.letrec((tie) => ({
		json: fc.oneof(
			{ maxDepth: 4 },
			fc.constantFrom(0, null, true),
			texts,
			fc.array(tie('json'), { maxLength: 4 }),
			fc.dictionary(texts, tie('json'), { maxKeys: 4 }),
		),
	}));
	const pieces = fc.integer({ min: 1, max: 9 });
	const property = fc.asyncProperty(json, pieces, async (value, piece) => {
		const text = JSON.stringify(value);
		const count = countOf(value);
		expect(await read(text, count, piece)).toEqual({ text });
		if (count === 0) return;
		expect(await read(text, count - 1, piece)).toHaveProperty('exceeded', 'values');
	});
	await fc.assert(property);
});

test('a response keeps no more bytes than the limit', async () => {
	const body = Readable.from([Buffer.alloc(90, 'a'), Buffer.alloc(90, 'b')]);
	const { text, exceeded } = await readText(body, { bytes: 100, values: 1 });
	expect([text, exceeded, body.destroyed]).toEqual(['a'.repeat(90), 'bytes', true]);
});

test('a response keeps the rest of text that ends within a character', async () => {
	const body = Readable.from([Buffer.from('aä').subarray(0, 2)]);
	const { text } = await readText(body, { bytes: Infinity, values: Infinity });
	expect(text).toBe('a\ufffd');
});

test('a response needs a status with a stream', () => {
	const body = Readable.from([]);
	expect(openResponse({ statusCode: 200, body })).toEqual({ status: 200, headers: {}, body });
	for (const full of [undefined, { statusCode: 200, body: 'text' }, { statusCode: '200', body }]) {
		expect(() => openResponse(full)).toThrow('n8n gave no stream for the response');
	}
});
