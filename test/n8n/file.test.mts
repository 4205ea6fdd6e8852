/**
 * Tests the requests and output of File → Get URL and Download. fileStream.test.mts tests how the bytes are
 * transferred.
 */
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { failureOf } from '#harness/failure.mts';
import { executeNode, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { Container, core } from '#harness/n8nCore.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { fileBody } from '#sandbox/service/fileBytes.mts';
import { FILE_KINDS } from '#sandbox/service/model.mts';
import type { SandboxSettings } from '#sandbox/service/settings.mts';
import type { FileSpec } from '#sandbox/service/specs.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({ name: 'Ladder', identifier: 'LADDER', controls: [] });
const binaryData = Container.get(core.BinaryDataService);

function attach(spec: FileSpec = { kind: 'image' }) {
	const inspection = sandbox.store.addInspection({ template: 'LADDER', files: [spec] });
	const fileId = inspection.files[0]?.id ?? '';
	const file = sandbox.store.findFile(fileId);
	if (file === undefined) throw new Error('the sandbox has no such file');
	const bytes = async () => Buffer.concat(await fileBody(file).stream().toArray());
	return { ids: { inspectionId: inspection.id, fileId }, file, bytes };
}

async function run(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	const { items } = await executeNode({
		credential,
		...options,
		parameters: { resource: 'file', operation: 'download', ...parameters },
	});
	const [item] = items;
	if (item === undefined) throw new Error('no item');
	return item;
}

async function bytesOf({ binary }: INodeExecutionData): Promise<Buffer> {
	const [file] = Object.values(binary ?? {});
	if (file === undefined) throw new Error('no binary data');
	return await binaryData.getAsBuffer(file);
}

test('Get URL returns the service’s response with the requested IDs', async () => {
	const { ids } = attach();
	expect(await run({ operation: 'getUrl', ...ids })).toEqual({
		json: {
			url: expect.stringContaining(sandbox.filesUrl),
			expires_at: expect.any(String),
			inspection_id: ids.inspectionId,
			file_id: ids.fileId,
		},
		pairedItem: { item: 0 },
	});
});

describe.each(['getUrl', 'download'])('%s', (operation) => {
	test.each([
		['inspectionId', '', 'Inspection: nothing is chosen'],
		['inspectionId', 'nope', 'Inspection: "nope" is not an ID such as'],
		['fileId', '../../templates/x', 'File: "../../templates/x" is not an ID such as'],
	])('rejects %s "%s" without a request', async (name, value, message) => {
		const { ids } = attach();
		await expect(run({ operation, ...ids, [name]: value })).rejects.toThrow(message);
		expect(sandbox.requests.count()).toBe(0);
	});

	test('rejects an unsafe address', async () => {
		const body = { url: 'http://bank.example:secret@127.0.0.1:1/f' };
		sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'body', body } });
		const { message } = await failureOf(run({ operation, ...attach().ids }));
		expect(message).toMatch(/^(?!.*secret).*user name or password.* http:\/\/127\.0\.0\.1:1\. Ask/);
	});
});

describe('Download', () => {
	const ODD_NAME: FileSpec = { kind: 'attachment', name: 'Größe 検.pdf' };
	test.each<[string, FileSpec, Partial<SandboxSettings>?]>([
		...FILE_KINDS.map((kind): [string, FileSpec] => [kind, { kind }]),
		['video without an announced length', { kind: 'video' }, { contentLength: false }],
		['file without a byte', { kind: 'attachment', content: { form: 'bytes', base64: '' } }],
		['file whose name has other letters', ODD_NAME, { contentDisposition: 'extended' }],
		['file that its URL alone names', ODD_NAME, { contentDisposition: 'absent' }],
	])('returns its %s byte for byte, under its name', async (_, spec, settings) => {
		Object.assign(sandbox.settings, settings);
		const { ids, file, bytes } = attach(spec);
		const item = await run(ids);
		const sent = await bytes();
		expect((await bytesOf(item)).equals(sent)).toBe(true);
		expect(item.json).toEqual({
			inspection_id: ids.inspectionId,
			file_id: ids.fileId,
			file_name: file.name,
			mime_type: file.contentType,
			bytes: sent.length,
		});
		// The output must not contain the signed URL, because everyone who has it can read the file.
		expect(JSON.stringify(item)).not.toMatch(/signature=|expires=|http/);
	});

	test('keeps the other files of the item, with its fields if requested', async () => {
		const { ids } = attach();
		const json = { Reference: 'R7' };
		const first = await run(ids, { items: [json] });
		expect(first.json).not.toHaveProperty('Reference');
		const second = await run(
			{ ...ids, binaryPropertyName: 'photo', options: { includeOtherFields: true } },
			{ input: [{ ...first, json }] },
		);
		expect(Object.keys(second.binary ?? {})).toEqual(['data', 'photo']);
		expect(second.json).toMatchObject({ Reference: 'R7', file_id: ids.fileId });
	});

	test.each([
		['texts', 'photo', '../my: photo.png', 'my_ photo.png'],
		['numbers by expression', '={{ 7 }}', '={{ 1042 }}', '1042'],
	])(
		'stores the file in the requested field under the requested name: %s',
		async (_, binaryPropertyName, fileName, expected) => {
			const { json, binary } = await run({ ...attach().ids, binaryPropertyName, fileName });
			const field = binaryPropertyName.replace(/\D*7\D*/, '7');
			expect(Object.keys(binary ?? {})).toEqual([field]);
			expect(binary?.[field]).toMatchObject({ fileName: expected, mimeType: 'image/png' });
			expect(json.file_name).toBe(expected);
		},
	);

	test('requires a field for the file', async () => {
		const download = run({ ...attach().ids, binaryPropertyName: '={{ null }}' });
		await expect(download).rejects.toThrow(
			/^The field 'Put Output File in Field' is empty\. Enter a name/,
		);
	});

	test("uses a file's name in an inspection with its files if the service has no name", async () => {
		sandbox.settings.contentDisposition = 'absent';
		const { ids } = attach({ kind: 'image', name: 'bare' });
		const items = [{ files: [{ id: ids.fileId, name: 'gate 4.jpg' }] }];
		expect((await run(ids, { items })).json.file_name).toBe('gate 4.jpg');
	});
});

describe("the size of a file if n8n doesn't report it, as n8n 1.x", () => {
	const { store } = binaryData;
	afterEach(() => vi.restoreAllMocks());

	test.each([0, 1, 2, 3])('is counted: %d bytes in the item itself', async (length) => {
		vi.spyOn(binaryData, 'store').mockImplementation(async (...[, , binary]) => {
			return { ...binary, data: Buffer.alloc(length).toString('base64') };
		});
		const { json } = await run(attach({ kind: 'image', content: { form: 'pattern', length } }).ids);
		expect(json.bytes).toBe(length);
	});

	test('is counted if the file is in a separate store', async () => {
		const { ids } = attach();
		const size = (await run(ids)).json.bytes;
		vi.spyOn(binaryData, 'store').mockImplementation(async (...file) => {
			const stored = await store.apply(binaryData, file);
			return { ...stored, bytes: undefined, id: 'disk:7', data: 'disk' };
		});
		vi.spyOn(binaryData, 'getMetadata').mockImplementation(async (id) => {
			return { fileSize: id === 'disk:7' ? Number(size) : 0 };
		});
		expect((await run(ids)).json.bytes).toBe(size);
	});
});
