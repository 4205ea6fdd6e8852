import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';

import { execa, type ResultPromise } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { requestProblems } from '#harness/requestCheck.mts';
import { REQUEST_CHANNEL } from '#sandbox/service/faultHooks.mts';
import type { ApiOperation } from '#sandbox/service/model.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import {
	type DocumentedOperation,
	documentedOperations,
} from '#sandbox/service/serviceDocument.mts';
import { defaultSettings, SETTINGS, valuesOf } from '#sandbox/service/settings.mts';
import { at, get, post, type Reply } from './apiCall.mts';
import { responseProblems } from './documentedResponse.mts';

let sandbox: Sandbox;
let filePath: string;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo' });
	const inspection = sandbox.store.addInspection({
		template: 'SITE-SAFETY',
		files: [{ kind: 'image' }],
		answers: [
			{ control: 'hazard_description', value: 'a' },
			{ control: 'hazard_description', value: 'b', order: 2, flagged: true },
		],
	});
	filePath = `/v1/inspections/${inspection.id}/files/${String(inspection.files[0]?.id)}/url`;
});
afterAll(() => sandbox.close());

const ENRICHED = '/v1/inspections?includes=data,files,shared_with_users&page_size=100';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** One response of every kind that the document has: successes in both shapes, and each status of an error. */
async function everyResponse(): Promise<[ApiOperation, Reply][]> {
	const { keys, tenants } = sandbox;
	const valid = { template_id: 'SITE-SAFETY', team_id: tenants.north.teams[0]?.id };
	const items = [
		{ field_id: 'workers', response: { value: 0.1 } },
		{ field_id: 'ppe', response: { value: ['Helmet', 'Gloves'] } },
		{ field_id: 'walk_date', response: { value: '2026-03-04T05:06:07.1234567Z' } },
		{ field_id: 'hazard_severity', response: { value: 'Low' }, repeat_section_order: 1 },
		{ field_id: 'no such question', response: { value: 'x' } },
	];
	const data = { item_type: 'question_response', items };
	const replies: [ApiOperation, Promise<Reply>][] = [
		['getTemplate', get(sandbox, '/v1/templates/site-safety')],
		['getTemplate', get(sandbox, '/v1/templates/DEEP-NEST?includes=data')],
		['getTemplate', get(sandbox, '/v1/templates/EVERY-TYPE?includes=all')],
		['getTemplate', get(sandbox, '/v1/templates/%20')],
		['getTemplate', get(sandbox, '/v1/templates/EMPTY', null)],
		['getTemplate', get(sandbox, '/v1/templates/EMPTY', keys.noTemplates)],
		['getTemplate', get(sandbox, '/v1/templates/GONE')],
		['createInspection', post(sandbox, valid)],
		['createInspection', post(sandbox, { ...valid, name: 'a', data })],
		['createInspection', post(sandbox, { ...valid, task: {} })],
		['createInspection', post(sandbox, { ...valid, task: { assignee: ['x@y.example'] } })],
		['createInspection', post(sandbox, { ...valid, created_by: 'x@y.example' })],
		['createInspection', post(sandbox, { ...valid, task: { due_date_time: 'whenever' } })],
		['createInspection', post(sandbox, {})],
		['createInspection', post(sandbox, valid, { key: null })],
		['createInspection', post(sandbox, valid, { key: keys.readOnly })],
		['createInspection', post(sandbox, { ...valid, template_id: 'DRAFT' })],
		['listInspections', get(sandbox, '/v1/inspections')],
		['listInspections', get(sandbox, ENRICHED)],
		['listInspections', get(sandbox, `${ENRICHED}&sort_order=desc`)],
		['listInspections', get(sandbox, '/v1/inspections?page=1000')],
		['listInspections', get(sandbox, '/v1/inspections?page=0')],
		['listInspections', get(sandbox, '/v1/inspections', null)],
		['listInspections', get(sandbox, '/v1/inspections', keys.noList)],
		['listInspections', get(sandbox, `/v1/inspections?team_id=${NOWHERE}`)],
		['getFileUrl', get(sandbox, filePath)],
		['getFileUrl', get(sandbox, '/v1/inspections/x/files/y/url')],
		['getFileUrl', get(sandbox, filePath, keys.south)],
		['getFileUrl', get(sandbox, filePath, keys.noFiles)],
		['getFileUrl', get(sandbox, `/v1/inspections/${NOWHERE}/files/${NOWHERE}/url`)],
	];
	return await Promise.all(
		replies.map(
			async ([operation, reply]): Promise<[ApiOperation, Reply]> => [operation, await reply],
		),
	);
}

/** Every value of every setting that has only so many; null stands for what the others default to. */
const VARIANTS = Object.entries(SETTINGS).flatMap(([name, setting]): [string, unknown][] => {
	const values = typeof setting.default === 'boolean' ? [true, false] : valuesOf(setting);
	return values.map((value) => [name, value]);
});

describe('every response fits', () => {
	it.each([
		...VARIANTS,
		['optionsName', 'settings'],
		['multipleOption', 'is_multi_select'],
		['taskFailure', 'no license left'],
		['pageCap', 7],
		['commitDelayMs', 1000],
	])('%s = %j', async (name, value) => {
		Object.assign(sandbox.settings, defaultSettings(), { [name]: value });
		const replies = await everyResponse();
		Object.assign(sandbox.settings, defaultSettings());
		const problems = replies.flatMap(([operation, reply]) =>
			responseProblems(operation, reply).map((problem) => `${operation}: ${problem}`),
		);
		expect(problems).toEqual([]);
		const statuses = new Set(replies.map(([, { status }]) => status));
		expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
	});

	it('and one that does not is told', async () => {
		const reply = await get(sandbox, '/v1/templates/EMPTY');
		const lacking = { ...Object(reply.json), created_at: 'yesterday' };
		expect(responseProblems('getTemplate', { ...reply, json: lacking })).toEqual([
			'/created_at must match format "date-time"',
		]);
		expect(responseProblems('getTemplate', { ...reply, status: 204 })).toHaveLength(1);
	});
});

describe('a request that does not fit is told', () => {
	/** What the channel tells of one request. */
	async function problems(
		path: string,
		{ key = sandbox.keys.north, body }: { key?: string | null; body?: object } = {},
	): Promise<string[]> {
		const told: string[][] = [];
		const note = (message: unknown) => told.push(requestProblems(Object(message)));
		subscribe(REQUEST_CHANNEL, note);
		if (body === undefined) await get(sandbox, path, key);
		else await post(sandbox, body, { key, path });
		unsubscribe(REQUEST_CHANNEL, note);
		expect(told).toHaveLength(1);
		return told.flat();
	}
	const list = (query: string) => problems(`/v1/inspections?${query}`);
	const create = (body: object) => problems('/v1/inspections', { body });
	const withItem = (item: object) =>
		create({ template_id: 'X', data: { item_type: 'question_response', items: [item] } });

	it('and one that fits is not', async () => {
		const item = { field_id: 'a', response: { value: 1 }, repeat_section_order: 2 };
		for (const found of [
			await list('page=2&page_size=100&includes=data&includes=files&status=new'),
			await list('updated_after=2026-03-04T05%3A06%3A07.1234567Z'),
			await list('includes=data&data_filter[flagged_items_only]=true'),
			await withItem(item),
		]) {
			expect(found).toEqual([]);
		}
	});

	it.each([
		['page_size=101', '/page_size'],
		['limit=5', '/limit'],
		['status=open', '/status/0'],
		['updated_after=2026-03-04', '/updated_after'],
		['team_id=7', '/team_id'],
		['data_filter[flagged]=true', '/data_filter/flagged'],
	])('listInspections: %s', async (query, place) => {
		expect(await list(query)).toEqual([expect.stringContaining(place)]);
	});

	it.each<[object, unknown[]]>([
		[{}, ["/template_id must have required property 'template_id'"]],
		[{ template_id: 'X', status: 'open' }, [expect.stringContaining('/status')]],
		[{ template_id: 'X', teamId: 'y' }, [expect.stringContaining('/teamId')]],
	])('createInspection: %j', async (body, expected) => {
		expect(await create(body)).toEqual(expected);
	});

	it.each([
		[{ response: { value: 1 } }, '/data/items/0/field_id'],
		[{ field_id: 'a' }, '/data/items/0/response'],
		[
			{ field_id: 'a', response: { value: 1 }, repeat_section_order: 0 },
			'/data/items/0/repeat_section_order must be >= 1',
		],
	])('a data item: %j', async (item, problem) => {
		expect((await withItem(item)).join()).toContain(problem);
	});

	it('path and key', async () => {
		expect(await problems('/v1/inspections/x/files/y/url')).toHaveLength(2);
		expect(await problems('/v1/templates/x', { key: null })).toEqual(['there is no access-token']);
	});
});

describe('the examples work as they stand', () => {
	const main = new URL('../../sandbox/main.mts', import.meta.url).pathname;
	let running: ResultPromise;
	let apiUrl: string;
	beforeAll(async () => {
		const options = ['--port', '0', '--files-port', '0', '--json'];
		running = execa(process.execPath, [main, ...options], { reject: false });
		const [line] = await once(running.stdout ?? process.stdin, 'data');
		apiUrl = String(at(JSON.parse(String(line)), 'apiUrl'));
	});
	afterAll(async () => {
		running.kill('SIGTERM');
		await running;
	});

	/** The address that the parameters' examples make. */
	function addressOf({ path, parameters }: DocumentedOperation): string {
		const query = new URLSearchParams();
		let address = path;
		for (const { name, in: place, example } of parameters) {
			if (example === undefined) continue;
			if (place === 'path') address = address.replace(`{${name}}`, String(example));
			else for (const value of [example].flat()) query.append(name, String(value));
		}
		return `${apiUrl}${address}?${query.toString()}`;
	}

	const cases = documentedOperations.flatMap((operation): [string, number][] =>
		(operation.bodyExamples.length === 0 ? [0] : operation.bodyExamples).map((_example, index) => [
			operation.id,
			index,
		]),
	);

	it.each(cases)('%s, example %i', async (id, index) => {
		const operation = documentedOperations.find((candidate) => candidate.id === id);
		if (operation === undefined) throw new Error('not documented');
		const body = operation.bodyExamples[index];
		const response = await fetch(addressOf(operation), {
			method: operation.method,
			headers: { 'access-token': 'sandbox-key-north', 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		const json: unknown = JSON.parse(text);
		expect(response.status).toBe(200);
		expect(
			responseProblems(operation.id, { status: 200, headers: response.headers, text, json }),
		).toEqual([]);
		expect(at(json, 'warnings') ?? null).toBeNull();
	});
});
