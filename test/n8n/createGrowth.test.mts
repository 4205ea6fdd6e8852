// @module-tag slow
/** Tests how the work of Create grows with the number of items. Work is counted, not timed. */
import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { countedWork } from '#harness/countedWork.mts';
import { executeContext, type NodeOptions, oneNodeWorkflow } from '#harness/inspectionNodes.mts';
import { createParameters, templateById } from '#harness/nodeParameters.mts';

const [TEMPLATE, INSPECTION] = ['template', 'inspection'].map(
	(name) => `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').slice(-12)}`,
);
const CONTROLS = [{ id: 'area', field_id: 'area', type: 'text', label: 'Area' }];
const template = { id: TEMPLATE, name: 'Walk', data: { controls: CONTROLS } };

/**
 * Runs Create for `count` items. n8n's request helper is replaced, so that requests are answered immediately. Returns the
 * number of create requests.
 */
async function runCreate(count: number, { options, ...run }: Run): Promise<number> {
	const credential = { baseUrl: 'https://example.com', apiKey: 'abcdefghijkl' };
	const parameters = createParameters(templateById(String(TEMPLATE)), { options });
	const oneNode = await oneNodeWorkflow('inspectionService', { parameters, credential, ...run });
	const input = Array.from({ length: count }, (_, item) => ({
		json: { Area: `Gate ${String(item)}`, No: `No ${String(item)}` },
		pairedItem: { item },
	}));
	const context = executeContext(oneNode, { input });
	let sent = 0;
	context.helpers.httpRequestWithAuthentication = async (_, { method }: IHttpRequestOptions) => {
		const isCreate = method === 'POST';
		if (isCreate) sent += 1;
		const body = isCreate ? { id: INSPECTION, template: { id: TEMPLATE }, data: {} } : template;
		return await Promise.resolve({
			statusCode: 200,
			headers: {},
			body: Readable.from([Buffer.from(JSON.stringify(body))]),
		});
	};
	await oneNode.nodeType.execute?.call(context);
	return sent;
}

interface Run extends Pick<NodeOptions, 'onError'> {
	options?: IDataObject;
}

test.each<[string, Run]>([
	['one by one', {}],
	['by group', { options: { groupRowsBy: 'No' } }],
	['and continuing on errors', { onError: 'continueErrorOutput' }],
])('4,000 creates %s take ten times the work of 400', async (_, run) => {
	// The first run loads code, which must not be counted.
	expect(await runCreate(1, run)).toBe(1);
	const few = await countedWork(async () => await runCreate(400, run));
	const many = await countedWork(async () => {
		expect(await runCreate(4_000, run)).toBe(4_000);
	});
	expect(many / few).toBeLessThan(10.5);
});
