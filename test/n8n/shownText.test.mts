import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/service/sandbox.mts';
import { type Credential, executeNode } from '../harness/inspectionNodes.mts';
import { errorOf, executionClient } from './serviceClient.mts';

const HOSTILE = '<img src="https://elsewhere.example/x.png">\u001b[2J\nERROR forged line';
const PAGE = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 10 } as const;

let sandbox: Sandbox;
let credential: Credential;

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'empty' });
	credential = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
});

afterAll(async () => {
	await sandbox.close();
});

afterEach(() => {
	sandbox.faults.clear();
});

const expectHarmless = (shown: string | null | undefined) => {
	expect(shown).not.toMatch(/<img|\u001b|\n/);
};

test('an error shows the words of the service without its markup', async () => {
	sandbox.faults.add({ do: { kind: 'status', status: 400, body: { message: HOSTILE } } });
	const error = await errorOf((await executionClient(credential)).listInspections(PAGE));
	expect(error.message).toContain('‹img src="https://elsewhere.example/x.png"> [2J ERROR forged');
	expectHarmless(error.message);
	expectHarmless(error.description);
});

test('so do the errors and hints of an execution, whatever the items hold', async () => {
	const template = sandbox.store.addTemplate({
		name: 'Ladder',
		controls: [{ type: 'radio', label: 'Safe?', choices: ['Yes', 'No'] }],
	});
	const create = async (item: Record<string, string>) =>
		await executeNode({
			credential,
			items: [item],
			parameters: {
				resource: 'inspection',
				operation: 'create',
				templateId: { __rl: true, mode: 'id', value: template.id },
				responses: { mappingMode: 'autoMapInputData', value: null },
			},
		});
	const error: unknown = await create({ 'Safe?': HOSTILE }).catch((thrown: unknown) => thrown);
	if (!(error instanceof Error)) throw new Error(String(error));
	expect(error.message).toContain('forged line');
	expectHarmless(error.message);

	const { hints } = await create({ 'Safe?': 'Yes', [HOSTILE]: 'x' });
	const [hint] = hints;
	expect(hint?.message).toContain('&lt;img src=');
	expectHarmless(hint?.message);
});
