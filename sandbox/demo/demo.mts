/** `npm run demo`: shows the connector in a real n8n with a local Inspection Service. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Command } from 'commander';
import getPort from 'get-port';

import { installN8n } from '#scripts/n8nInstallation.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { onStop, runCommand, UsageError, wholeNumber } from '../commandLine.mts';
import versions from '../n8n/versions.json' with { type: 'json' };
import { CONTROL_PREFIX } from '../service/controlRoutes.mts';
import { type DemoStage, setStage } from './demoStage.mts';
import { playDemo } from './demoSteps.mts';
import { freePort } from './freePort.mts';
import { OWNER } from './n8nClient.mts';
import { packConnector } from './packedConnector.mts';

/** n8n's default port. */
const EDITOR_PORT = 5678;
const FOLDER = join(RUNS, 'demo');

/** `--help` prints demo.help.txt before anything is installed (scripts/run.mjs). */
const command = new Command('npm run demo --')
	.option('--once')
	.option('--port <number>', '', wholeNumber(1, 65_535));

/** Returns the wanted port, or any free port if none is wanted. @throws UsageError if the wanted port is taken */
async function editorPort(wanted: number | undefined): Promise<number> {
	if (wanted === undefined) return await freePort();
	if ((await getPort({ host: '127.0.0.1', port: wanted })) === wanted) return wanted;
	throw new UsageError(
		`port ${String(wanted)} on 127.0.0.1 is in use: stop the program that uses it, or choose another port with "npm run demo -- --port ${String(wanted + 1)}"`,
	);
}

/** Runs the demo's steps and prints their results. Returns whether every step succeeded. */
async function show(demo: DemoStage): Promise<boolean> {
	try {
		for await (const seen of playDemo(demo)) console.log(`  ✓ ${seen}`);
		return true;
	} catch (error) {
		console.log(`  ✗ ${error instanceof Error ? error.message : String(error)}`);
		return false;
	}
}

function describeOpen(demo: DemoStage): string {
	const { n8n, sandbox, formUrl } = demo;
	const open = sandbox.store.inspections().find(({ status }) => status === 'new');
	return [
		'',
		`Editor    ${n8n.url}`,
		`Login     ${OWNER.email}   ${OWNER.password}`,
		`Files     ${n8n.filesFolder}`,
		`Form      ${formUrl}   sends an email, which is also shown here`,
		`Service   ${sandbox.apiUrl}   API key ${sandbox.keys.north}`,
		'',
		'Complete another inspection. The workflow reports it here a few seconds later:',
		`  curl ${sandbox.apiUrl}${CONTROL_PREFIX}/store/updateInspection -d '["${open?.id ?? ''}", {"status": "completed"}]'`,
		'',
		'Stop with Ctrl-C.',
		'',
	].join('\n');
}

/** Keeps the demo running until n8n ends or the user stops it. */
async function stayOpen(demo: DemoStage): Promise<void> {
	demo.chat.inbox.onMessage = (text) => console.log(`chat: ${text}`);
	demo.mail.inbox.onMessage = ({ subject, to }) =>
		console.log(`email to ${to.join(', ')}: ${subject}`);
	console.log(describeOpen(demo));
	await demo.n8n.ended;
}

await runCommand(async () => {
	const { once = false, port: wanted } = command.parse().opts<{ once?: boolean; port?: number }>();
	const port = await editorPort(wanted ?? (once ? undefined : EDITOR_PORT));
	await installN8n('latest');
	await using stack = new AsyncDisposableStack();
	let exitCode = 130;
	onStop(async () => {
		console.log('\ndemo: stopping ...');
		await stack.disposeAsync();
		process.exit(exitCode);
	});
	const userFolder = join(FOLDER, String(port));
	const { path: tarball, size } = await packConnector(join(FOLDER, 'package'));
	const packed = `the packed connector (${String(Math.round(size / 1000))} kB)`;
	console.log(`demo: starting a local service, and n8n ${versions.latest} with ${packed} ...`);
	const demo = await setStage({ userFolder, fresh: true, tarball, port }, stack);
	console.log(`demo: n8n at ${demo.n8n.url}, with the example workflows\n`);
	const held = await show(demo);
	exitCode = held ? 0 : 1;
	if (!once) {
		await stayOpen(demo);
		if (stack.disposed) return;
		throw new UsageError(`n8n stopped. Its log: ${demo.n8n.logFile}`);
	}
	await stack.disposeAsync();
	if (held) await rm(userFolder, { recursive: true, force: true });
	const failed = `demo: failed. n8n's log: ${demo.n8n.logFile}`;
	console.log(`\n${held ? 'demo: every step succeeded' : failed}`);
	process.exitCode = exitCode;
});
