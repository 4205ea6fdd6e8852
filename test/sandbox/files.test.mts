import { inflateSync } from 'node:zlib';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { patternByte } from '#sandbox/service/fileBytes.mts';
import { FILE_KINDS } from '#sandbox/service/model.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import type { FileSpec } from '#sandbox/service/specs.mts';
import { at, get } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo' });
});
afterAll(() => sandbox.close());
afterEach(() => {
	sandbox.faults.clear();
	sandbox.clock.setOffset(0);
});

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const pathOf = (inspectionId: string, fileId: string) =>
	`/v1/inspections/${inspectionId}/files/${fileId}/url`;

function attach(file: FileSpec) {
	const inspection = sandbox.store.addInspection({ template: 'SITE-SAFETY', files: [file] });
	return { inspectionId: inspection.id, fileId: String(inspection.files[0]?.id) };
}

async function urlOf(file: FileSpec): Promise<string> {
	const { inspectionId, fileId } = attach(file);
	return String(at((await get(sandbox, pathOf(inspectionId, fileId))).json, 'url'));
}

describe('signed URL', () => {
	it('is on another origin than the API and opens without a key', async () => {
		const url = await urlOf({ kind: 'image' });
		expect(new URL(url).origin).toBe(sandbox.filesUrl);
		expect(sandbox.filesUrl).not.toBe(sandbox.apiUrl);
		expect((await fetch(url)).status).toBe(200);
		expect(sandbox.requests.all('downloadFile').at(-1)?.headers['access-token']).toBeUndefined();
	});

	it('expires, and can be had anew', async () => {
		const ids = attach({ kind: 'image' });
		const path = pathOf(ids.inspectionId, ids.fileId);
		const url = String(at((await get(sandbox, path)).json, 'url'));
		sandbox.clock.advance((sandbox.settings.fileUrlSeconds + 1) * 1000);
		expect((await fetch(url)).status).toBe(403);
		expect((await fetch(String(at((await get(sandbox, path)).json, 'url')))).status).toBe(200);
	});

	it('is worth nothing once changed', async () => {
		const url = new URL(await urlOf({ kind: 'image' }));
		const other = await urlOf({ kind: 'image' });
		const changed = [
			Object.assign(new URL(url), { search: '' }),
			Object.assign(new URL(url), { search: url.search.replace(/expires=\d/, 'expires=9') }),
			Object.assign(new URL(url), { search: url.search.slice(0, -1) }),
			Object.assign(new URL(url), { pathname: new URL(other).pathname }),
		];
		for (const candidate of changed) expect((await fetch(candidate)).status).toBe(403);
	});

	it('the answer has it in a field named url', async () => {
		const { inspectionId, fileId } = attach({ kind: 'audio' });
		const { status, json } = await get(sandbox, pathOf(inspectionId, fileId));
		expect(status).toBe(200);
		expect(json).toEqual({
			url: expect.stringMatching(/^http/),
			expires_at: expect.stringMatching(/Z$/),
		});
	});
});

describe('errors', () => {
	it.each([
		['inspectionId missing', pathOf('', NOWHERE)],
		['fileId missing', pathOf(NOWHERE, '')],
		['inspectionId no UUID', pathOf('abc', NOWHERE)],
		['fileId no UUID', pathOf(NOWHERE, 'abc')],
	])('400: %s', async (_what, path) => {
		const { status, json } = await get(sandbox, path);
		expect(status).toBe(400);
		expect(json).toEqual({ code: 400, message: expect.stringContaining('UUID') });
	});

	it('400: unsupported file kind', async () => {
		const { inspectionId, fileId } = attach({ kind: 'note' });
		expect((await get(sandbox, pathOf(inspectionId, fileId))).status).toBe(400);
	});

	it('401: inspection of another organization', async () => {
		const { inspectionId, fileId } = attach({ kind: 'image' });
		const path = pathOf(inspectionId, fileId);
		expect((await get(sandbox, path, sandbox.keys.south)).status).toBe(401);
	});

	it('404: unknown inspection, unknown file, file of another inspection', async () => {
		const first = attach({ kind: 'image' });
		const second = attach({ kind: 'image' });
		for (const path of [
			pathOf(NOWHERE, first.fileId),
			pathOf(first.inspectionId, NOWHERE),
			pathOf(first.inspectionId, second.fileId),
		]) {
			expect((await get(sandbox, path)).status).toBe(404);
		}
	});
});

describe('bytes', () => {
	const load = async (file: FileSpec) => {
		const response = await fetch(await urlOf(file));
		return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
	};

	it.each<[string, string, Buffer, number]>([
		['image', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 0],
		['signature', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 0],
		['instacount', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 0],
		['video', 'video/mp4', Buffer.from('ftyp'), 4],
		['audio', 'audio/wav', Buffer.from('WAVEfmt '), 8],
		['attachment', 'application/pdf', Buffer.from('%PDF-1.4'), 0],
	])('%s is a real %s', async (kind, type, magic, offset) => {
		const { headers, bytes } = await load({ kind });
		expect(headers.get('content-type')).toBe(type);
		expect(Number(headers.get('content-length'))).toBe(bytes.length);
		expect(bytes.subarray(offset, offset + magic.length)).toEqual(magic);
	});

	it('of a PNG unpack to as many as its size says', async () => {
		const { bytes } = await load({ kind: 'image' });
		const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
		const length = bytes.readUInt32BE(33);
		expect(inflateSync(bytes.subarray(41, 41 + length))).toHaveLength(height * (1 + 3 * width));
	});

	it('of a WAV file have the length that its header says', async () => {
		const { bytes } = await load({ kind: 'audio' });
		expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
		expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
	});

	it('are the same every time, and others for another file', async () => {
		for (const kind of FILE_KINDS) {
			const url = await urlOf({ kind });
			const [first, again] = await Promise.all([fetch(url), fetch(url)]);
			expect(await first.arrayBuffer()).toEqual(await again.arrayBuffer());
		}
		expect((await load({ kind: 'image' })).bytes).not.toEqual(
			(await load({ kind: 'image' })).bytes,
		);
	});

	it('can be given', async () => {
		const content = { form: 'bytes', base64: 'aGVsbG8=' } as const;
		expect((await load({ kind: 'attachment', content })).bytes.toString()).toBe('hello');
	});

	it('can be many, and are made while they are sent', async () => {
		const length = 200_000_001;
		const response = await fetch(
			await urlOf({ kind: 'video', content: { form: 'pattern', length } }),
		);
		let received = 0;
		for await (const chunk of response.body ?? []) {
			expect(chunk[0]).toBe(patternByte(received));
			received += chunk.length;
		}
		expect(received).toBe(length);
	});

	it('stay away where the connection breaks off', async () => {
		sandbox.faults.add({ on: { operation: 'downloadFile' }, do: { kind: 'truncate' } });
		const response = await fetch(await urlOf({ kind: 'attachment' }));
		expect(response.status).toBe(200);
		await expect(response.arrayBuffer()).rejects.toThrow('terminated');
	});
});

describe('Content-Disposition', () => {
	const headerOf = async (name: string) =>
		(await fetch(await urlOf({ kind: 'attachment', name }))).headers.get('content-disposition');

	it('has a plain name, and the whole one by RFC 5987', async () => {
		expect(await headerOf('report.pdf')).toBe(
			`attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`,
		);
		expect(await headerOf(`Größe "1" (b)'.pdf`)).toBe(
			`attachment; filename="Gr__e _1_ (b)'.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22%20%28b%29%27.pdf`,
		);
		expect(await headerOf('a/b\\c.pdf')).toContain('a%2Fb%5Cc.pdf');
	});

	it.each([
		['plain', 'attachment; filename="_.pdf"'],
		['extended', `attachment; filename*=UTF-8''%E6%A4%9C.pdf`],
		['absent', null],
	] as const)('%s', async (form, header) => {
		sandbox.settings.contentDisposition = form;
		expect(await headerOf('検.pdf')).toBe(header);
		sandbox.settings.contentDisposition = 'both';
	});
});
