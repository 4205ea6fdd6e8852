/** The action node as a tool of n8n's AI Agent: what the model is told, and what its arguments become. */
import { afterAll, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import {
	createParameters,
	getManyParameters,
	mapColumns,
	templateBy,
} from '#harness/nodeParameters.mts';
import { connectedN8n } from './connectedN8n.mts';
import { ACTION_TYPE, actionNode, START } from './connectorWorkflow.mts';
import { startScriptedModel } from './scriptedModel.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, n8n, credential, run, imported, runSaved } = await connectedN8n({
	data: 'demo',
	demoInspections: 40,
});
const model = await startScriptedModel();
afterAll(() => model.close());
const modelCredential = await n8n.client.createCredential('Model', 'openAiApi', {
	...{ apiKey: 'none', url: model.url },
});

/** What "Let the model define this parameter" writes into a field. */
function fromAi(key: string, description: string, type: 'string' | 'number' = 'string'): string {
	return `={{ $fromAI('${key}', \`${description}\`, '${type}') }}`;
}

const node = (name: string, kind: string, typeVersion: number, parameters: JsonRecord) => ({
	...{ name, type: `@n8n/n8n-nodes-langchain.${kind}`, typeVersion, parameters },
});

/**
 * Start → agent, with the chat model and the connector's node as its tool, which the model calls once.
 * @returns what the model gets to know of the tool, and its answer without the quoting of JSON
 */
async function callTool(name: string, parameters: JsonRecord, args: JsonRecord) {
	const text = 'Do what the tool is for.';
	const agent = node('Agent', 'agent', 3.1, { promptType: 'define', text, options: {} });
	const chat = node('Model', 'lmChatOpenAi', 1.2, {
		...{ model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
	});
	const tool = { ...actionNode(credential, parameters, name), type: `${ACTION_TYPE}Tool` };
	const nodes = [START, agent, { ...chat, credentials: { openAiApi: modelCredential } }, tool];
	const toAgent = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
	model.callToolWith(args);
	const { error } = await run({
		name,
		nodes: nodes.map((one, at) => ({ ...one, id: one.name, position: [at * 220, 0] })),
		connections: {
			[START.name]: toAgent('main'),
			[chat.name]: toAgent('ai_languageModel'),
			[name]: toAgent('ai_tool'),
		},
	});
	expect(error).toBeUndefined();
	const [known] = model.heard.tools;
	const answer = model.heard.toolAnswers.join();
	return { known, answer, told: answer.replaceAll('\\"', '"') };
}

const SITE_SAFETY = templateBy('SITE-SAFETY');
const RESULT = fromAi('Result', 'Pass, Fail or N/A');

it('creates an inspection from what the model says', async () => {
	const responses = mapColumns({
		site_name: fromAi('Site_name', 'Where the walk took place'),
		walk_date: fromAi('Date', 'Day of the walk, ISO 8601'),
		result: RESULT,
		workers: fromAi('Number_of_workers', 'How many people were there', 'number'),
	});
	const additionalFields = { name: fromAi('Name', 'Short name of the inspection') };
	const { known, answer } = await callTool(
		'Create a site safety walk',
		createParameters(SITE_SAFETY, { responses, additionalFields }),
		{
			...{ Site_name: 'Dock 4', Date: '2026-05-04', Result: 'pass', Number_of_workers: 3 },
			Name: 'Walk on Monday',
		},
	);
	expect(known).toMatchObject({
		name: 'Create_a_site_safety_walk',
		description: 'Create inspection from template in Inspection Service',
		parameters: {
			type: 'object',
			properties: {
				Site_name: { type: 'string', description: 'Where the walk took place' },
				Result: { type: 'string', description: 'Pass, Fail or N/A' },
				Number_of_workers: { type: 'number' },
				Name: { type: 'string' },
			},
		},
	});
	const created = { name: 'Walk on Monday', warnings: '', unstored_responses: '', task_id: null };
	expect(JSON.parse(answer)).toMatchObject([created]);
});

it('tells the model what is wrong with an answer, and what it did not know to be required', async () => {
	const responses = mapColumns({ result: RESULT });
	const create = createParameters(SITE_SAFETY, { responses });
	const { told } = await callTool('Create', create, { Result: 'Perhaps' });
	expect(told).toContain('"Perhaps" is not among its choices; possible: Pass | Fail | N/A');
	expect(told).toContain('"Site name": required');
	expect(told).toContain('"Date": required');
});

const [KNOWN] = sandbox.store.inspections(sandbox.tenants.north.organization.id);
const ID = fromAi('ID', 'ID of the inspection');
const GET = {
	...{ resource: 'inspection', operation: 'get', output: 'row' },
	inspectionId: { __rl: true, mode: 'id', value: ID },
};

it.each<[title: string, call: [JsonRecord, JsonRecord], known: string, answer: string | RegExp]>([
	[
		'a template by its identifier',
		[
			{
				...{ resource: 'template', operation: 'get', output: 'questions' },
				templateId: { __rl: true, mode: 'identifier', value: fromAi('Template', 'Identifier') },
			},
			{ Template: 'site-safety' },
		],
		'Get template by ID or identifier',
		'site_name',
	],
	[
		'an inspection by its ID',
		[GET, { ID: KNOWN?.id ?? '' }],
		'Get inspection by ID',
		KNOWN?.name ?? '',
	],
	[
		'inspections by a filter, no more than it can read',
		[
			getManyParameters({
				...{ returnAll: true, output: 'raw', options: { include: ['data', 'files'] } },
				filters: { updatedAfter: fromAi('Since', 'ISO 8601') },
			}),
			{ Since: '2020-01-01' },
		],
		'Get many inspections by filter',
		/^(?=.{1000,20000}$).*"left_out":"\d+ of \d+ items were left out/s,
	],
	[
		'what it lacks for a file',
		[{ resource: 'file', operation: 'download', inspectionId: ID }, { ID: 'none' }],
		'Download file by inspection ID and file ID',
		'File',
	],
])('tells the model %s', async (_, [parameters, args], description, answer) => {
	const { known, told } = await callTool('Tool', parameters, args);
	expect(known?.description).toBe(`${description} in Inspection Service`);
	expect(told).toMatch(answer);
});

it('the example creates an inspection with the findings that somebody tells', async () => {
	model.callToolWith({
		...{ Site_name: 'Roof', Date: '2026-05-04', Number_of_workers: 2, Result: 'fail' },
		Comments: '',
		Findings: [
			{ Description: 'Loose tiles above the entrance', Severity: 'High' },
			{ Description: 'Blocked gutter on the east side', Severity: 'Low' },
		],
	});
	const example = await imported('inspection-by-agent', { model: modelCredential });
	expect((await runSaved(example)).error).toBeUndefined();
	const [tool] = model.heard.tools;
	expect(tool?.description).toMatch(/^Creates one inspection from the template/);
	expect(Object.keys(Object(tool?.parameters['properties'])).toSorted()).toEqual([
		...['Comments', 'Date', 'Findings', 'Number_of_workers', 'Result', 'Site_name'],
	]);
	const made = sandbox.store.inspections().find(({ name }) => name === 'Roof, 2026-05-04');
	expect(storedAnswers(sandbox, made?.id, 'fieldId')).toEqual({
		...{ site_name: 'Roof', walk_date: '2026-05-04T00:00:00.000Z', workers: 2, result: 'Fail' },
		hazard_description: 'Loose tiles above the entrance',
		hazard_severity: 'High',
		'hazard_description:2': 'Blocked gutter on the east side',
		'hazard_severity:2': 'Low',
	});
	expect(model.heard.toolAnswers[0]).toContain(made?.id);
});
