import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { FileSpec } from '#sandbox/service/specs.mts';
import { at, get, urlPath as pathOf, withFile } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const signed = async (path: string) => String(at((await get(sandbox, path)).json, 'url'));
const urlOf = async (file: FileSpec) => await signed(withFile(sandbox, file).path);
const statusOf = async (url: string | URL) => (await fetch(url)).status;

describe('getFileUrl', () => {
	it('signs a URL on another origin, so that it opens without a key', async () => {
		const url = await urlOf({ kind: 'image' });
		expect(new URL(url).origin).toBe(sandbox.filesUrl);
		expect(sandbox.filesUrl).not.toBe(sandbox.apiUrl);
		expect(await statusOf(url)).toBe(200);
	});

	it('signs a new URL that expires for each request', async () => {
		const { path } = withFile(sandbox, { kind: 'image' });
		const url = await signed(path);
		sandbox.clock.advance(301_000);
		expect([await statusOf(url), await statusOf(await signed(path))]).toEqual([403, 200]);
	});

	it('signs a URL that is invalid after any change', async () => {
		const url = new URL(await urlOf({ kind: 'image' }));
		const { pathname: otherPath } = new URL(await urlOf({ kind: 'image' }));
		const changes = [
			{ search: '' },
			{ search: url.search.replace(/expires=\d/, 'expires=9') },
			{ search: url.search.slice(0, -1) },
			{ pathname: otherPath },
		];
		for (const change of changes) {
			expect(await statusOf(Object.assign(new URL(url), change))).toBe(403);
		}
	});

	const [first, second] = [
		withFile(sandbox, { kind: 'image' }),
		withFile(sandbox, { kind: 'image' }),
	];
	const note = withFile(sandbox, { kind: 'note' });
	it.each([
		[400, 'no inspectionId', pathOf('', NOWHERE)],
		[400, 'no fileId', pathOf(NOWHERE, '')],
		[400, 'an inspectionId that is not a UUID', pathOf('abc', NOWHERE)],
		[400, 'a fileId that is not a UUID', pathOf(NOWHERE, 'abc')],
		[400, 'a kind that is not supported', note.path],
		[404, 'an unknown inspection', pathOf(NOWHERE, first.fileId)],
		[404, 'an unknown file', pathOf(first.id, NOWHERE)],
		[404, 'a file of another inspection', pathOf(first.id, second.fileId)],
	])('responds with %i for %s', async (status, _what, path) => {
		expect((await get(sandbox, path)).status).toBe(status);
	});

	it('responds with 401 for an inspection of another organization', async () => {
		const { status } = await get(sandbox, first.path, sandbox.keys.south);
		expect(status).toBe(401);
	});
});

describe('a download', () => {
	const load = async (file: FileSpec) => {
		const response = await fetch(await urlOf(file));
		return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
	};

	it.each<[string, string, string, number]>([
		['image', 'image/png', '\x89PNG', 0],
		['signature', 'image/png', '\x89PNG', 0],
		['instacount', 'image/png', '\x89PNG', 0],
		['video', 'video/mp4', 'ftyp', 4],
		['audio', 'audio/wav', 'WAVEfmt ', 8],
		['attachment', 'application/pdf', '%PDF-1.4', 0],
	])('of kind %s is a real %s, different for each file', async (kind, type, magic, offset) => {
		const [one, other] = [await load({ kind }), await load({ kind })];
		expect(one.headers.get('content-type')).toBe(type);
		expect(one.headers.get('content-length')).toBe(String(one.bytes.length));
		expect(one.bytes.toString('latin1', offset, offset + magic.length)).toBe(magic);
		expect(one.bytes).not.toEqual(other.bytes);
	});
});
