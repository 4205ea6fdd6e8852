/**
 * `npm run bench -- editorPanel`: measures how long n8n's editor takes to open the panel of a node whose template has
 * 900 questions. The baseline is a bare node, whose mapper reads the same columns from a file. The difference is caused
 * by the connector.
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mapperColumns } from '#harness/n8nEditor.mts';
import { templateBy } from '#harness/nodeParameters.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { actionNode, chain, type PlainNode, START } from '../test/e2e/connectorWorkflow.mts';
import { Editor } from '../test/e2e/editorPage.mts';
import { median } from './measurement.mts';

const FOLDER = join(RUNS, 'editor-panel');
/** The number of measured pairs. Each pair opens both nodes. One more pair before them warms up n8n and the browser. */
const PAIRS = 5;
/** The index of the last question that the panel of a long template shows (SHOWN_QUESTIONS - 1). */
const LAST_SHOWN = 49;

/** Returns the time in ms from the double click on the node until its panel shows question `LAST_SHOWN`. */
async function opening(editor: Editor, n8n: N8nServer, node: PlainNode): Promise<number> {
	const { id } = await n8n.client.createWorkflow(chain('Panel', [START, node]));
	await editor.openWorkflow(id);
	await editor.page.waitForLoadState('networkidle');
	const start = performance.now();
	await editor.openNode(node.name);
	await editor.questions.nth(LAST_SHOWN).waitFor();
	const ms = performance.now() - start;
	await editor.closeNode();
	return ms;
}

const sandbox = await startSandbox({ data: 'demo', demoInspections: 40 });
const extensions = join(FOLDER, 'extensions');
await rm(extensions, { recursive: true, force: true });
await mkdir(extensions, { recursive: true });
await cp(join(import.meta.dirname, 'bareMapper'), extensions, { recursive: true });
const { path: tarball } = await packConnector(FOLDER);
const n8n = await startN8n({
	userFolder: join(FOLDER, 'n8n'),
	fresh: true,
	tarball,
	env: { N8N_CUSTOM_EXTENSIONS: extensions },
});
try {
	const credential = await n8n.client.createCredential('Sandbox', 'inspectionServiceApi', {
		baseUrl: sandbox.apiUrl,
		apiKey: sandbox.keys.north,
	});
	const responses = { mappingMode: 'defineBelow', value: null };
	const create = { resource: 'inspection', operation: 'create', templateId: templateBy('BIG-900') };
	const connector = actionNode(credential, { ...create, responses }, 'Create');
	const fields = await mapperColumns(n8n.client, connector);
	await writeFile(join(extensions, 'columns.json'), JSON.stringify(fields));
	const bare = {
		name: 'Bare',
		type: 'CUSTOM.bareMapper',
		typeVersion: 1,
		parameters: { responses },
	};

	const times: { ours: number; bare: number }[] = [];
	const editor = await Editor.open(n8n.url, join(FOLDER, 'screenshots'));
	try {
		for (let pair = 0; pair <= PAIRS; pair++) {
			const time = {
				bare: await opening(editor, n8n, bare),
				ours: await opening(editor, n8n, connector),
			};
			if (pair > 0) times.push(time);
			console.error(
				`pair ${String(pair)}: bare ${time.bare.toFixed(0)} ms, ours ${time.ours.toFixed(0)} ms`,
			);
		}
	} finally {
		await editor.close();
	}
	const [ours, own] = [median(times.map((t) => t.ours)), median(times.map((t) => t.bare))];
	const list = (of: 'ours' | 'bare') => times.map((time) => time[of].toFixed(0)).join(', ');
	console.log(`${String(fields.length)} columns, ${String(JSON.stringify(fields).length)} bytes`);
	console.log(`bare mapper  median ${own.toFixed(0)} ms  (${list('bare')})`);
	console.log(`connector    median ${ours.toFixed(0)} ms  (${list('ours')})`);
	console.log(`on top of n8n's own time: ${((ours / own - 1) * 100).toFixed(0)} %`);
} finally {
	await n8n.stop();
	await sandbox.close();
}
