import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { describe, expect, it } from 'vitest';

import { requestProblems } from '#harness/requestCheck.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { REQUEST_CHANNEL } from '#sandbox/service/faultHooks.mts';
import {
	type DocumentedOperation,
	documentedOperations,
} from '#sandbox/service/serviceDocument.mts';
import { SETTINGS, valuesOf } from '#sandbox/service/settings.mts';
import { at, get, post, withFile } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const hazard = { control: 'hazard_description', value: 'a' };
const answers = [hazard, { ...hazard, order: 2, flagged: true }];
const { path: filePath } = withFile(sandbox, { kind: 'image' }, { answers });

// `get` and `post` check every response in the tests of this folder. So these tests only have to send different
// requests.
describe('every response matches the document', () => {
	/** Each setting with each of its values, or only with its default if the values can't be listed. */
	const variants = Object.entries(SETTINGS).flatMap(([name, setting]): [string, unknown][] => {
		// The document defines neither the response after the last page nor an envelope of a created inspection.
		if (name === 'afterLastPage' || name === 'createEnvelope') return [];
		const values = typeof setting.default === 'boolean' ? [true, false] : valuesOf(setting);
		return values.map((value) => [name, value]);
	});
	const values = {
		workers: 0.1,
		ppe: ['Helmet', 'Gloves'],
		hazard_severity: 'Low',
		walk_date: '2026-03-04T05:06:07.1234567Z',
	};
	const items = Object.entries(values).map(([field_id, value]) => {
		return { field_id, response: { value } };
	});

	it.each([...variants, ['pageCap', 7], ['commitDelayMs', 1000]])(
		'if %s is %j',
		async (name, value) => {
			Object.assign(sandbox.settings, { [name]: value });
			for (const path of [
				'/v1/templates/EVERY-TYPE?includes=all',
				'/v1/inspections?includes=data,files,shared_with_users&page_size=100',
				'/v1/inspections?includes=data,files&sort_order=desc',
				'/v1/inspections?page=1000',
				filePath,
			]) {
				expect((await get(sandbox, path)).status).toBe(200);
			}
			const made = { template_id: 'SITE-SAFETY', data: { item_type: 'question_response', items } };
			for (const members of [{}, { task: {} }, { created_by: 'x@y.example' }]) {
				expect((await post(sandbox, { ...made, ...members })).status).toBe(200);
			}
		},
	);
});

// These tests use the check that test/harness/documentedRequests.mts applies to every request of the connector.
describe('detects a request that violates the document', () => {
	const item = { field_id: 'a', response: { value: 1 }, repeat_section_order: 2 };
	const withItem = (changed: object) => ({
		template_id: 'X',
		data: { item_type: 'question_response', items: [{ ...item, ...changed }] },
	});

	it.each<[string, string | object, string[]]>([
		['page_size', '?page_size=101', ['/page_size must be <= 100']],
		['a parameter that there is not', '?limit=5', ['/limit must NOT']],
		['a date', '?updated_after=2026-03-04', ['/updated_after must']],
		['data_filter', '?data_filter[flagged]=true', ['/data_filter/flagged must NOT']],
		['a path', '/x/files/y/url', ['/inspectionId must', '/fileId must']],
		['a create without a template', {}, ['/template_id must have']],
		['a member that there is not', { template_id: 'X', teamId: 'y' }, ['/teamId must NOT']],
		['an answer without a value', withItem({ response: undefined }), ['/data/items/0/response']],
		['an order of 0', withItem({ repeat_section_order: 0 }), ['/data/items/0/repeat_section']],
	])('a request that violates the document is detected, %s: %j', async (_what, asked, expected) => {
		const told: string[][] = [];
		const note = (message: unknown) => told.push(requestProblems(Object(message)));
		subscribe(REQUEST_CHANNEL, note);
		if (typeof asked === 'string') await get(sandbox, `/v1/inspections${asked}`);
		else await post(sandbox, asked);
		unsubscribe(REQUEST_CHANNEL, note);
		expect(told).toEqual([expected.map((problem) => expect.stringContaining(problem))]);
	});
});

describe('the examples of the document work unchanged', () => {
	/** Returns an operation's address, with the examples of its parameters. */
	function addressOf({ path, parameters }: DocumentedOperation): string {
		const query = new URLSearchParams();
		let address = path;
		for (const { name, in: place, example } of parameters) {
			if (example === undefined) continue;
			if (place === 'path') address = address.replace(`{${name}}`, String(example));
			else for (const value of [example].flat()) query.append(name, String(value));
		}
		return `${address}?${query.toString()}`;
	}

	const examples = documentedOperations.flatMap((operation) => {
		const bodies = operation.bodyExamples.length === 0 ? [undefined] : operation.bodyExamples;
		return bodies.map((body, index) => ({ name: operation.id, index, operation, body }));
	});

	it.each(examples)('$name, example $index', async ({ operation, body }) => {
		const { status, json } = await (body === undefined
			? get(sandbox, addressOf(operation))
			: post(sandbox, body));
		expect([status, at(json, 'warnings') ?? null]).toEqual([200, null]);
	});
});
