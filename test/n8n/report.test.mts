/** Tests the output Report: the items, the stored files, and the photos in them. */
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { actionNode, listQueries, type Outcome } from '#harness/actionNode.mts';
import { page, text } from '#harness/controls.mts';
import { Container, core } from '#harness/n8nCore.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { FileSpec } from '#sandbox/service/specs.mts';

const { sandbox, credential } = await sandboxForTests();
const { store } = sandbox;
const run = actionNode(credential);
const { id: template } = store.addTemplate({
	name: 'Fire door',
	controls: [
		page('Doors', [
			text('Door', 'door'),
			{ type: 'date', label: 'Checked', fieldId: 'checked', show_time: true },
			{ type: 'photo', label: 'Picture', fieldId: 'picture' },
		]),
	],
});
const HEIC = {
	form: 'bytes',
	base64: Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic').toString('base64'),
} as const;
const image: FileSpec = { kind: 'image', name: 'door.png' };
const walk = (files: readonly FileSpec[], name = 'Walk 1/2') =>
	store.addInspection({
		template,
		name,
		answers: [
			{ control: 'door', value: 'North' },
			{ control: 'checked', value: '2026-06-02T06:30:00Z' },
		],
		files,
	});
const first = walk([
	image,
	{ kind: 'signature', name: 'sign.png' },
	{ kind: 'audio', name: 'a.wav' },
]);

/** Runs Get Many for the inspection that was added last. */
const newest = async (options: IDataObject = {}) => {
	const sorted = { sortBy: 'created_at', sortOrder: 'desc', ...options };
	const parameters = getManyParameters({ output: 'report', limit: 1, options: sorted });
	return await run(parameters, { timezone: 'Europe/Berlin' });
};
const pageOf = async ({ files }: Outcome) => {
	const data = files[0]?.['data'];
	if (data === undefined) throw new Error('the item has no report');
	return (await Container.get(core.BinaryDataService).getAsBuffer(data)).toString();
};
const picturesIn = (html: string) =>
	html.match(/<img src="data:image\/png;base64,[^"]{100,}"/g) ?? [];

test('a report adds a file with the answers and photos to an item of the output Simplified', async () => {
	const result = await newest();
	const { jsons } = await run(getManyParameters({ output: 'simplified', limit: 1 }));
	expect(result.jsons).toEqual(jsons);
	const file = { fileName: 'Walk 1_2.html', mimeType: 'text/html' };
	expect(result.files).toMatchObject([{ data: file }]);
	expect(result.hints).toEqual([]);
	const html = await pageOf(result);
	expect(html).toContain('<dt><bdi>Door</bdi></dt><dd><bdi>North</bdi></dd>');
	expect(html).toContain('June 2, 2026, 08:30');
	expect(html).toContain('<li><bdi>a.wav (audio)</bdi></li>');
	expect(picturesIn(html)).toHaveLength(2);
	expect(listQueries(sandbox)[0]?.getAll('includes')).toEqual(['data', 'files']);
	expect(sandbox.requests.count('getFileUrl')).toBe(2);
});

test('a report has times in UTC if Date Style is UTC', async () => {
	expect(await pageOf(await newest({ datesAs: 'utc' }))).toContain('June 2, 2026, 06:30');
});

test('a report lists its photos without downloading them if Photos is off', async () => {
	const html = await pageOf(await newest({ photos: false }));
	expect(picturesIn(html)).toEqual([]);
	expect(html).toContain('<li><bdi>door.png (image)</bdi></li>');
	expect(sandbox.requests.count('getFileUrl')).toBe(0);
});

test('a report has only files of the chosen File Kinds', async () => {
	const html = await pageOf(await newest({ fileKinds: ['signature'] }));
	expect(html.match(/(?:door|sign)\.png|a\.wav/g)).toEqual(['sign.png', 'sign.png']);
});

test('a report names the photos that are missing, as does a hint', async () => {
	const lost = walk([image, { ...image, name: 'phone.heic', content: HEIC }]);
	const where = ({ url }: { url: string }) => url.includes(lost.files[0]?.id ?? '-');
	sandbox.faults.add({
		on: { operation: 'getFileUrl', where },
		do: { kind: 'status', status: 404 },
	});
	const result = await newest();
	const html = await pageOf(result);
	expect(html).toMatch(/<li class="problem"><bdi>door\.png<\/bdi>: <bdi>not downloaded\. /);
	expect(html).toContain("not shown, because browsers can't show image/heic");
	expect(result.hints).toEqual([
		expect.stringMatching(/^door\.png of .* is not downloaded\. .*phone\.heic of .* is not shown/),
	]);
});

test(
	'a report lists the photos beyond 100 MB instead of showing them',
	{ tags: ['slow'] },
	async () => {
		const content = { form: 'pattern', length: 45 * 1024 * 1024 } as const;
		walk(['1.png', '2.png', '3.png'].map((name) => ({ ...image, name, content })));
		const result = await newest();
		const html = await pageOf(result);
		expect(html.match(/<img/g)).toHaveLength(2);
		expect(html).toMatch(/[123]\.png<\/bdi>: <bdi>not shown, because a report has at most 100 MB/);
		expect(result.hints).toEqual([expect.stringContaining('at most 100 MB of photos')]);
	},
);

test('a photo is shown with the question that it answers', async () => {
	const { id, files } = walk([image]);
	store.updateInspection(id, { answers: [{ control: 'picture', value: [files[0]?.id] }] });
	const html = await pageOf(await newest());
	expect(html).toMatch(/<dt><bdi>Picture<\/bdi><\/dt><dd><div class="photos"><figure><img /);
});

test('Get returns the report of each item', async () => {
	const other = walk([], 'Walk 2');
	const items = [first, other].map(({ id }) => ({ id }));
	const inspectionId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const parameters = { resource: 'inspection', operation: 'get', inspectionId, output: 'report' };
	const { files } = await run(parameters, { items });
	expect(files.map((binary) => binary?.['data']?.fileName)).toEqual([
		'Walk 1_2.html',
		'Walk 2.html',
	]);
});
