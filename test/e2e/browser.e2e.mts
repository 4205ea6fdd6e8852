/** What a person meets in n8n's editor. Screenshots land in SCREENSHOTS (default .local/screenshots). */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { text } from '#harness/controls.mts';
import {
	createParameters,
	getManyParameters,
	MAP_AUTOMATICALLY,
	templateBy,
	templateById,
} from '#harness/nodeParameters.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { LOCAL, RUNS } from '#scripts/projectPaths.mts';
import {
	ACTION_TYPE,
	actionNode,
	chain,
	type PlainNode,
	START,
	triggerNode,
} from './connectorWorkflow.mts';
import { CHROMIUM, Editor, hasChromium } from './editorPage.mts';

const SCREENSHOTS = process.env['SCREENSHOTS'] ?? join(LOCAL, 'screenshots');
const ROW = {
	Site: 'Gate 4',
	When: '2026-05-31',
	People: 12,
	Outcome: 'Pass',
	Gear: 'Helmet, Gloves',
};

if (!hasChromium()) {
	console.error(
		`browser: ${CHROMIUM} is missing, so the editor is not looked at. Debian: apt-get install chromium`,
	);
}

describe.skipIf(!hasChromium())('the editor', () => {
	let sandbox: Sandbox;
	let n8n: N8nServer;
	let editor: Editor;

	beforeAll(async () => {
		await rm(SCREENSHOTS, { recursive: true, force: true });
		sandbox = await startSandbox({ data: 'demo' });
		const packed = await packConnector(join(RUNS, 'browser'));
		n8n = await startN8n({
			userFolder: join(RUNS, 'browser', 'n8n'),
			fresh: true,
			tarball: packed.path,
		});
		editor = await Editor.open(n8n.url, SCREENSHOTS);
	});

	afterAll(async () => {
		await editor?.close();
		await n8n?.stop();
		await sandbox?.close();
	});

	const workflowOf = async (...nodes: PlainNode[]) =>
		(await n8n.client.createWorkflow(chain('Safety walks', nodes))).id;
	/** Draws the nodes one behind the other, and opens the last one. */
	const openLast = async (...nodes: PlainNode[]) => {
		await editor.openWorkflow(await workflowOf(...nodes));
		await editor.openNode(nodes.at(-1)?.name ?? '');
	};
	/** Switches Create Task on in the open node and saves: the parameters are saved as the editor has made them. */
	const savedWithTask = async (workflowId: string) => {
		const { page } = editor;
		const saving = page.waitForRequest(
			(request) =>
				request.method() === 'PATCH' && request.url().endsWith(`/workflows/${workflowId}`),
		);
		await editor.parameter('createTask').locator('.el-switch').click();
		await editor.closeNode();
		await page.keyboard.press('Control+s');
		const { nodes } = (await saving).postDataJSON() as { nodes: PlainNode[] };
		const parameters = nodes.find((node) => node.name === 'Create')?.parameters;
		expect(parameters).toMatchObject({ createTask: true });
		return parameters;
	};
	const savedKey = async (key: string) =>
		await n8n.client.createCredential('Sandbox', 'inspectionServiceApi', {
			baseUrl: sandbox.apiUrl,
			apiKey: key,
		});

	test('a new user: add the node, make the credential, pick a template, map, execute', async () => {
		await editor.openWorkflow(await workflowOf(START, rows()));
		await editor.addNodeBehind(
			'Rows',
			'inspection',
			'Inspection Service',
			'Create inspection from a template',
		);
		const { page } = editor;
		expect(await page.getByTestId('resource-mapper-container').count()).toBe(0);

		await page.getByTestId('node-credentials-empty-state').getByRole('button').first().click();
		expect(await editor.parameter('createPath').count()).toBe(0);
		await editor.parameter('baseUrl').locator('input').fill(`${n8n.url}`);
		await editor.parameter('apiKey').locator('input').fill('wrong');
		await page.getByTestId('credential-save-button').click();
		await page.getByText('More details').click();
		await page.getByText(/The response was a web page/).waitFor();
		await editor.screenshot('credential-web-page');
		await editor.parameter('baseUrl').locator('input').fill(sandbox.apiUrl);
		await page.getByTestId('credential-save-button').click();
		await page.getByText(/refused the API key \(401\)/).waitFor();
		await editor.screenshot('credential-wrong-key');
		await editor.parameter('apiKey').locator('input').fill(sandbox.keys.north);
		await page.getByTestId('credential-save-button').click();
		await page.getByTestId('editCredential-modal').waitFor({ state: 'hidden' });

		const list = await editor.openTemplateList();
		await list.filter({ hasText: 'Site safety walk' }).waitFor();
		await editor.screenshot('template-list');
		await list.filter({ hasText: 'Site safety walk' }).click();
		await editor.parameter('site_name').waitFor();

		await page.getByTestId('execute-previous-node').click();
		await editor.mapByDrag('Site', 'site_name');
		await editor.mapByDrag('When', 'walk_date');
		await editor.mapByDrag('Outcome', 'result');
		await editor.mapByDrag('Gear', 'ppe');
		await editor.screenshot('create-mapping');

		const before = new Set(sandbox.store.inspections().map(({ id }) => id));
		await editor.execute();
		await editor.output.getByText('unstored_responses').first().waitFor();
		await editor.screenshot('create-output');
		const [made] = sandbox.store.inspections().filter(({ id }) => !before.has(id));
		expect(made?.answers.map(({ value }) => value)).toEqual([
			'Gate 4',
			'2026-05-31T00:00:00.000Z',
			'Pass',
			['Helmet', 'Gloves'],
		]);
	});

	test('a repeated section says where its questions belong, and takes a dragged list as it is', async () => {
		const key = await savedKey(sandbox.keys.north);
		const Hazards = [
			{ Description: 'Loose cable', Severity: 'High' },
			{ Description: 'Wet floor', Severity: 'Low' },
		];
		const row = rows({ ...ROW, Hazards });
		await openLast(START, row, createNode(key, 'SITE-SAFETY'));
		const { page } = editor;
		await editor.details.getByText('Hazards › Severity', { exact: true }).waitFor();
		expect(await editor.parameter('section:hazards').count()).toBe(0);
		await page.getByTestId('add-fields-select').click();
		await editor.details.getByText('Hazards (list, one entry each)', { exact: true }).waitFor();
		await page.getByTestId('execute-previous-node').click();
		await editor.mapByDrag('Site', 'site_name');
		await editor.mapByDrag('When', 'walk_date');
		await editor.mapByDrag('Outcome', 'result');
		await editor.mapByDrag('Hazards', 'section:hazards');
		await editor.screenshot('create-repeated-section');
		const before = new Set(sandbox.store.inspections().map(({ id }) => id));
		await editor.execute();
		await editor.output.getByText('unstored_responses').first().waitFor();
		const [made] = sandbox.store.inspections().filter(({ id }) => !before.has(id));
		expect(made?.answers.map(({ value }) => value)).toEqual(
			expect.arrayContaining(['Loose cable', 'High', 'Wet floor', 'Low']),
		);
	});

	test('labels that are not unique come first, and say where they stand', async () => {
		const key = await savedKey(sandbox.keys.north);
		await openLast(START, createNode(key, 'DUPLICATES'));
		await editor.details.getByText('Comment (Kitchen)', { exact: true }).waitFor();
		await editor.details.getByText('Machines › Comment', { exact: true }).waitFor();
		await editor.screenshot('create-same-labels');
	});

	test('a long template shows the same 50 questions, also after a first try that failed', async () => {
		const key = await savedKey(sandbox.keys.north);
		const { page } = editor;
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'status', status: 403 } });
		await openLast(START, createNode(key, 'BIG-900'));
		const again = editor.details.getByText('Retry', { exact: true });
		await again.waitFor();
		await page.getByTestId('empty-fields-notice').getByText(/403/).waitFor();
		await editor.screenshot('create-first-try-failed');
		sandbox.faults.clear();
		await again.click();
		await editor.questions.nth(49).waitFor();
		expect(await editor.questions.count()).toBe(50);
		await page.getByText('Of a long template 50 questions are shown').scrollIntoViewIfNeeded();
		await editor.screenshot('create-long-template');
	});

	test('a template that was never used is found by its identifier', async () => {
		const key = await savedKey(sandbox.keys.north);
		const create = createNode(key, '');
		create.parameters['templateId'] = { __rl: true, mode: 'list', value: '' };
		await openLast(START, create);
		await (await editor.openTemplateList()).filter({ hasText: '(SITE-SAFETY)' }).waitFor();
		await editor.page.getByTestId('rlc-search').fill('big-900');
		await editor.page.getByTestId('rlc-item').getByText('Annual audit (BIG-900)').waitFor();
		await editor.screenshot('template-by-identifier');
	});

	test('an inspection and its file are chosen from lists', async () => {
		const key = await savedKey(sandbox.keys.north);
		const chosen = { __rl: true, mode: 'list', value: '' };
		const template = sandbox.store.inspections()[0]?.templateId ?? '';
		sandbox.store.addInspection({
			template,
			name: 'Gate 4 with photo',
			files: [{ name: 'gate.jpg', kind: 'image' }],
		});
		const file = actionNode(
			key,
			{ resource: 'file', operation: 'getUrl', inspectionId: chosen, fileId: chosen },
			'File',
		);
		await openLast(START, file);
		const inspections = await editor.openList('inspectionId');
		await inspections.filter({ hasText: 'Gate 4 with photo' }).click();
		await (await editor.openList('fileId')).filter({ hasText: 'gate.jpg (image)' }).click();
		await editor.screenshot('file-from-lists');
		await editor.execute();
		await editor.output.getByText('inspection_id').first().waitFor();
	});

	test.each([
		['GONE', /was not found.*another organization/],
		['EMPTY', /no questions/],
	])('the template %s says what is wrong and what to do', async (identifier, notice) => {
		const key = await savedKey(sandbox.keys.north);
		await openLast(START, createNode(key, identifier));
		await editor.page.getByTestId('empty-fields-notice').getByText(notice).waitFor();
		await editor.screenshot(`create-template-${identifier.toLowerCase()}`);
	});

	test.each([
		['GONE', 'gone'],
		['={{ $json.template }}', 'unknown-yet'],
	])('a saved mapping stays while the template is %s', async (identifier, name) => {
		const key = await savedKey(sandbox.keys.north);
		const value = { saved: '={{ $json.site }}' };
		const column = { id: 'saved', displayName: 'Saved question', type: 'string' };
		const schema = [{ ...column, required: false, defaultMatch: false, display: true }];
		const responses = { mappingMode: 'defineBelow', value, schema };
		const id = await workflowOf(START, createNode(key, identifier, responses));
		await editor.openWorkflow(id);
		await editor.openNode('Create');
		const { page } = editor;
		await page.waitForLoadState('networkidle');
		await page.getByText('$json.site').waitFor();
		await editor.screenshot(`create-mapping-kept-${name}`);
		expect(await savedWithTask(id)).toMatchObject({ responses: { value } });
	});

	test('a question that is gone keeps its mapping, and the run names it', async () => {
		const key = await savedKey(sandbox.keys.north);
		const controls = [text('Wind', 'wind'), text('Temperature', 'temperature')];
		const { id: template } = sandbox.store.addTemplate({ name: 'Weather', controls });
		const value = { wind: '={{ $json.Wind }}', temperature: '={{ $json.Temperature }}' };
		const column = {
			type: 'string',
			required: false,
			defaultMatch: false,
			display: true,
			template,
		};
		const schema = [
			{ ...column, id: 'wind', displayName: 'Wind' },
			{ ...column, id: 'temperature', displayName: 'Temperature' },
		];
		const responses = { mappingMode: 'defineBelow', value, schema };
		const parameters = createParameters(templateById(template), { responses });
		const row = rows({ Wind: 3, Temperature: 20 });
		sandbox.store.updateTemplate(template, { controls: [text('Wind', 'wind')] });
		const id = await workflowOf(START, row, actionNode(key, parameters, 'Create'));
		await editor.openWorkflow(id);
		await editor.openNode('Create');
		await editor.details.getByText('(gone) Temperature', { exact: true }).waitFor();
		await editor.execute();
		await editor.output
			.getByText(/"\(gone\) Temperature": 20 cannot be sent/)
			.first()
			.waitFor();
		await editor.screenshot('create-question-gone');
		expect(await savedWithTask(id)).toMatchObject({ responses: { value } });
	});

	test('an unpublished template shows its questions, and creating says that it is not published', async () => {
		const key = await savedKey(sandbox.keys.north);
		const create = createNode(key, 'DRAFT');
		create.parameters['options'] = { validateResponses: false };
		await openLast(START, create);
		await editor.execute();
		await editor.output
			.getByText(/published and not disabled/)
			.first()
			.waitFor();
		await editor.screenshot('create-template-draft');
	});

	test('a key that may not list: the template list says so', async () => {
		const key = await savedKey(sandbox.keys.noList);
		await openLast(START, createNode(key, ''));
		await editor.templateLocator.getByTestId('rlc-mode-selector').click();
		await editor.page.getByTestId('mode-list').click();
		await editor.templateLocator.getByTestId('rlc-input').click();
		await editor.page
			.getByText(/may not|permission/i)
			.first()
			.waitFor();
		await editor.screenshot('template-list-no-permission');
	});

	test('a list that takes long says what needs none', async () => {
		const key = await savedKey(sandbox.keys.north);
		const node = actionNode(key, { resource: 'inspection', operation: 'create' }, 'Create');
		await openLast(START, node);
		const slow = { on: { operation: 'listInspections' }, do: { kind: 'hang' } } as const;
		const fault = sandbox.faults.add(slow);
		await editor.templateLocator.getByTestId('rlc-input').click();
		await editor.page.getByText('"By ID" and "By Identifier" need no list').waitFor();
		fault.remove();
	});

	test('an error names the question, the value and what would be right', async () => {
		const key = await savedKey(sandbox.keys.north);
		const bad = rows({ 'Site name': 'Gate 4', Date: '2026-05-31', Result: 'Maybe' });
		const create = createNode(key, 'SITE-SAFETY', MAP_AUTOMATICALLY);
		await openLast(START, bad, create);
		await editor.execute();
		await editor.output
			.getByText(/"Result": "Maybe" is not among its choices/)
			.first()
			.waitFor();
		await editor.screenshot('create-error');
	});

	test('several problems of a row are a list', async () => {
		const key = await savedKey(sandbox.keys.north);
		const bad = rows({ Date: 'soon', Result: 'Maybe', 'Number of workers': 'many' });
		const create = createNode(key, 'SITE-SAFETY', MAP_AUTOMATICALLY);
		await openLast(START, bad, create);
		await editor.execute();
		await editor.output.getByText('4 problems with this row').first().waitFor();
		await editor.output.locator('li', { hasText: '"Site name": required' }).first().waitFor();
		expect(await editor.output.locator('li', { hasText: '"Date": "soon"' }).count()).toBe(1);
		await editor.screenshot('create-problems');
	});

	test('the node as a tool says how a model chooses', async () => {
		const key = await savedKey(sandbox.keys.north);
		const tool = { ...createNode(key, 'SITE-SAFETY'), type: `${ACTION_TYPE}Tool` };
		await openLast(START, tool);
		const notice = editor.details.getByText(/has no button to let the model fill it/);
		await notice.waitFor();
		await notice.scrollIntoViewIfNeeded();
		await editor.screenshot('tool-choice');
	});

	test('rows of Get Many fill the table', async () => {
		const key = await savedKey(sandbox.keys.north);
		const getMany = actionNode(
			key,
			getManyParameters({
				limit: 5,
				filters: { templateId: templateBy('SITE-SAFETY') },
				output: 'row',
			}),
			'Get many',
		);
		await openLast(START, getMany);
		await editor.execute();
		await editor.output.getByText('Number of workers').first().waitFor();
		await editor.output.getByText(/Append or Update Row/).waitFor();
		await editor.output.getByText('Number of workers').first().scrollIntoViewIfNeeded();
		await editor.screenshot('get-many-rows');
	});

	test('the sections and columns of a template are chosen from lists', async () => {
		const key = await savedKey(sandbox.keys.north);
		const chosen = { __rl: true, mode: 'list', value: '' };
		const getMany = (options: JsonRecord) =>
			actionNode(
				key,
				getManyParameters({
					limit: 5,
					filters: { templateId: templateBy('SITE-SAFETY') },
					output: 'row',
					options,
				}),
				'Get many',
			);
		await openLast(START, getMany({ rowPerInstanceOf: chosen, fields: [] }));
		const sections = await editor.openList('rowPerInstanceOf');
		const columns = editor.page.waitForResponse(
			async (response) =>
				response.url().endsWith('/dynamic-node-parameters/options') &&
				(await response.text()).includes('"instance"'),
		);
		await sections.filter({ hasText: 'Hazards' }).click();
		await columns;
		await editor.parameter('fields').click();
		for (const name of ['instance', 'Severity', 'name']) {
			await editor.page.getByRole('option', { name, exact: true }).click();
		}
		await editor.screenshot('get-many-lists');
		await editor.page.keyboard.press('Escape');
		await editor.execute();
		await editor.output.getByText('Severity', { exact: true }).first().waitFor();
		const headers = await editor.output.locator('th').allInnerTexts();
		expect(headers.filter((header) => header !== '')).toEqual(['instance', 'Severity', 'name']);

		await openLast(START, getMany({ rowPerInstanceOf: 'Hazards', fields: 'name, Severity' }));
		const typed = editor.parameter('fields').locator('input');
		expect(await typed.inputValue()).toBe('name, Severity');
		await editor.screenshot('get-many-typed-fields');
	});

	test('the trigger fetches a test event: the newest match', async () => {
		const key = await savedKey(sandbox.keys.north);
		const trigger = triggerNode(key, {
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			filters: { status: ['completed'] },
		});
		await openLast(trigger);
		await editor.execute();
		await editor.output.getByText('updated_at').first().waitFor();
		await editor.details.getByText('Output', { exact: true }).last().scrollIntoViewIfNeeded();
		await editor.screenshot('trigger-test-event');
	});

	test('the icon is there in light and dark', async () => {
		const key = await savedKey(sandbox.keys.north);
		await editor.openWorkflow(await workflowOf(START, createNode(key, 'SITE-SAFETY')));
		const icon = editor.canvasNode('Create').locator('img').first();
		for (const colorScheme of ['light', 'dark'] as const) {
			await editor.page.emulateMedia({ colorScheme });
			await icon.waitFor();
			expect(await icon.getAttribute('src')).toContain('inspectionService');
			expect(await icon.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBeGreaterThan(0);
		}
		await editor.page.emulateMedia({ colorScheme: 'light' });
		await editor.screenshot('canvas');
	});

	test('every picture is made in light and in dark', async () => {
		const made = (await readdir(SCREENSHOTS)).filter((name) => name.endsWith('.png'));
		const light = made.filter((name) => !name.endsWith('-dark.png'));
		expect(light.length).toBeGreaterThan(10);
		for (const name of light) {
			const inDark = await readFile(join(SCREENSHOTS, name.replace('.png', '-dark.png')));
			const inLight = await readFile(join(SCREENSHOTS, name));
			expect(inDark.equals(inLight), `${name} looks the same in dark`).toBe(false);
		}
	});
});

function rows(row: object = ROW): PlainNode {
	return {
		name: 'Rows',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify(row) },
	};
}

function createNode(
	credential: { id: string; name: string },
	identifier: string,
	responses: JsonValue = { mappingMode: 'defineBelow', value: null },
): PlainNode {
	return actionNode(credential, createParameters(templateBy(identifier), { responses }), 'Create');
}
