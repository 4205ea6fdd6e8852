import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { describe, expect, it } from 'vitest';

import { problemsOf, requestProblems } from '#harness/requestCheck.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { REQUEST_CHANNEL } from '#sandbox/service/faultHooks.mts';
import type { ApiOperation } from '#sandbox/service/model.mts';
import {
	type DocumentedOperation,
	documentedOperation,
	documentedOperations,
	serviceDocument,
} from '#sandbox/service/serviceDocument.mts';
import { SETTINGS, valuesOf } from '#sandbox/service/settings.mts';
import { at, get, post, type Reply } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const { id, files } = sandbox.store.addInspection({
	template: 'SITE-SAFETY',
	files: [{ kind: 'image' }],
	answers: [
		{ control: 'hazard_description', value: 'a' },
		{ control: 'hazard_description', value: 'b', order: 2, flagged: true },
	],
});

/** In what a response departs from the document: its status, its content type, its body. */
function responseProblems(operation: ApiOperation, reply: Omit<Reply, 'text'>): string[] {
	const response = documentedOperation(operation).responses[String(reply.status)];
	if (response === undefined) return [`status ${String(reply.status)} is not documented`];
	const shared = serviceDocument.components.responses[response.$ref?.split('/').at(-1) ?? ''];
	const type = reply.headers.get('content-type')?.split(';', 1)[0] ?? '';
	const media = (response.content ?? shared?.content ?? {})[type];
	if (media === undefined) return [`content type ${type} is not documented`];
	if (media.schema === undefined) return [];
	return reply.json === undefined ? ['no JSON'] : problemsOf(reply.json, media.schema, 'json');
}

describe('every response fits the document', () => {
	const { north, noTemplates, readOnly, noList, noFiles, south } = sandbox.keys;
	const NOWHERE = '00000000-0000-4000-8000-000000000000';
	const LIST = '/v1/inspections';
	const FILE = `${LIST}/${id}/files/${String(files[0]?.id)}/url`;

	/** A path, or a create's body, and the key. */
	const REQUESTS: [ApiOperation, string | object, key?: string | null][] = [
		['getTemplate', '/v1/templates/site-safety'],
		['getTemplate', '/v1/templates/DEEP-NEST?includes=data'],
		['getTemplate', '/v1/templates/EVERY-TYPE?includes=all'],
		['getTemplate', '/v1/templates/%20'],
		['getTemplate', '/v1/templates/EMPTY', null],
		['getTemplate', '/v1/templates/EMPTY', noTemplates],
		['getTemplate', '/v1/templates/GONE'],
		['createInspection', {}],
		['createInspection', { name: 'a', data: everyKindOfAnswer() }],
		['createInspection', { task: {} }],
		['createInspection', { task: { assignee: ['x@y.example'] } }],
		['createInspection', { task: { due_date_time: 'whenever' } }],
		['createInspection', { created_by: 'x@y.example' }],
		['createInspection', { template_id: '' }],
		['createInspection', {}, null],
		['createInspection', {}, readOnly],
		['createInspection', { template_id: 'DRAFT' }],
		['listInspections', LIST],
		['listInspections', `${LIST}?includes=data,files,shared_with_users&page_size=100`],
		['listInspections', `${LIST}?includes=data,files&sort_order=desc`],
		['listInspections', `${LIST}?page=1000`],
		['listInspections', `${LIST}?page=0`],
		['listInspections', LIST, null],
		['listInspections', LIST, noList],
		['listInspections', `${LIST}?team_id=${NOWHERE}`],
		['getFileUrl', FILE],
		['getFileUrl', `${LIST}/x/files/y/url`],
		['getFileUrl', FILE, south],
		['getFileUrl', FILE, noFiles],
		['getFileUrl', `${LIST}/${NOWHERE}/files/${NOWHERE}/url`],
	];

	function everyKindOfAnswer() {
		const values: Record<string, unknown> = {
			workers: 0.1,
			ppe: ['Helmet', 'Gloves'],
			walk_date: '2026-03-04T05:06:07.1234567Z',
			hazard_severity: 'Low',
		};
		const items = Object.entries(values).map(([field_id, value]) => ({
			field_id,
			response: { value },
		}));
		return { item_type: 'question_response', items };
	}

	/** Every value of every setting; its default where there are too many. */
	const variants = Object.entries(SETTINGS).flatMap(([name, setting]): [string, unknown][] => {
		const values = typeof setting.default === 'boolean' ? [true, false] : valuesOf(setting);
		return values.map((value) => [name, value]);
	});

	it.each([...variants, ['pageCap', 7], ['commitDelayMs', 1000]])(
		'where %s is %j',
		async (name, value) => {
			Object.assign(sandbox.settings, { [name]: value });
			const statuses = new Set<number>();
			for (const [operation, asked, key = north] of REQUESTS) {
				const reply =
					typeof asked === 'string'
						? await get(sandbox, asked, key)
						: await post(sandbox, { template_id: 'SITE-SAFETY', ...asked }, key);
				statuses.add(reply.status);
				expect(responseProblems(operation, reply), JSON.stringify(asked)).toEqual([]);
			}
			expect([...statuses].toSorted()).toEqual([200, 400, 401, 403, 404]);
		},
	);

	it('and one that does not is noticed', async () => {
		const reply = await get(sandbox, '/v1/templates/EMPTY');
		const json = { ...Object(reply.json), created_at: 'yesterday' };
		expect(responseProblems('getTemplate', { ...reply, json })).toEqual([
			'/created_at must match format "date-time"',
		]);
		expect(responseProblems('getTemplate', { ...reply, status: 204 })).toHaveLength(1);
	});
});

// What test/harness/documentedRequests.mts asks of every request that the connector makes.
describe('a request that does not fit the document is noticed', () => {
	const item = { field_id: 'a', response: { value: 1 }, repeat_section_order: 2 };
	const withItem = (changed: object) => ({
		template_id: 'X',
		data: { item_type: 'question_response', items: [{ ...item, ...changed }] },
	});

	it.each<[string, string | object, string[]]>([
		['page_size', '?page_size=101', ['/page_size must be <= 100']],
		['a parameter that there is not', '?limit=5', ['/limit must NOT']],
		['status', '?status=open', ['/status/0 must']],
		['a date', '?updated_after=2026-03-04', ['/updated_after must']],
		['data_filter', '?data_filter[flagged]=true', ['/data_filter/flagged must NOT']],
		['a path', '/x/files/y/url', ['/inspectionId must', '/fileId must']],
		['a create without a template', {}, ['/template_id must have']],
		['a member that there is not', { template_id: 'X', teamId: 'y' }, ['/teamId must NOT']],
		['an answer without a value', withItem({ response: undefined }), ['/data/items/0/response']],
		[
			'an order of 0',
			withItem({ repeat_section_order: 0 }),
			['/data/items/0/repeat_section_order'],
		],
	])('%s: %j', async (_what, asked, expected) => {
		const told: string[][] = [];
		const note = (message: unknown) => told.push(requestProblems(Object(message)));
		subscribe(REQUEST_CHANNEL, note);
		if (typeof asked === 'string') await get(sandbox, `/v1/inspections${asked}`);
		else await post(sandbox, asked);
		unsubscribe(REQUEST_CHANNEL, note);
		expect(told).toEqual([expected.map((problem) => expect.stringContaining(problem))]);
	});
});

describe('the examples of the document work as they stand', () => {
	/** The address that the parameters' examples make. */
	function addressOf({ path, parameters }: DocumentedOperation): string {
		const query = new URLSearchParams();
		let address = path;
		for (const { name, in: place, example } of parameters) {
			if (example === undefined) continue;
			if (place === 'path') address = address.replace(`{${name}}`, String(example));
			else for (const value of [example].flat()) query.append(name, String(value));
		}
		return `${sandbox.apiUrl}${address}?${query.toString()}`;
	}

	const examples = documentedOperations.flatMap((operation) => {
		const bodies = operation.bodyExamples.length === 0 ? [undefined] : operation.bodyExamples;
		return bodies.map((body, index) => ({ name: operation.id, index, operation, body }));
	});

	it.each(examples)('$name, example $index', async ({ operation, body }) => {
		const response = await fetch(addressOf(operation), {
			method: operation.method,
			headers: { 'access-token': sandbox.keys.north, 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const { status, headers } = response;
		const json: unknown = await response.json();
		expect(status).toBe(200);
		expect(responseProblems(operation.id, { status, headers, json })).toEqual([]);
		expect(at(json, 'warnings') ?? null).toBeNull();
	});
});
