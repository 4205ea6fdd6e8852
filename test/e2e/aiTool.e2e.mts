/** The action node as a tool of n8n's AI Agent: what the model is told, and what its arguments become. */
import { afterAll, describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { mapperColumns } from '#harness/n8nEditor.mts';
import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { EXAMPLE_NODES, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import type { WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import { connectedN8n } from './connectedN8n.mts';
import { ACTION_TYPE, actionNode, credentialsOf, START } from './connectorWorkflow.mts';
import { startScriptedModel } from './scriptedModel.mts';
import { storedAnswers } from './storedAnswers.mts';

const AGENT = 'AI Agent';
const MODEL = 'Chat Model';

/** What "Let the model define this parameter" writes into a field. */
function fromAi(key: string, description: string, type: 'string' | 'number' = 'string'): string {
	return `={{ $fromAI('${key}', \`${description}\`, '${type}') }}`;
}

const { sandbox, n8n, credential } = await connectedN8n('ai-tool', {
	data: 'demo',
	demoInspections: 40,
});
const model = await startScriptedModel();
afterAll(() => model.close());
const modelCredential = await n8n.client.createCredential('Model', 'openAiApi', {
	apiKey: 'none',
	url: model.url,
});

describe('the node as a tool of an agent', () => {
	/** Start → agent, with the chat model and the connector's node as its tool. */
	function agentWorkflow(toolName: string, parameters: JsonRecord): WorkflowFile {
		const tool = {
			...actionNode(credential, parameters, toolName),
			type: `${ACTION_TYPE}Tool`,
		};
		const agent = {
			name: AGENT,
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: 'Do what the tool is for.', options: {} },
		};
		const chatModel = {
			name: MODEL,
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
			credentials: { openAiApi: modelCredential },
		};
		const to = (node: string, type: string) => [[{ node, type, index: 0 }]];
		return {
			name: toolName,
			nodes: [START, agent, chatModel, tool].map((node, index) => ({
				...node,
				id: node.name,
				position: [index * 220, 0],
			})),
			connections: {
				[START.name]: { main: to(AGENT, 'main') },
				[MODEL]: { ai_languageModel: to(AGENT, 'ai_languageModel') },
				[toolName]: { ai_tool: to(AGENT, 'ai_tool') },
			},
		};
	}

	async function runAgent(
		toolName: string,
		parameters: JsonRecord,
		args: JsonRecord,
	): Promise<Execution> {
		model.callToolWith(args);
		const { id } = await n8n.client.createWorkflow(agentWorkflow(toolName, parameters));
		const execution = await n8n.client.run(id, START.name);
		expect(execution.error).toBeUndefined();
		return execution;
	}

	it('creates an inspection from what the model says', async () => {
		const SITE_SAFETY = templateBy('SITE-SAFETY');
		const { fields } = await mapperColumns(n8n.client, {
			nodeType: `${ACTION_TYPE}Tool`,
			parameters: { resource: 'inspection', operation: 'create', templateId: SITE_SAFETY },
			credentials: credentialsOf(credential),
			path: 'parameters.responses',
			methodName: 'getQuestionColumns',
		});
		await runAgent(
			'Create a site safety walk',
			createParameters(SITE_SAFETY, {
				responses: {
					mappingMode: 'defineBelow',
					value: {
						site_name: fromAi('Site_name', 'Where the walk took place'),
						walk_date: fromAi('Date', 'Day of the walk, ISO 8601'),
						result: fromAi('Result', 'Pass, Fail or N/A'),
						workers: fromAi('Number_of_workers', 'How many people were there', 'number'),
					},
					matchingColumns: [],
					schema: fields,
				},
				additionalFields: { name: fromAi('Name', 'Short name of the inspection') },
			}),
			{
				Site_name: 'Dock 4',
				Date: '2026-05-04',
				Result: 'pass',
				Number_of_workers: 3,
				Name: 'Walk on Monday',
			},
		);

		const [tool] = model.tools;
		expect(tool?.name).toBe('Create_a_site_safety_walk');
		expect(tool?.description).toBe('Create inspection from a template in Inspection Service');
		expect(tool?.parameters).toMatchObject({
			type: 'object',
			properties: {
				Site_name: { type: 'string', description: 'Where the walk took place' },
				Result: { type: 'string', description: 'Pass, Fail or N/A' },
				Number_of_workers: { type: 'number' },
				Name: { type: 'string' },
			},
		});
		const [answer = ''] = model.toolAnswers;
		const made: unknown = JSON.parse(answer);
		expect(made).toMatchObject([
			{ name: 'Walk on Monday', warnings: '', unstored_responses: '', task_id: null },
		]);
	});

	it('tells the model what is wrong with an answer', async () => {
		await runAgent(
			'Create',
			createParameters(templateBy('SITE-SAFETY'), {
				responses: {
					mappingMode: 'defineBelow',
					value: { result: fromAi('Result', 'Pass, Fail or N/A') },
					matchingColumns: [],
					schema: [],
				},
			}),
			{ Result: 'Perhaps' },
		);
		// JSON, with its quotes escaped.
		const told = model.toolAnswers.join().replaceAll('\\"', '"');
		expect(told).toContain('"Perhaps" is not among its choices; possible: Pass | Fail | N/A');
		// What the model did not know to be required.
		expect(told).toContain('"Site name": required');
		expect(told).toContain('"Date": required');
	});

	it.each([
		[
			'Get',
			{ resource: 'template', operation: 'get' },
			'Get template by ID or identifier in Inspection Service',
		],
		[
			'URL',
			{ resource: 'file', operation: 'getUrl' },
			'Get file URL by inspection ID and file ID in Inspection Service',
		],
		[
			'File',
			{ resource: 'file', operation: 'download' },
			'Download file by inspection ID and file ID in Inspection Service',
		],
	])('is told to the model as what it does: %s', async (name, parameters, description) => {
		await runAgent(name, { ...parameters, output: fromAi('Output', 'Any') }, { Output: 'none' });
		expect(model.tools[0]?.description).toBe(description);
	});

	it('finds inspections by what the model asks for', async () => {
		await runAgent(
			'Find inspections',
			getManyParameters({
				limit: fromAi('Limit', 'How many at most', 'number'),
				filters: { updatedAfter: fromAi('Since', 'ISO 8601') },
			}),
			{ Limit: 2, Since: '2020-01-01' },
		);
		expect(model.tools[0]?.description).toBe(
			'Get many inspections by filter in Inspection Service',
		);
		const found: unknown = JSON.parse(model.toolAnswers[0] ?? '');
		expect(found).toHaveLength(2);
	});

	it('gets one inspection by the ID that the model gives, or says how far it looked', async () => {
		const get = {
			...{ resource: 'inspection', operation: 'get', output: 'row' },
			inspectionId: { __rl: true, mode: 'id', value: fromAi('ID', 'ID of the inspection') },
		};
		const [known] = sandbox.store.inspections(sandbox.tenants.north.organization.id);
		await runAgent('Get one', get, { ID: known?.id ?? '' });
		expect(model.tools[0]?.description).toBe('Get inspection by ID in Inspection Service');
		expect(model.toolAnswers[0]).toContain(known?.name);
		await runAgent('Get one', get, { ID: '00000000-0000-4000-8000-000000000000' });
		expect(model.toolAnswers[0]).toContain('The whole list was searched');
	});

	it('gets no more than it can read, and a sentence about the rest', async () => {
		await runAgent(
			'Get all',
			getManyParameters({
				...{ returnAll: true, output: 'raw', options: { include: ['data', 'files'] } },
				filters: { updatedAfter: fromAi('Since', 'ISO 8601') },
			}),
			{ Since: '2020-01-01' },
		);
		const [answer = ''] = model.toolAnswers;
		expect(answer.length).toBeLessThanOrEqual(20_000);
		const last: unknown = JSON.parse(answer);
		expect(last).toContainEqual({
			left_out: expect.stringMatching(/^\d+ of \d+ items were left out/) as string,
		});
	});

	it('the example creates an inspection with the findings that somebody tells', async () => {
		model.callToolWith({
			...{
				Site_name: 'Roof',
				Date: '2026-05-04',
				Number_of_workers: 2,
				Result: 'fail',
				Comments: '',
			},
			Findings: [
				{ Description: 'Loose tiles above the entrance', Severity: 'High' },
				{ Description: 'Blocked gutter on the east side', Severity: 'Low' },
			],
		});
		const example = await loadExample('inspection-by-agent', {
			...{ credential, filesFolder: n8n.filesFolder, model: modelCredential },
		});
		const { id } = await n8n.client.createWorkflow(example);
		const execution = await n8n.client.run(id, EXAMPLE_NODES.start);
		expect(execution.error).toBeUndefined();
		expect(model.tools[0]?.description).toMatch(/^Creates one inspection from the template/);
		expect(Object.keys(Object(model.tools[0]?.parameters['properties'])).toSorted()).toEqual(
			['Comments', 'Date', 'Findings', 'Number_of_workers', 'Result', 'Site_name'].toSorted(),
		);
		const made = sandbox.store.inspections().find(({ name }) => name === 'Roof, 2026-05-04');
		expect(storedAnswers(sandbox, made?.id, 'fieldId')).toEqual({
			...{ site_name: 'Roof', walk_date: '2026-05-04T00:00:00.000Z', workers: 2, result: 'Fail' },
			hazard_description: 'Loose tiles above the entrance',
			hazard_severity: 'High',
			'hazard_description:2': 'Blocked gutter on the east side',
			'hazard_severity:2': 'Low',
		});
		expect(model.toolAnswers[0]).toContain(made?.id);
	});

	it('reads a template that the model names', async () => {
		await runAgent(
			'Get questions',
			{
				resource: 'template',
				operation: 'get',
				templateId: { __rl: true, mode: 'identifier', value: fromAi('Template', 'Identifier') },
				output: 'questions',
			},
			{ Template: 'site-safety' },
		);
		expect(model.toolAnswers[0]).toContain('site_name');
	});
});
