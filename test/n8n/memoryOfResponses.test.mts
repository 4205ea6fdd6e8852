/**
 * Tests that one run can use at most 1 GB of memory for the service's responses. A response counts as soon as it
 * arrives.
 */
import { expect, test } from 'vitest';

import { SignedUrls } from '#connector/actions/file/getUrl.ts';
import { startGet } from '#connector/actions/inspection/get.ts';
import { startGetTemplate } from '#connector/actions/template/get.ts';
import { TemplateCache } from '#connector/cache/templateCache.ts';
import { Notices } from '#connector/domain/notices.ts';
import { rowNumbers } from '#connector/domain/rowNumbers.ts';
import { InspectionServiceClient } from '#connector/transport/inspectionServiceClient.ts';
import { beginPoll } from '#connector/trigger/triggerPoll.ts';
import { executeContext, oneNodeWorkflow, pollContext } from '#harness/inspectionNodes.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { credential } = await sandboxForTests();

/**
 * A string of 512 MB, which is half of what one run can keep. V8 stores a repeated string only once until something reads
 * it, so it takes little memory.
 */
const HALF = 'x'.repeat(512 * 1024 * 1024 - 24);
const TOO_MUCH = /take more memory than n8n can spare \(1 GB\)/;
const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${String(number)}`;

test('File → Get URL keeps at most 1 GB of responses', async () => {
	const getFileUrl = async () => await Promise.resolve({ url: 'https://example.com/a', pad: HALF });
	const urls = new SignedUrls();
	const get = async () =>
		await urls.get({ getFileUrl, baseUrl: 'https://example.com' }, idOf(1), idOf(2));
	expect(await get()).toHaveProperty('url', 'https://example.com/a');
	await expect(get()).rejects.toThrow(TOO_MUCH);
});

test('Template → Get keeps at most 1 GB of templates, of which each item gets a separate copy', async () => {
	const parameters = {
		resource: 'template',
		operation: 'get',
		templateId: 'walk',
		output: 'template',
	};
	const node = await oneNodeWorkflow('inspectionService', { parameters, credential });
	const context = executeContext(node, { input: [{ json: {} }, { json: {} }] });
	const template = { id: idOf(1), pad: HALF, data: { controls: [] } };
	const getTemplate = async () => await Promise.resolve(template);
	const client = Object.assign(new InspectionServiceClient(context, { ...credential }), {
		getTemplate,
	});
	const of = async () =>
		await Promise.resolve({ credential: 'one', client, templates: new TemplateCache(client) });
	const told = { notices: new Notices(), numbers: rowNumbers([]) };
	const run = { context, services: { of, requestedWaitMs: () => 0 }, ...told };
	const { plans, check, send } = startGetTemplate(run);
	const [copy, refused] = plans.map(async (plan) => await send(await check(plan), plan));
	const data = (await copy)?.[0]?.data;
	expect(data).toEqual(template.data);
	expect(data).not.toBe(template.data);
	await expect(refused).rejects.toThrow(TOO_MUCH);
});

test('a poll that keeps more than 1 GB of templates fails with a fix for the trigger', async () => {
	const parameters = { event: 'updated' };
	const node = await oneNodeWorkflow('inspectionServiceTrigger', { parameters, credential });
	const { service, templates } = await beginPoll(pollContext(node, 'trigger'));
	const getTemplate = async (id: string) => await Promise.resolve({ id, pad: HALF });
	Object.assign(service, { getTemplate });
	await templates.get(idOf(1));
	await expect(templates.get(idOf(2))).rejects.toThrow(/\(1 GB\)\. Set 'Max Items'/);
});

test('the search of Inspection → Get ends at the inspection that exceeds 1 GB', async () => {
	const parameters = {
		resource: 'inspection',
		operation: 'get',
		inspectionId: '={{ $json.id }}',
	};
	const node = await oneNodeWorkflow('inspectionService', { parameters, credential });
	const input = [1, 2, 3].map((number) => ({ json: { id: idOf(number) } }));
	const context = executeContext(node, { input });
	let requests = 0;
	const list = async () => {
		requests += 1;
		const at = `2026-01-01T00:00:0${String(9 - requests)}Z`;
		const one = { id: idOf(requests), updated_at: at, created_at: at, pad: HALF };
		return await Promise.resolve({ inspections: requests > 3 ? [] : [one] });
	};
	const client = Object.assign(new InspectionServiceClient(context, { ...credential }), { list });
	const templates = new TemplateCache(client);
	const of = async () => await Promise.resolve({ credential: 'one', client, templates });
	const told = { notices: new Notices(), numbers: rowNumbers(input) };
	const run = { context, services: { of, requestedWaitMs: () => 0 }, ...told };
	const { plans, check, send } = await startGet(run);
	const [outcome] = await Promise.allSettled(
		plans.slice(0, 1).map(async (plan) => await send(await check(plan), plan)),
	);
	expect(outcome).toHaveProperty('reason.message', expect.stringMatching(TOO_MUCH));
	expect(requests).toBe(2);
});
