import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { inspectionPageOf } from '#connector/domain/list/inspectionPage.ts';
import { RequestFailure } from '#connector/domain/request/requestFailure.ts';
import type { ServiceOperation } from '#connector/domain/request/requestInfo.ts';
import {
	fileUrlOf,
	isSuccess,
	readCreated,
	templateOf,
	valueOf,
} from '#connector/domain/request/serviceResponse.ts';
import { anyText } from '#harness/anyText.mts';
import { createdInspection } from '#harness/madeOfRows.mts';

const ASKED = { operation: 'getTemplate', baseUrl: 'https://host', path: '/' } as const;
const AS_IT_IS = { headers: {}, redact: (text: string) => text, receivedAt: 0 };
const read = (body: string) => valueOf(ASKED, { ...AS_IT_IS, status: 200, body }, templateOf);
const failureOf = (body: string) => {
	try {
		return read(body);
	} catch (error) {
		return error;
	}
};

it('a status from 200 to 299 is a success', () => {
	expect([199, 200, 299, 300].filter(isSuccess)).toEqual([200, 299]);
});

describe('the body of a success', () => {
	it('is parsed as JSON', () => {
		expect(read('{"id":"t","name":"Walk"}')).toEqual({ id: 't', name: 'Walk' });
	});

	it.each([
		['', 'it is empty'],
		[' \n', 'it is empty'],
		['{"id":"t"', `it isn't JSON, or was cut off. It begins: {"id":"t"`],
	])("is retried if it's %j", (body, reason) => {
		expect(failureOf(body)).toMatchObject({
			message: `The response of the service (200) can't be used: ${reason}`,
			facts: { attempts: 4, httpCode: '200' },
		});
	});

	it.each([
		['<html><title>Back soon</title>', 'it is a web page titled "Back soon", not JSON'],
		['<!DOCTYPE html><p>x', 'it is a web page, not JSON'],
		['{"name":"Walk"}', 'it should be a template with an "id", and is an object with "name"'],
	])("isn't retried if it's %j", (body, reason) => {
		const failure = failureOf(body);
		expect(failure).toHaveProperty('message', expect.stringContaining(reason.slice(0, 25)));
		expect(failure).not.toHaveProperty('facts.attempts');
	});

	it.each([300, 10_000, 100_000])('is cut at %i levels of nesting', (levels) => {
		const deep = `${'{"b":1,"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`;
		const text = JSON.stringify(structuredClone(read(`{"id":"t","deep":${deep}}`)));
		expect(text).toMatch(/^\{"id":"t","deep":(?:\{"b":1,"a":\[){50,}/);
		expect(text).toContain('"nested more than 200 levels deep"');
	});

	it('is kept whole below that nesting', () => {
		const deep = `${'['.repeat(198)}${']'.repeat(198)}`;
		expect(JSON.stringify(read(`{"id":"t","deep":${deep}}`))).toContain(deep);
	});

	it('keeps the digits of integers that JavaScript would round', () => {
		const kept = '"9007199254740993"';
		expect(JSON.stringify(read('{"id":"t","a":9007199254740993,"b":[-9007199254740993]}'))).toBe(
			`{"id":"t","a":${kept},"b":["-9007199254740993"]}`,
		);
		const exact =
			'{"id":"t","a":9007199254740992,"b":52.520006599999998,"c":"1: 9007199254740993"}';
		expect(read(exact)).toEqual(JSON.parse(exact));
		const deep = `${'['.repeat(10_000)}9007199254740993${']'.repeat(10_000)}`;
		expect(read(`{"id":"t","deep":${deep}}`)).toMatchObject({ id: 't' });
		expect(read(`{"id":"t","a":${'9'.repeat(400)}}`)).toMatchObject({ a: '9'.repeat(400) });
	});

	it('is an inspection, alone or in an object, for a create', () => {
		const inspection = { id: 'i' };
		expect(readCreated(inspection)).toEqual(inspection);
		expect(readCreated({ inspection, task_id: 't' })).toEqual({ inspection, task_id: 't' });
		expect(() => readCreated({ inspection: {} })).toThrow(/an inspection with an "id"/);
		expect(() => readCreated([])).toThrow(/an inspection with an "id"/);
		expect(() => readCreated([inspection, inspection])).toThrow(/an inspection with an "id"/);
	});

	it.each<[unknown, JsonRecord]>([
		[[{ id: 'i' }], {}],
		[{ data: { id: 'i', data: { items: [] } } }, {}],
		[{ data: [{ id: 'i' }] }, {}],
		[{ data: { items: [{ id: 'i' }] } }, {}],
		[{ results: [{ id: 'i' }], warnings: ['w'] }, { warnings: ['w'] }],
		[{ data: { id: 'i' }, task_id: 't' }, { task_id: 't' }],
		[{ data: { inspection: { id: 'i' }, task_id: 't' } }, { task_id: 't' }],
	])('can be wrapped like a list for a create: %j', (json, facts) => {
		const inspection = { id: 'i' };
		expect(createdInspection(readCreated(json), [])).toMatchObject({ inspection, ...facts });
	});

	it('has an ID of at most 200 characters', () => {
		const [usable, tooLong] = [200, 201].map((length) => ({ id: 'a'.repeat(length) }));
		expect([templateOf(usable), readCreated(usable)]).toEqual([usable, usable]);
		for (const read of [templateOf, readCreated]) {
			expect(() => read(tooLong)).toThrow(/with an "id" of at most 200 characters/);
		}
		expect(() => readCreated({ inspection: tooLong })).toThrow(/at most 200 characters/);
	});

	it('is the URL for a file URL', () => {
		const given = { url: 'https://example.com/a', expires_in: 60 };
		expect(fileUrlOf(given)).toEqual(given);
		expect(() => fileUrlOf({ url: '' })).toThrow(/"url"/);
		expect(() => fileUrlOf(null)).toThrow(/"url"/);
	});
});

test('only the beginning of a response is searched for the API key, however long it is', () => {
	const searched: number[] = [];
	const redact = (text: string) => {
		searched.push(text.length);
		return text;
	};
	const bodies = ['"', '\\', 'a', ' a', '<title>', '{"message":"', '<html><title>'].flatMap(
		(start) => {
			const body = start + 'a'.repeat(1_000_000);
			return [body, `${body}"}`, JSON.stringify(body)];
		},
	);
	const names = JSON.stringify({ ['a'.repeat(1_000_000)]: 1 });
	for (const body of [...bodies, names]) {
		for (const status of [200, 400]) {
			expect(() => valueOf(ASKED, { ...AS_IT_IS, status, body, redact }, templateOf)).toThrow(
				RequestFailure,
			);
		}
	}
	expect(searched.length).toBeGreaterThan(bodies.length);
	expect(Math.max(...searched)).toBeLessThanOrEqual(20_000);
});

describe('any response', () => {
	const names = ['id', 'data', 'items', 'url', 'inspection', 'message', 'error', 'errors'];
	const objects = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }));
	const bodies = fc.oneof(
		fc.json(),
		anyText(),
		objects.map((value) => JSON.stringify(value)),
		fc.string().map((words) => `<html><title>${words}</title>${words}`),
	);
	const statuses = fc.constantFrom(200, 201, 204, 301, 304, 400, 401, 404, 418, 422, 429, 500, 503);

	it.each<[ServiceOperation, (json: unknown) => unknown]>([
		['getTemplate', templateOf],
		['listInspections', (json) => inspectionPageOf(json, undefined)],
		['getFileUrl', fileUrlOf],
		['createInspection', readCreated],
	])('to %s is a value or a failure that describes what happened', (operation, readValue) => {
		fc.assert(
			fc.property(bodies, statuses, (body, status) => {
				try {
					valueOf({ ...ASKED, operation }, { ...AS_IT_IS, status, body }, readValue);
				} catch (error) {
					const { message, facts } = error as RequestFailure;
					expect(error).toBeInstanceOf(RequestFailure);
					expect(message.trim()).not.toBe('');
					expect(message.length).toBeLessThan(1500);
					expect(facts.description).toEqual(expect.any(String));
				}
			}),
		);
	});
});

describe('an error in the body of a success', () => {
	const said = (operation: ServiceOperation, body: object) => {
		const sent = { status: 200, headers: { 'retry-after': '7' }, body: JSON.stringify(body) };
		const readAs = { getTemplate: templateOf, createInspection: readCreated } as const;
		const reads: Partial<Record<ServiceOperation, (json: unknown) => unknown>> = readAs;
		const read = reads[operation] ?? ((json: unknown) => inspectionPageOf(json, undefined));
		try {
			return valueOf({ ...ASKED, operation }, { ...AS_IT_IS, ...sent }, read);
		} catch (error) {
			return error;
		}
	};

	it.each([
		[
			{ data: [], errors: [{ message: 'Quota used up' }] },
			/reported an error \(200\): Quota used up$/,
		],
		[{ data: [{ id: 'a' }], errors: ['Team 7 is missing'] }, /\(200\): Team 7 is missing$/],
		[{ data: [], error: 'No such team' }, /\(200\): No such team$/],
		[{ success: false, message: 'Closed' }, /\(200\): Closed$/],
		[{ success: false, data: [] }, /\(200\): without an explanation$/],
		[{ code: 401, message: 'Key expired' }, /refused the API key \(401\): Key expired$/],
		[{ error: { code: 401, message: 'Key expired' } }, /refused the API key \(401\): Key expired$/],
		[{ code: 429, data: [], message: 'Slow down' }, /too many requests \(429\): Slow down$/],
		[{ status: 404, title: 'No page' }, /list of inspections was not found \(404\): No page$/],
	])('is detected in a list: %j', (body, message) => {
		expect(said('listInspections', body)).toHaveProperty('message', expect.stringMatching(message));
	});

	it("has the retries of its status, with the service's wait", () => {
		const failure = said('listInspections', { code: 429 });
		expect(failure).toHaveProperty('facts.retryAfterMs', 7_000);
		expect(failure).toHaveProperty('facts.attempts', 12);
	});

	it.each([
		{ data: [], errors: [], error: null, success: true, code: 200, status: 'ok', message: 'OK' },
		{ data: [{ id: 'a' }], code: 20_000, error: false, errors: {} },
	])("isn't seen in a list without one: %j", (body) => {
		expect(said('listInspections', body)).toHaveProperty('inspections');
	});

	it.each([
		['getTemplate', { id: 't', error: 'Is there an error?', code: 404 }],
		['createInspection', { inspection: { id: 'i' }, errors: ['No such assignee'] }],
	] as const)("isn't seen in a resource that has such fields: %s", (operation, body) => {
		expect(said(operation, body)).toEqual(body);
	});

	it('leaves the outcome of a create unknown, unless its status excludes that', () => {
		const outcome = (body: object) => said('createInspection', body);
		expect(outcome({ success: false })).toHaveProperty('facts.outcomeUnknown', true);
		expect(outcome({ code: 400, message: 'No' })).toHaveProperty('facts.outcomeUnknown', false);
	});
});
