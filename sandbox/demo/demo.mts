/** `npm run demo`: the connector at work, in a real n8n, on a local Inspection Service. */
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { Command } from 'commander';
import getPort from 'get-port';

import { onStop, runCommand, UsageError, wholeNumber } from '../commandLine.mts';
import versions from '../n8n/versions.json' with { type: 'json' };
import { CONTROL_PREFIX } from '../service/controlRoutes.mts';
import { startSandbox } from '../service/sandbox.mts';
import { startChatSink } from './chatSink.mts';
import { formUrl, type PreparedDemo, prepareDemo } from './demoStage.mts';
import { playDemo } from './demoSteps.mts';
import { startMailSink } from './mailSink.mts';
import { OWNER } from './n8nClient.mts';
import { startN8n } from './n8nServer.mts';
import { packConnector } from './packedConnector.mts';
import { PROJECT, RUNS } from './projectPaths.mts';

/** n8n's own. */
const EDITOR_PORT = 5678;
const FOLDER = join(RUNS, 'demo');

const command = new Command('npm run demo --')
	.description(
		'The connector at work: a local Inspection Service, a real n8n with the packed connector, workflows at work.',
	)
	.option('--once', 'show it, report and exit: 0 if every step held, 1 otherwise')
	.option(
		'--port <number>',
		`port of n8n's editor (default ${String(EDITOR_PORT)}; with --once any free one)`,
		wholeNumber(1, 65_535),
	)
	.addHelpText(
		'after',
		'\nEvery start begins afresh: what was built in the editor before is gone, export it first.',
	);

/** @throws UsageError where the wanted port is taken */
async function editorPort(wanted: number | undefined): Promise<number> {
	const port = await getPort({ host: '127.0.0.1', port: wanted ?? [] });
	if (wanted === undefined || port === wanted) return port;
	throw new UsageError(
		`port ${String(wanted)} on 127.0.0.1 is taken: stop what uses it, or choose another with "npm run demo -- --port ${String(wanted + 1)}"`,
	);
}

/** Starts service, chat, mail and n8n, which end with the stack, and fills n8n. */
async function setStage(
	port: number,
	userFolder: string,
	stack: AsyncDisposableStack,
): Promise<PreparedDemo> {
	const sandbox = await startSandbox({ data: 'demo', control: true });
	stack.defer(() => sandbox.close());
	console.log(`demo: local Inspection Service at ${sandbox.apiUrl}`);
	const chat = await startChatSink();
	stack.defer(() => chat.close());
	const mail = await startMailSink();
	stack.defer(() => mail.close());
	const packed = await packConnector(join(FOLDER, 'package'));
	console.log(
		`demo: starting n8n ${versions.latest} with the packed connector (${String(Math.round(packed.size / 1000))} kB) ...`,
	);
	const n8n = await startN8n({ userFolder, fresh: true, tarball: packed.path, port });
	stack.defer(() => n8n.stop());
	const demo = await prepareDemo({ sandbox, chat, mail, n8n });
	console.log(`demo: n8n at ${n8n.url}, the example workflows imported\n`);
	return demo;
}

/** True when every step held. */
async function show(demo: PreparedDemo): Promise<boolean> {
	try {
		for await (const seen of playDemo(demo)) console.log(`  ✓ ${seen}`);
		return true;
	} catch (error) {
		console.log(`  ✗ ${error instanceof Error ? error.message : String(error)}`);
		return false;
	}
}

function describeOpen(demo: PreparedDemo): string {
	const { n8n, sandbox } = demo;
	const open = sandbox.store.inspections().find(({ status }) => status === 'new');
	return [
		'',
		`Editor    ${n8n.url}`,
		`Login     ${OWNER.email}   ${OWNER.password}`,
		`Files     ${relative(PROJECT, n8n.filesFolder)}`,
		`Form      ${formUrl(demo)}   what is sent is mailed, and told here`,
		`Service   ${sandbox.apiUrl}   API key ${sandbox.keys.north}`,
		'',
		'Finish another inspection and see the workflow tell it here, some seconds later:',
		`  curl ${sandbox.apiUrl}${CONTROL_PREFIX}/store/updateInspection -d '["${open?.id ?? ''}", {"status": "completed"}]'`,
		'',
		'Stop with Ctrl-C.',
		'',
	].join('\n');
}

/** Leaves it open to try, until n8n ends or the user stops it. */
async function stayOpen(demo: PreparedDemo): Promise<void> {
	demo.chat.inbox.onMessage = (text) => console.log(`chat: ${text}`);
	demo.mail.inbox.onMessage = ({ subject, to }) =>
		console.log(`mail to ${to.join(', ')}: ${subject}`);
	console.log(describeOpen(demo));
	await demo.n8n.ended;
}

await runCommand(async () => {
	const { once = false, port: wanted } = command.parse().opts<{ once?: boolean; port?: number }>();
	const port = await editorPort(wanted ?? (once ? undefined : EDITOR_PORT));
	await using stack = new AsyncDisposableStack();
	let exitCode = 130;
	onStop(async () => {
		console.log('\ndemo: stopping ...');
		await stack.disposeAsync();
		process.exit(exitCode);
	});
	const userFolder = join(FOLDER, String(port));
	const demo = await setStage(port, userFolder, stack);
	const held = await show(demo);
	exitCode = held ? 0 : 1;
	if (!once) {
		await stayOpen(demo);
		if (stack.disposed) return;
		throw new UsageError(`n8n has ended; what it printed is in ${demo.n8n.logFile}`);
	}
	await stack.disposeAsync();
	if (held) await rm(userFolder, { recursive: true, force: true });
	const failed = `demo: failed; n8n's log is ${demo.n8n.logFile}`;
	console.log(`\n${held ? 'demo: every step held' : failed}`);
	process.exitCode = exitCode;
});
