import type { IncomingHttpHeaders } from 'node:http';

import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { failureOf } from '#harness/failure.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { Container, core } from '#harness/n8nCore.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { fileBody } from '#sandbox/service/fileBytes.mts';
import { FILE_KINDS } from '#sandbox/service/model.mts';
import type { FileSpec } from '#sandbox/service/specs.mts';
import { startRawServer } from './rawServer.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({ name: 'Ladder', identifier: 'LADDER', controls: [] });

interface Ids {
	inspectionId: string;
	fileId: string;
}

function attach(spec: FileSpec): Ids {
	const inspection = sandbox.store.addInspection({ template: 'LADDER', files: [spec] });
	return { inspectionId: inspection.id, fileId: inspection.files[0]?.id ?? '' };
}

async function download(ids: Ids, parameters: Record<string, string> = {}) {
	const { items } = await executeNode({
		credential,
		parameters: { resource: 'file', operation: 'download', ...ids, ...parameters },
	});
	const [item] = items;
	if (item === undefined) throw new Error('no item');
	return item;
}

async function bytesOf(binary: IBinaryData | undefined): Promise<Buffer> {
	if (binary === undefined) throw new Error('no binary data');
	return await Container.get(core.BinaryDataService).getAsBuffer(binary);
}

async function sentBytes({ fileId }: Ids): Promise<Buffer> {
	const file = sandbox.store.findFile(fileId);
	if (file === undefined) throw new Error('the sandbox has no such file');
	return Buffer.concat(await fileBody(file).stream().toArray());
}

describe('Get URL', () => {
	test('gives the service’s answer with the ids it was asked for', async () => {
		const ids = attach({ kind: 'image' });
		const { items } = await executeNode({
			credential,
			parameters: { resource: 'file', operation: 'getUrl', ...ids },
		});
		expect(items).toEqual([
			{
				json: {
					url: expect.stringContaining(sandbox.filesUrl),
					expires_at: expect.any(String),
					inspection_id: ids.inspectionId,
					file_id: ids.fileId,
				},
				pairedItem: { item: 0 },
			},
		]);
	});
});

describe.each(['getUrl', 'download'])('%s refuses before it asks', (operation) => {
	test.each([
		['inspectionId', '', 'Inspection: nothing is chosen'],
		['inspectionId', 'nope', 'Inspection: "nope" is not a UUID'],
		['fileId', '../../templates/x', 'File: "../../templates/x" is not a UUID'],
	])('%s "%s"', async (name, value, message) => {
		const ids = { ...attach({ kind: 'image' }), [name]: value };
		const run = executeNode({ credential, parameters: { resource: 'file', operation, ...ids } });
		await expect(run).rejects.toThrow(message);
		expect(sandbox.requests.count()).toBe(0);
	});
});

describe('the size of a file where n8n does not say it, as n8n 1.x', () => {
	const service = Container.get(core.BinaryDataService);
	const { store } = service;
	afterEach(() => vi.restoreAllMocks());

	test.each([0, 1, 2, 3])('of %d bytes, held in the item', async (size) => {
		vi.spyOn(service, 'store').mockImplementation(async (...[, , binary]) => {
			return { ...binary, data: Buffer.alloc(size).toString('base64') };
		});
		const { json } = await download(
			attach({ kind: 'image', content: { form: 'pattern', length: size } }),
		);
		expect(json.bytes).toBe(size);
	});

	test('held in a store of its own', async () => {
		vi.spyOn(service, 'store').mockImplementation(async (...file) => {
			return {
				...(await store.apply(service, file)),
				bytes: undefined,
				id: 'disk:7',
				data: 'disk',
			};
		});
		vi.spyOn(service, 'getMetadata').mockImplementation(async (id) => {
			return { fileSize: id === 'disk:7' ? 9_000 : 0 };
		});
		const { json } = await download(attach({ kind: 'image' }));
		expect(json.bytes).toBe(9_000);
	});
});

describe('Download', () => {
	test.each(FILE_KINDS)('brings a file of kind %s byte for byte', async (kind) => {
		const ids = attach({ kind });
		const { json, binary } = await download(ids);
		const sent = await sentBytes(ids);
		expect((await bytesOf(binary?.data)).equals(sent)).toBe(true);
		const file = sandbox.store.findFile(ids.fileId);
		expect(json).toEqual({
			inspection_id: ids.inspectionId,
			file_id: ids.fileId,
			file_name: file?.name,
			mime_type: file?.contentType,
			bytes: sent.length,
		});
	});

	test('keeps the other files of the item, and its fields where that is wanted', async () => {
		const ids = attach({ kind: 'image' });
		const run = async (parameters: INodeParameters, input: INodeExecutionData[]) =>
			await executeNode({
				credential,
				input,
				parameters: { resource: 'file', operation: 'download', ...ids, ...parameters },
			});
		const start = [{ json: { Reference: 'R7' }, pairedItem: { item: 0 } }];
		const { items: first } = await run({}, start);
		expect(first[0]?.json).not.toHaveProperty('Reference');
		const options = { includeOtherFields: true };
		const { items: second } = await run({ binaryPropertyName: 'photo', options }, [
			{ ...first[0], json: start[0]?.json ?? {} },
		]);
		expect(Object.keys(second[0]?.binary ?? {})).toEqual(['data', 'photo']);
		expect(second[0]?.json).toMatchObject({ Reference: 'R7', file_id: ids.fileId });
	});

	test.each([
		['the item of a file', (id: string) => ({ file_id: id, name: 'gate 4.jpg' })],
		['an inspection with its files', (id: string) => ({ files: [{ id, name: 'gate 4.jpg' }] })],
	])('calls a file by its name in %s, where the service has none', async (_, jsonOf) => {
		sandbox.settings.contentDisposition = 'absent';
		const ids = attach({ kind: 'image', name: 'bare' });
		const { items } = await executeNode({
			credential,
			items: [jsonOf(ids.fileId)],
			parameters: { resource: 'file', operation: 'download', ...ids },
		});
		expect(items[0]?.json.file_name).toBe('gate 4.jpg');
	});

	test('sends the key to the service and to nobody else', async () => {
		await download(attach({ kind: 'image' }));
		const [asked, opened] = sandbox.requests.all();
		expect(asked?.headers['access-token']).toBe(sandbox.keys.north);
		expect(opened?.operation).toBe('downloadFile');
		expect(JSON.stringify([opened?.headers, opened?.url])).not.toContain(sandbox.keys.north);
	});

	test('keeps the signed URL out of the execution data', async () => {
		const item = await download(attach({ kind: 'image' }));
		expect(JSON.stringify(item)).not.toMatch(/signature|expires=|http/);
	});

	test('puts it into the field and under the name that were asked for', async () => {
		const { json, binary } = await download(attach({ kind: 'image' }), {
			binaryPropertyName: 'photo',
			fileName: '../my: photo.png',
		});
		expect(Object.keys(binary ?? {})).toEqual(['photo']);
		expect(binary?.photo).toMatchObject({
			fileName: 'my_ photo.png',
			mimeType: 'image/png',
			fileExtension: 'png',
		});
		expect(json.file_name).toBe('my_ photo.png');
	});

	test('takes a number by expression for the field and the name', async () => {
		const { json, binary } = await download(attach({ kind: 'image' }), {
			binaryPropertyName: '={{ 7 }}',
			fileName: '={{ 1042 }}',
		});
		expect(Object.keys(binary ?? {})).toEqual(['7']);
		expect(json.file_name).toMatch(/^1042(\.|$)/);
	});

	test.each([
		['both', 'Größe 検.pdf'],
		['extended', 'Größe 検.pdf'],
		['absent', 'Größe 検.pdf'],
		['plain', 'Gr__e _.pdf'],
	] as const)('takes the name from Content-Disposition (%s) or the URL', async (form, name) => {
		sandbox.settings.contentDisposition = form;
		const { json } = await download(attach({ kind: 'attachment', name: 'Größe 検.pdf' }));
		expect(json.file_name).toBe(name);
	});

	test('works where the storage does not say how long the file is', async () => {
		sandbox.settings.contentLength = false;
		const ids = attach({ kind: 'attachment' });
		const { json } = await download(ids);
		expect(json.bytes).toBe((await sentBytes(ids)).length);
	});

	test('an empty file is a file', async () => {
		const ids = attach({ kind: 'attachment', content: { form: 'bytes', base64: '' } });
		const { json, binary } = await download(ids);
		expect(json.bytes).toBe(0);
		expect(await bytesOf(binary?.data)).toHaveLength(0);
	});
});

const downloads = { operation: 'downloadFile' } as const;

describe('a URL that is refused', () => {
	test('is asked for once more when it has expired meanwhile', async () => {
		const ids = attach({ kind: 'image' });
		sandbox.faults.add({
			on: { ...downloads, nth: 1 },
			do: { kind: 'run', run: ({ clock }) => clock.advance(3_600_000) },
		});
		const { json } = await download(ids);
		expect(json.bytes).toBe((await sentBytes(ids)).length);
		expect(sandbox.requests.count('getFileUrl')).toBe(2);
		expect(sandbox.requests.count('downloadFile')).toBe(2);
	});

	test.each([400, 401, 403, 404, 410])('twice with %d is an error', async (status) => {
		sandbox.faults.add({ on: downloads, do: { kind: 'status', status, body: 'Too old' } });
		await expect(download(attach({ kind: 'image' }))).rejects.toMatchObject({
			httpCode: String(status),
			message: expect.stringMatching(/storage refused the signed download URL \(\d+\): Too old$/),
			description: expect.stringMatching(/asked for again and refused again/),
			context: { itemIndex: 0 },
		});
		expect(sandbox.requests.count('downloadFile')).toBe(2);
		expect(sandbox.requests.count('getFileUrl')).toBe(2);
	});

	test('because the key may not read files says which permission is missing', async () => {
		const run = executeNode({
			credential: { ...credential, apiKey: sandbox.keys.noFiles },
			parameters: { resource: 'file', operation: 'download', ...attach({ kind: 'image' }) },
		});
		await expect(run).rejects.toMatchObject({
			httpCode: '403',
			description: expect.stringContaining('inspections:read'),
		});
		expect(sandbox.requests.count('downloadFile')).toBe(0);
	});
});

describe('a download that breaks off', () => {
	test.each([true, false])('is had whole the second time (length announced: %s)', async (said) => {
		sandbox.settings.contentLength = said;
		const ids = attach({ kind: 'video', content: { form: 'pattern', length: 300_000 } });
		sandbox.faults.add({ on: { ...downloads, nth: 1 }, do: { kind: 'truncate' } });
		const { json, binary } = await download(ids);
		expect(json.bytes).toBe(300_000);
		expect((await bytesOf(binary?.data)).equals(await sentBytes(ids))).toBe(true);
		expect(sandbox.requests.count('getFileUrl')).toBe(2);
	});

	test.each([true, false])(
		'is an error, not a short file, the second time (length announced: %s)',
		async (said) => {
			sandbox.settings.contentLength = said;
			const ids = attach({ kind: 'video', content: { form: 'pattern', length: 300_000 } });
			sandbox.faults.add({ on: downloads, do: { kind: 'truncate' } });
			await expect(download(ids)).rejects.toMatchObject({
				message: expect.stringMatching(/The file from http:\/\/127\.0\.0\.1:\d+ was cut off/),
				context: { itemIndex: 0 },
			});
			expect(sandbox.requests.count('downloadFile')).toBe(2);
		},
	);
});

describe.each(['getUrl', 'download'])(
	'%s refuses an address that nobody should open',
	(operation) => {
		test.each([
			['file:///etc/passwd', /not a web address.*It begins with "file:"/],
			['javascript:alert(1)', /not a web address.*It begins with "javascript:"/],
			['data:text/html,<script>', /not a web address.*It begins with "data:"/],
			['/files/1', /not a web address \(http or https\), so it is not used\.$/],
			[
				'http://bank.example:secret@127.0.0.1:1/f',
				/user name or password.* http:\/\/127\.0\.0\.1:1$/,
			],
			['https://api.example.com@127.0.0.1:1/f', /user name or password/],
		])('%s', async (url, message) => {
			sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'body', body: { url } } });
			const parameters = { resource: 'file', operation, ...attach({ kind: 'image' }) };
			const error = await failureOf(executeNode({ credential, parameters }));
			expect(error.message).toMatch(message);
			expect(error.message).not.toContain('secret');
			expect(sandbox.requests.count('downloadFile')).toBe(0);
		});
	},
);

test('a storage that redirects is followed, without the key', async () => {
	const asked: IncomingHttpHeaders[] = [];
	const elsewhere = await startRawServer(({ headers }, response) => {
		asked.push(headers);
		response.end('the moved file');
	});
	sandbox.faults.add({ on: downloads, do: { kind: 'redirect', location: elsewhere.url } });
	try {
		const { binary } = await download(attach({ kind: 'image' }));
		expect(String(await bytesOf(binary?.data))).toBe('the moved file');
	} finally {
		await elsewhere.close();
	}
	expect(asked).toHaveLength(1);
	expect(asked[0]).not.toHaveProperty('access-token');
});
