/**
 * Tests the action node as a tool of n8n's AI Agent: what the model learns about the tool, and how the node uses the
 * model's arguments.
 */
import { afterAll, expect, it } from 'vitest';

import {
	createParameters,
	getManyParameters,
	mapColumns,
	templateBy,
} from '#harness/nodeParameters.mts';
import type { JsonRecord } from '#sandbox/json.mts';
import { connectedN8n } from './connectedN8n.mts';
import { ACTION_TYPE, actionNode, chain, START } from './connectorWorkflow.mts';
import { startScriptedModel } from './scriptedModel.mts';
import { storedAnswers } from './storedAnswers.mts';

const { sandbox, n8n, credential, run, imported, runSaved } = await connectedN8n({
	data: 'demo',
	demoInspections: 40,
});
const model = await startScriptedModel();
afterAll(() => model.close());
const modelCredential = await n8n.client.createCredential('Model', 'openAiApi', {
	apiKey: 'none',
	url: model.url,
});

/** Returns the expression that n8n's button "Let the model define this parameter" writes into a field. */
const fromAi = (key: string) => `={{ $fromAI('${key}', \`The ${key}\`, 'string') }}`;

const node = (name: string, kind: string, typeVersion: number, parameters: JsonRecord) => ({
	name,
	type: `@n8n/n8n-nodes-langchain.${kind}`,
	typeVersion,
	parameters,
});

/**
 * Runs an AI Agent that has the scripted model, and the connector's node as its only tool. The model calls the tool
 * once.
 *
 * @returns `known`: the tool as the model sees it; `told`: the tool's response, without JSON's escaped quotes
 */
async function callTool(name: string, parameters: JsonRecord, args: JsonRecord) {
	const text = 'Do what the tool is for.';
	const agent = node('Agent', 'agent', 3.1, { promptType: 'define', text, options: {} });
	const chat = node('Model', 'lmChatOpenAi', 1.2, {
		model: { __rl: true, mode: 'id', value: 'scripted' },
		options: {},
	});
	const tool = { ...actionNode(credential, parameters, name), type: `${ACTION_TYPE}Tool` };
	const nodes = [START, agent, { ...chat, credentials: { openAiApi: modelCredential } }, tool];
	const toAgent = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
	model.callToolWith(args);
	const connections = {
		[START.name]: toAgent('main'),
		[chat.name]: toAgent('ai_languageModel'),
		[name]: toAgent('ai_tool'),
	};
	const { error } = await run({ ...chain(name, nodes), connections });
	expect(error).toBeUndefined();
	const { tools, toolAnswers } = model.lastRequest;
	return { known: tools[0], response: toolAnswers.join().replaceAll('\\"', '"') };
}

const CREATE = createParameters(templateBy('SITE-SAFETY'), {
	responses: mapColumns({ result: fromAi('Result') }),
});
const [KNOWN] = sandbox.store.inspections(sandbox.tenants.north.organization.id);
const inspectionId = fromAi('ID');
const GET = {
	resource: 'inspection',
	operation: 'get',
	output: 'row',
	inspectionId: { __rl: true, mode: 'id', value: inspectionId },
};
const GET_MANY = getManyParameters({
	returnAll: true,
	output: 'raw',
	options: { include: ['data', 'files'] },
	filters: { updatedAfter: fromAi('Since') },
});
const GET_TEMPLATE = {
	resource: 'template',
	operation: 'get',
	output: 'questions',
	templateId: templateBy(fromAi('Template')),
};
const DOWNLOAD = { resource: 'file', operation: 'download', inspectionId };
/** The expected response to a wrong answer. It also names the required questions that the model didn't answer. */
const REFUSED =
	/"Perhaps" isn't one of its choices: Pass \| Fail \| N\/A.*"Site name": required.*"Date": required/s;
/** The expected response to a tool call that returns more than a model can read. */
const SHORTENED = /^(?=.{1000,20000}$).*"left_out":"\d+ of \d+ items were left out/s;

it.each<[description: string, JsonRecord, args: JsonRecord, answer: string | RegExp]>([
	['Create an inspection', CREATE, { Result: 'Perhaps' }, REFUSED],
	['Get a template', GET_TEMPLATE, { Template: 'site-safety' }, 'site_name'],
	['Get an inspection', GET, { ID: KNOWN?.id ?? '' }, KNOWN?.name ?? ''],
	['Get many inspections', GET_MANY, { Since: '2020-01-01' }, SHORTENED],
	['Download a file', DOWNLOAD, { ID: 'none' }, 'File'],
])(
	'"%s" returns its result to the model, or what is wrong with the arguments',
	async (description, parameters, args, answer) => {
		const { known, response } = await callTool('Use it', parameters, args);
		const properties = Object.fromEntries(
			Object.keys(args).map((name) => [name, { type: 'string', description: `The ${name}` }]),
		);
		expect(known).toMatchObject({
			name: 'Use_it',
			description: `${description} in Inspection Service`,
			parameters: { properties },
		});
		expect(response).toMatch(answer);
	},
);

it('the example creates an inspection from findings in a conversation', async () => {
	model.callToolWith({
		Site_name: 'Roof',
		Date: '2026-05-04',
		Number_of_workers: 2,
		Result: 'fail',
		Comments: '',
		Findings: [
			{ Description: 'Loose tiles above the entrance', Severity: 'High' },
			{ Description: 'Blocked gutter on the east side', Severity: 'Low' },
		],
	});
	const example = await imported('inspection-by-agent', { model: modelCredential });
	expect((await runSaved(example)).error).toBeUndefined();
	const [tool] = model.lastRequest.tools;
	expect(tool?.description).toMatch(/^Creates one inspection from the template/);
	expect(Object.keys(Object(tool?.parameters['properties'])).toSorted()).toEqual([
		'Comments',
		'Date',
		'Findings',
		'Number_of_workers',
		'Result',
		'Site_name',
	]);
	const made = sandbox.store.inspections().find(({ name }) => name === 'Roof, 2026-05-04');
	expect(storedAnswers(sandbox, made?.id, 'fieldId')).toEqual({
		site_name: 'Roof',
		walk_date: '2026-05-04T00:00:00.000Z',
		workers: 2,
		result: 'Fail',
		hazard_description: 'Loose tiles above the entrance',
		hazard_severity: 'High',
		'hazard_description:2': 'Blocked gutter on the east side',
		'hazard_severity:2': 'Low',
	});
	expect(model.lastRequest.toolAnswers[0]).toContain(made?.id);
});
