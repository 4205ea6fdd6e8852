import { request } from 'node:http';
import { connect } from 'node:net';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { at, get, post, type Reply } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo', keepRequests: false });
});
afterAll(() => sandbox.close());

/** A response that the document has: 200, or an error with code and message that tells nothing of the inside. */
function expectAnswer(reply: Reply): void {
	expect([200, 400, 401, 403, 404]).toContain(reply.status);
	if (reply.status === 200) return;
	expect(reply.json).toEqual({ code: reply.status, message: expect.any(String) });
	expect(reply.text).not.toMatch(/\.mts|node:|at \w+ \(/);
}

const oneOf = (...values: unknown[]) => fc.constantFrom(...values);
const junk = fc.oneof(fc.jsonValue(), oneOf('', ' ', '\0', -1, 1e308, '😀', '__proto__'));
const optional = (good: unknown) => fc.oneof({ weight: 2, arbitrary: fc.constant(good) }, junk);

const item = fc.oneof(
	junk,
	fc.record(
		{
			field_id: optional('site_name'),
			template_control_id: junk,
			response: fc.oneof(junk, fc.record({ value: junk })),
			repeat_section_order: optional(1),
		},
		{ requiredKeys: [] },
	),
);

it('whatever a create request holds', async () => {
	const body = fc.record(
		{
			template_id: optional('SITE-SAFETY'),
			team_id: junk,
			name: junk,
			status: optional('completed'),
			description: junk,
			created_by: junk,
			custom_fields: fc.oneof(junk, fc.array(junk)),
			locations: fc.oneof(junk, fc.array(junk)),
			data: fc.oneof(
				junk,
				fc.record({ item_type: optional('question_response'), items: fc.array(item) }),
			),
			task: fc.oneof(
				junk,
				fc.record(
					{ title: junk, priority: junk, due_date_time: junk, assignee: fc.array(junk) },
					{ requiredKeys: [] },
				),
			),
		},
		{ requiredKeys: [] },
	);
	await fc.assert(
		fc.asyncProperty(body, async (value) => {
			expectAnswer(await post(sandbox, value));
		}),
		{ numRuns: 300 },
	);
});

it.each([
	['status', { status: { toString: false } }],
	['created_by', { created_by: { toString: false } }],
	['an assignee', { task: { assignee: [{ toString: false }] } }],
])('an object with a member toString as %s', async (_, member) => {
	expectAnswer(await post(sandbox, { template_id: 'SITE-SAFETY', ...member }));
});

it('whatever a list is asked', async () => {
	const name = oneOf(
		'page',
		'page_size',
		'sort_by',
		'includes',
		'team_id',
		'status',
		'updated_after',
		'data_filter',
		'data_filter[template_control_ids]',
		'data_filter[',
		'status[x]',
	);
	const pair = fc.tuple(name, fc.oneof(fc.string(), oneOf('1', '%', 'data', '2025-01-01', '[]')));
	await fc.assert(
		fc.asyncProperty(fc.array(pair, { maxLength: 5 }), async (pairs) => {
			const query = pairs.map(
				([key, value]) => `${String(key)}=${encodeURIComponent(String(value))}`,
			);
			expectAnswer(await get(sandbox, `/v1/inspections?${query.join('&')}`));
		}),
		{ numRuns: 300 },
	);
});

it.each([
	['a lone percent sign', '%'],
	['half a character', '%E0%A4%A'],
	['a path upwards', '..%2f..%2fetc'],
	['a zero byte', '%00'],
	['5000 letters', 'a'.repeat(5000)],
	['a character beyond 16 bits', '😀'],
])('addresses with %s', async (_what, part) => {
	expectAnswer(await get(sandbox, `/v1/templates/${part}`));
	expectAnswer(await get(sandbox, `/v1/inspections/${part}/files/${part}/url`));
	expectAnswer(await get(sandbox, `/v1/inspections?updated_after=${part}`));
	expect((await fetch(`${sandbox.filesUrl}/files/${part}/x?expires=9`)).status).toBeLessThan(500);
});

it.each([
	['no HTTP at all', 'GARBAGE\r\n\r\n', 400],
	['a header longer than Node takes', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
])('%s', async (_what, bytes, status) => {
	const answer = await new Promise<string>((resolve, reject) => {
		let text = '';
		const socket = connect(Number(new URL(sandbox.apiUrl).port), '127.0.0.1', () =>
			socket.write(bytes),
		);
		socket.on('data', (chunk) => (text += String(chunk)));
		socket.on('error', reject);
		socket.on('close', () => resolve(text));
	});
	expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
});

it('a body without a content type, and one that is too large', async () => {
	const send = (body: string) =>
		new Promise<number | undefined>((resolve, reject) => {
			const headers = { 'access-token': sandbox.keys.north };
			const sent = request(
				`${sandbox.apiUrl}/v1/inspections`,
				{ method: 'POST', headers },
				(got) => {
					got.resume();
					resolve(got.statusCode);
				},
			);
			sent.on('error', reject);
			sent.end(body);
		});
	expect(await send('{"template_id":"SITE-SAFETY"}')).toBe(200);
	expect(await send('')).toBe(400);
	const large = await post(sandbox, { template_id: 'SITE-SAFETY', name: 'x'.repeat(11_000_000) });
	expect([large.status, at(large.json, 'message')]).toEqual([413, 'The request is too large']);
});
