/** Tests n8n's editor in a browser, and takes the screenshots for `npm run pictures`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { radio, text } from '#harness/controls.mts';
import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import {
	createParameters,
	getManyParameters,
	MAP_AUTOMATICALLY,
	templateBy,
	templateById,
} from '#harness/nodeParameters.mts';
import { EXAMPLE_NODES, EXAMPLE_SHEETS, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import type { WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import { recordIn } from '#sandbox/demo/n8nExecution.mts';
import type { N8nServer } from '#sandbox/demo/n8nServer.mts';
import type { JsonRecord, JsonValue } from '#sandbox/json.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { SCREENSHOTS } from '#scripts/projectPaths.mts';
import { freshN8n, saveCredential } from './connectedN8n.mts';
import {
	ACTION_TYPE,
	actionNode,
	chain,
	type PlainNode,
	type SavedCredential,
	setNode,
	START,
	triggerNode,
} from './connectorWorkflow.mts';
import { CHROMIUM, Editor, hasChromium } from './editorPage.mts';
import {
	addFilledWalks,
	type CreateChanges,
	csv,
	findings,
	findingsExample,
} from './filledWalks.mts';

const ROW = {
	Site: 'Gate 4',
	When: '2026-05-31',
	People: 12,
	Outcome: 'Pass',
	Gear: 'Helmet, Gloves',
};
const row = (fields: object = ROW) => setNode('Row', JSON.stringify(fields));
const byHand = (value: JsonRecord | null, schema: JsonRecord[] = []): JsonRecord => ({
	mappingMode: 'defineBelow',
	value,
	schema,
});
/** The value of a resource locator in which the user hasn't chosen anything yet. */
const UNCHOSEN = { __rl: true, mode: 'list', value: '' };
/** How long to wait until n8n has saved a change. n8n applies a typed expression after a short pause. */
const PATIENCE = { timeout: 20_000, interval: 500 };
const SITE_SAFETY = templateBy('SITE-SAFETY');

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
		sandbox = await startSandbox({ data: 'demo' });
		n8n = await freshN8n('browser');
		editor = await Editor.open(n8n.url, SCREENSHOTS);
	});

	afterAll(async () => {
		await editor?.close();
		await n8n?.stop();
		await sandbox?.close();
	});

	/** Creates a workflow with these nodes in sequence, and opens it. Returns its ID. */
	const draw = async (...nodes: PlainNode[]) => {
		const { id } = await n8n.client.createWorkflow(chain('Safety walks', nodes));
		await editor.openWorkflow(id);
		return id;
	};
	/** Like `draw`, but also opens the panel of the last node. Returns the workflow's ID. */
	const open = async (...nodes: PlainNode[]) => {
		const id = await draw(...nodes);
		await editor.openNode(nodes.at(-1)?.name ?? '');
		return id;
	};
	const mapSiteDateAndResult = async () => {
		await editor.page.getByTestId('execute-previous-node').click();
		await editor.mapByDrag('Site', 'site_name');
		await editor.mapByDrag('When', 'walk_date');
		await editor.mapByDrag('Outcome', 'result');
	};
	/** Executes the Create node whose panel is open. Returns the answers of the created inspection. */
	const created = async () => {
		const before = new Set(sandbox.store.inspections().map(({ id }) => id));
		await editor.execute();
		await editor.output.getByText('unstored_responses').first().waitFor();
		const [made] = sandbox.store.inspections().filter(({ id }) => !before.has(id));
		return made?.answers.map(({ value }) => value);
	};

	test('leads a new user from an empty workflow to the first inspection', async () => {
		await draw(START, row());
		const action = 'Create an inspection';
		await editor.addNodeAfter('Row', 'inspection', 'Inspection Service', action);
		const { page } = editor;
		expect(await page.getByTestId('resource-mapper-container').count()).toBe(0);

		await page.getByTestId('node-credentials-empty-state').getByRole('button').first().click();
		expect(await editor.parameter('createPath').count()).toBe(0);
		const enter = async (parameter: string, value: string) => {
			await editor.parameter(parameter).locator('input').fill(value);
		};
		const save = async () => {
			await page.getByTestId('credential-save-button').click();
		};
		await enter('apiKey', 'wrong');
		await enter('baseUrl', 'https://inspections.example.com');
		await editor.screenshot('credential');
		await enter('baseUrl', n8n.url);
		await save();
		await page.getByText('More details').click();
		await page.getByText(/The response was a web page/).waitFor();
		await enter('baseUrl', sandbox.apiUrl);
		await save();
		await page.getByText(/refused the API key \(401\)/).waitFor();
		await enter('apiKey', sandbox.keys.north);
		await save();
		await page.getByTestId('editCredential-modal').waitFor({ state: 'hidden' });

		const list = await editor.openList('templateId');
		const walk = list.filter({ hasText: 'Site safety walk' });
		await walk.waitFor();
		await walk.click();
		await editor.parameter('site_name').waitFor();

		await mapSiteDateAndResult();
		await editor.mapByDrag('People', 'workers');
		await editor.mapByDrag('Gear', 'ppe');
		await editor.screenshot('create-mapping');
		const day = '2026-05-31T00:00:00.000Z';
		expect(await created()).toEqual(['Gate 4', day, 12, 'Pass', ['Helmet', 'Gloves']]);
	});

	describe('connected to the service', () => {
		let key: SavedCredential;
		beforeAll(async () => {
			key = await saveCredential(n8n.client, sandbox);
		});

		const createNode = (
			template: string,
			responses: JsonValue = byHand(null),
			name = 'Create',
		): PlainNode => actionNode(key, createParameters(templateBy(template), { responses }), name);
		const getManyNode = (options: JsonRecord = {}, filters: JsonRecord = {}) =>
			actionNode(
				key,
				getManyParameters({
					limit: 10,
					filters: { templateId: SITE_SAFETY, ...filters },
					output: 'row',
					options,
				}),
				'Get many',
			);
		/** Adds completed inspections that have an answer to every question. Returns a filter that matches only these. */
		const filledWalks = () => {
			const createdAfter = new Date().toISOString();
			addFilledWalks(sandbox);
			return { createdAfter };
		};

		test('shows the icon in light and dark, with the notices of each panel', async () => {
			const { page, details } = editor;
			const panels: Record<string, (string | RegExp)[]> = {
				DUPLICATES: ['Comment (Kitchen)', 'Machines › Comment'],
				GONE: [/was not found.*organization other than/],
				EMPTY: [/no questions/],
				'BIG-900': [/^Long templates show 50 questions/],
			};
			const tool = createNode('SITE-SAFETY', undefined, 'Tool');
			const nodes = Object.keys(panels).map((name) => createNode(name, undefined, name));
			await draw(START, ...nodes, { ...tool, type: `${ACTION_TYPE}Tool` });
			const icon = editor.canvasNode('GONE').locator('img').first();
			for (const colorScheme of ['dark', 'light'] as const) {
				await page.emulateMedia({ colorScheme });
				await icon.waitFor();
				expect(await icon.getAttribute('src')).toContain('inspectionService');
				const width = await icon.evaluate((image) => Reflect.get(image, 'naturalWidth'));
				expect(width).toBeGreaterThan(0);
			}

			panels['Tool'] = [/have a button that lets the model fill them/];
			for (const [name, words] of Object.entries(panels)) {
				await editor.openNode(name);
				for (const said of words) await details.getByText(said, { exact: true }).first().waitFor();
				await editor.closeNode();
			}
		});

		test('replaces the notice about a missing template once a template is chosen', async () => {
			await open(START, row(), createNode('GONE', MAP_AUTOMATICALLY));
			const { page } = editor;
			const notice = page.getByTestId('empty-fields-notice');
			await notice.getByText(/was not found/).waitFor();
			const identifier = page.getByTestId('resource-locator-templateId').getByTestId('rlc-input');
			await identifier.fill('SITE-SAFETY');
			await page.keyboard.press('Tab');
			await notice
				.getByText(/^Column names for Site safety walk: Site name \(required\)/)
				.waitFor();
		});

		test('shows the questions of another template in the agent’s tool after the refresh that its note names', async () => {
			const input = { credential: key, filesFolder: n8n.filesFolder };
			const example = await loadExample('inspection-by-agent', input);
			await editor.openWorkflow((await n8n.client.createWorkflow(example)).id);
			await editor.openNode('Create a site safety walk');
			const { page, details } = editor;
			await editor.parameter('site_name').waitFor();
			const identifier = page.getByTestId('resource-locator-templateId').getByTestId('rlc-input');
			await identifier.fill('EVERY-TYPE');
			await page.keyboard.press('Tab');
			// n8n keeps the questions of the previous template until the refresh.
			const answers = page.getByTestId('resource-mapper-container');
			await answers.getByTestId('action-toggle').first().click();
			const refresh = 'Refresh Question List';
			expect(await page.getByTestId('canvas').getByText(refresh).count(), 'in the note').toBe(1);
			await page.getByRole('menuitem', { name: refresh }).click();
			await details.getByText('(removed) Site name (required)', { exact: true }).waitFor();
			expect(await editor.questions.count()).toBeGreaterThan(6);
		});

		test('shows each line of a list that explains why it’s empty, without cutting it off', async () => {
			const empty = await startSandbox({ data: 'empty' });
			onTestFinished(async () => await empty.close());
			const credentials = { [CREDENTIAL_TYPE]: await saveCredential(n8n.client, empty) };
			const parameters = { resource: 'inspection', operation: 'create', templateId: UNCHOSEN };
			const longest = 'a template whose name is longer than the list is wide';
			for (const [typed, node] of [
				['', { ...actionNode(key, parameters, 'Empty'), credentials }],
				[longest, actionNode(key, parameters, 'Filtered')],
			] as const) {
				await open(START, node);
				const entries = await editor.openList('templateId');
				await editor.page.getByTestId('rlc-search').fill(typed);
				await entries.filter({ hasText: /^No (?:inspections yet|template matches)/ }).waitFor();
				for (const entry of await entries.all()) {
					const cut = await entry.locator('xpath=descendant-or-self::*').evaluateAll((parts) =>
						parts.some((part) => {
							const width = Number(Reflect.get(part, 'clientWidth'));
							return width > 0 && Number(Reflect.get(part, 'scrollWidth')) > width;
						}),
					);
					expect(cut, await entry.innerText()).toBe(false);
				}
			}
		});

		const wrong = { 'Site name': 'Gate 4', Date: '2026-05-31', Result: 'Maybe' };
		const everyMinute = { pollTimes: { item: [{ mode: 'everyMinute' }] } };

		test.each<[string, () => PlainNode[], (string | RegExp)[]]>([
			[
				'create-error: the question with the right values',
				() => [START, row(wrong), createNode('SITE-SAFETY', MAP_AUTOMATICALLY)],
				[/"Result": "Maybe" isn't one of its choices/],
			],
			[
				'create-problems: the list of problems',
				() => [START, row({ Result: 'Maybe' }), createNode('SITE-SAFETY', MAP_AUTOMATICALLY)],
				['3 problems in this row', /^"Site name": required/, /^"Result": "Maybe"/],
			],
			[
				'get-many-rows: the table with a hint',
				() => [START, getManyNode({}, filledWalks())],
				[/Append or Update Row/, 'Number of workers'],
			],
			[
				'trigger-test-event: the newest match',
				() => [
					triggerNode(key, {
						...everyMinute,
						event: 'completed',
						filters: { templateId: SITE_SAFETY },
					}),
				],
				['updated_at', 'completed'],
			],
		])('shows %s after a run', async (title, nodesOf, words) => {
			await open(...nodesOf());
			await editor.execute();
			for (const said of words) await editor.output.getByText(said).first().waitFor();
			const last = editor.output.getByText(words.at(-1) ?? '').first();
			await last.scrollIntoViewIfNeeded();
			await editor.screenshot(/^[\w-]+/.exec(title)?.[0] ?? '');
		});

		/**
		 * Imports the example with a sheet of findings, and changes parameters of its Create node. Returns the workflow's
		 * ID.
		 */
		const imported = async (changes: CreateChanges = {}) => {
			const { filesFolder, client } = n8n;
			const input = { credential: key, filesFolder };
			return (await client.createWorkflow(await findingsExample(input, changes))).id;
		};
		const writeSheet = async (rows: readonly string[][]) => {
			await writeFile(join(n8n.filesFolder, EXAMPLE_SHEETS.findings), csv(rows));
		};

		test('runs an imported example from the sheet to the inspections', async () => {
			const { page, output } = editor;
			await writeSheet(findings());
			await editor.openWorkflow(await imported());
			await page.getByTestId('execute-workflow-button').click();
			await page.getByText('Workflow executed successfully').first().waitFor();
			await editor.screenshot('imported-example');

			const uniqueKey = '={{ $json.Walk }}';
			await editor.openWorkflow(await imported({ uniqueKey }));
			await editor.openNode(EXAMPLE_NODES.create);
			await page.getByTestId('execute-previous-node').click();
			await editor.showInputAsTable();
			await editor.execute();
			await output.getByText('F-003').first().waitFor();
			await editor.parameter('groupRowsBy').scrollIntoViewIfNeeded();
			await editor.movePanels(120);
			await editor.screenshot('create-grouping');
			await editor.movePanels(-120);
		});

		test('shows each inspection in Check Only, with the corrections that its rows need', async () => {
			await writeSheet([
				...findings('Hgih').slice(0, 5),
				['F-004', 'Quay 7', 'Wet floor', 'High', '31.2.2026', '7', 'Fail'],
			]);
			await editor.openWorkflow(await imported({ options: { checkOnly: true } }));
			await editor.openNode(EXAMPLE_NODES.create);
			await editor.page.getByTestId('execute-previous-node').click();
			await editor.showInputAsTable();
			await editor.execute();
			await editor.output.getByText(/Hgih/).first().waitFor();
			await editor.parameter('checkOnly').scrollIntoViewIfNeeded();
			await editor.movePanels(-90);
			await editor.screenshot('create-check-only');
			await editor.movePanels(90);
		});

		test('accepts a repeatable section as a list, as its questions explain', async () => {
			const Hazards = [
				{ Description: 'Loose cable', Severity: 'High' },
				{ Description: 'Wet floor', Severity: 'Low' },
			];
			await open(START, row({ ...ROW, Hazards }), createNode('SITE-SAFETY'));
			const { page, details } = editor;
			await details.getByText('Hazards › Severity', { exact: true }).waitFor();
			expect(await editor.parameter('section:hazards').count()).toBe(0);
			await page.getByTestId('add-fields-select').click();
			await details.getByText('Hazards (list of instances)', { exact: true }).waitFor();
			await mapSiteDateAndResult();
			await editor.mapByDrag('Hazards', 'section:hazards');
			expect(await created()).toEqual(
				expect.arrayContaining(['Loose cable', 'High', 'Wet floor', 'Low']),
			);
		});

		test('shows a choice from the service as literal text, never as an expression', async () => {
			const controls = [radio('Gap', 'gap', '=10 mm', '={{ $json.Site }}')];
			const { id } = sandbox.store.addTemplate({ name: 'Bolts', controls });
			const parameters = createParameters(templateById(id), { responses: byHand(null) });
			for (const choice of ['=10 mm', '={{ $json.Site }}']) {
				await open(START, row(), actionNode(key, parameters, 'Create'));
				await editor.parameter('gap').click();
				await editor.page.getByRole('option', { name: choice }).click();
				expect(await created()).toEqual([choice]);
			}
		});

		test('offers the sections and columns of a template in lists', async () => {
			const { page, output } = editor;
			await open(START, getManyNode({ rowPerInstanceOf: UNCHOSEN, fields: [] }));
			const sections = await editor.openList('rowPerInstanceOf');
			const columns = page.waitForResponse(
				async (response) =>
					response.url().endsWith('/dynamic-node-parameters/options') &&
					(await response.text()).includes('"instance"'),
			);
			await sections.filter({ hasText: 'Hazards' }).click();
			await columns;
			await editor.parameter('fields').click();
			for (const name of ['instance', 'Severity', 'name']) {
				await page.getByRole('option', { name, exact: true }).click();
			}
			await page.keyboard.press('Escape');
			await editor.execute();
			await output.getByText('Severity', { exact: true }).first().waitFor();
			const headers = await output.locator('th').allInnerTexts();
			expect(headers.filter((header) => header !== '')).toEqual(['instance', 'Severity', 'name']);
		});

		test('explains a list of templates that is forbidden or slow', async () => {
			const { page } = editor;
			const { noList } = sandbox.keys;
			const credentials = { [CREDENTIAL_TYPE]: await saveCredential(n8n.client, sandbox, noList) };
			const parameters = { resource: 'inspection', operation: 'create', templateId: UNCHOSEN };
			await open(START, { ...actionNode(key, parameters, 'Refused'), credentials });
			await editor.openLocator('templateId');
			const refusal = page.getByText(/may not|permission/i);
			await refusal.first().waitFor();

			const on = { operation: 'listInspections' } as const;
			const fault = sandbox.faults.add({ on, do: { kind: 'hang' } });
			await open(START, actionNode(key, parameters, 'Slow'));
			await editor.openLocator('templateId');
			await page.getByText("To skip the list, use 'By ID' or 'By Identifier'").waitFor();
			fault.remove();
		});

		/** Saves the workflow, like a user. Returns the parameters of Create that n8n saved. */
		const saved = async (id: string) => {
			await editor.page.keyboard.press('Control+s');
			const { nodes } = (await n8n.client.request('GET', `/workflows/${id}`)) as WorkflowFile;
			return recordIn(nodes.find(({ name }) => name === 'Create')?.['parameters']);
		};

		test('keeps the fields of Task, even if Create Task is false for the first row or retyped', async () => {
			const controls = [text('Wind', 'wind')];
			const { id: template } = sandbox.store.addTemplate({ name: 'Tasks', controls });
			const create = createParameters(templateById(template), {
				responses: MAP_AUTOMATICALLY,
				createTask: '={{ $json.Severity === "High" }}',
				task: { title: 'Mend the fence' },
			});
			const id = await open(START, row({ Severity: 'Low' }), actionNode(key, create, 'Create'));
			const { page, details, output } = editor;
			const expression = editor.parameter('createTask').locator('.cm-content');
			await expression.getByText('Severity').waitFor();
			await details.getByText('Title', { exact: true }).first().waitFor();

			await expression.click();
			await page.keyboard.press('Control+a');
			await page.keyboard.press('Delete');
			await page.keyboard.type('{{ $json.Severity === "Medium"');
			// Clicks elsewhere, because the field's pop-up would stay open.
			await output.click({ position: { x: 20, y: 20 } });
			await expect
				.poll(async () => await saved(id), PATIENCE)
				.toMatchObject({
					createTask: expect.stringContaining('"Medium"') as unknown,
					task: { title: 'Mend the fence' },
				});
		});

		test('keeps the mapping of a removed question, which the run reports', async () => {
			const { details, output } = editor;
			const controls = [text('Wind', 'wind')];
			const { id: template } = sandbox.store.addTemplate({ name: 'Weather', controls });
			const value = { wind: '={{ $json.Wind }}', temperature: '={{ $json.Temperature }}' };
			const schema = ['Wind', 'Temperature'].map((displayName) => ({
				id: displayName.toLowerCase(),
				displayName,
				type: 'string',
				required: false,
				defaultMatch: false,
				display: true,
				template,
			}));
			const responses = byHand(value, schema);
			const create = createParameters(templateById(template), { responses });
			const id = await open(
				START,
				row({ Wind: 3, Temperature: 20 }),
				actionNode(key, create, 'Create'),
			);
			await details.getByText('(removed) Temperature', { exact: true }).waitFor();
			await editor.execute();
			const told = output.getByText(/"\(removed\) Temperature": 20 can't be sent/);
			await told.first().waitFor();

			// Changes the node, because the editor only saves changed workflows.
			await editor.parameter('createTask').locator('.el-switch').click();
			await editor.closeNode();
			await expect
				.poll(async () => await saved(id), PATIENCE)
				.toMatchObject({ createTask: true, responses: { value } });
		});
	});
});
