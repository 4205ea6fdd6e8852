/** `npm run demo`: the connector at work, in a real n8n, on a local Inspection Service. */
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import versions from '../n8n/versions.json' with { type: 'json' };
import { CONTROL_PREFIX } from '../service/controlRoutes.mts';
import { startSandbox } from '../service/sandbox.mts';
import { startChatSink } from './chatSink.mts';
import { formUrl, type PreparedDemo, prepareDemo } from './demoStage.mts';
import {
	createFromFindings,
	createFromSheet,
	finishOne,
	keepAnswers,
	readAll,
	reportByForm,
} from './demoSteps.mts';
import { freePort, isPortFree } from './freePort.mts';
import { startMailSink } from './mailSink.mts';
import { OWNER } from './n8nClient.mts';
import { startN8n } from './n8nServer.mts';
import { packConnector } from './packedConnector.mts';
import { PROJECT, RUNS } from './projectPaths.mts';

/** n8n's own. */
const EDITOR_PORT = 5678;
const FOLDER = join(RUNS, 'demo');

const HELP = `The connector at work: a local Inspection Service, a real n8n with the packed connector, workflows at work.

  npm run demo [-- options]

  --once      show it, report and exit: 0 if every step held, 1 otherwise
  --port N    port of n8n's editor (default ${String(EDITOR_PORT)}; with --once any free one)
  --help      this text

Every start begins afresh: what was built in the editor before is gone, export it first.
`;

/** What the user can put right: printed as one line. */
class UsageError extends Error {}

interface DemoOptions {
	once: boolean;
	port: number;
}

async function readOptions(): Promise<DemoOptions | 'help'> {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			port: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return 'help';
	const { once, port } = values;
	if (port === undefined) return { once, port: once ? await freePort() : EDITOR_PORT };
	const number = /^\d+$/.test(port) ? Number(port) : 0;
	if (number < 1 || number > 65_535) {
		throw new UsageError(`--port must be a number from 1 to 65535, not "${port}"`);
	}
	return { once, port: number };
}

/** What has to be ended, last started first. */
class Running {
	private readonly closers: (() => Promise<void>)[] = [];
	isClosing = false;

	add<T>(started: T, close: (started: T) => Promise<void>): T {
		this.closers.push(() => close(started));
		return started;
	}

	async close(): Promise<void> {
		this.isClosing = true;
		for (const close of this.closers.splice(0).reverse()) await close();
	}
}

/** Ctrl-C and its like, at any time: ends what was started, and this process. */
function stopOnSignal(running: Running, exitCode: () => number): void {
	let isStopping = false;
	const stop = () => {
		// A terminal's Ctrl-C comes twice: to this process and through npm.
		if (isStopping) return;
		isStopping = true;
		console.log('\ndemo: stopping ...');
		running.close().then(
			() => process.exit(exitCode()),
			(error: unknown) => {
				console.error(error);
				process.exit(1);
			},
		);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
}

/** Starts service, chat, mail and n8n, and fills n8n. */
async function setStage(port: number, userFolder: string, running: Running): Promise<PreparedDemo> {
	if (!(await isPortFree(port))) {
		throw new UsageError(
			`port ${String(port)} on 127.0.0.1 is taken: stop what uses it, or choose another with "npm run demo -- --port ${String(port + 1)}"`,
		);
	}
	const sandbox = running.add(await startSandbox({ data: 'demo', control: true }), (started) =>
		started.close(),
	);
	console.log(`demo: local Inspection Service at ${sandbox.apiUrl}`);
	const chat = running.add(await startChatSink(), (started) => started.close());
	const mail = running.add(await startMailSink(), (started) => started.close());
	const packed = await packConnector(join(FOLDER, 'package'));
	console.log(
		`demo: starting n8n ${versions.latest} with the packed connector (${String(Math.round(packed.size / 1000))} kB) ...`,
	);
	const n8n = running.add(
		await startN8n({ userFolder, fresh: true, tarball: packed.path, port }),
		(started) => started.stop(),
	);
	const demo = await prepareDemo({ sandbox, chat, mail, n8n });
	console.log(`demo: n8n at ${n8n.url}, the example workflows imported\n`);
	return demo;
}

/** True when every step held. */
async function show(demo: PreparedDemo): Promise<boolean> {
	const say = (what: string) => {
		console.log(`  ✓ ${what}`);
	};
	try {
		const [first = ''] = await createFromSheet(demo, say);
		await createFromFindings(demo, say);
		await finishOne(demo, first, say);
		await reportByForm(demo, say);
		await readAll(demo, say);
		await keepAnswers(demo, say);
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
		`  curl -X POST ${sandbox.apiUrl}${CONTROL_PREFIX}/inspections/${open?.id ?? ''}/complete`,
		'',
		'Stop with Ctrl-C.',
		'',
	].join('\n');
}

async function main(): Promise<void> {
	const options = await readOptions();
	if (options === 'help') {
		process.stdout.write(HELP);
		return;
	}
	const running = new Running();
	let exitCode = 130;
	stopOnSignal(running, () => exitCode);
	const userFolder = join(FOLDER, String(options.port));
	try {
		const demo = await setStage(options.port, userFolder, running);
		const held = await show(demo);
		if (!options.once) {
			exitCode = held ? 0 : 1;
			demo.chat.onMessage((text) => {
				console.log(`chat: ${text}`);
			});
			demo.mail.onMail(({ subject, to }) => {
				console.log(`mail to ${to.join(', ')}: ${subject}`);
			});
			console.log(describeOpen(demo));
			await demo.n8n.ended;
			if (running.isClosing) return;
			throw new UsageError(`n8n has ended; what it printed is in ${demo.n8n.logFile}`);
		}
		await running.close();
		if (held) await rm(userFolder, { recursive: true, force: true });
		console.log(
			held ? '\ndemo: every step held' : `\ndemo: failed; n8n's log is ${demo.n8n.logFile}`,
		);
		process.exitCode = held ? 0 : 1;
	} catch (error) {
		await running.close();
		throw error;
	}
}

/** One line for what the user can put right, undefined for anything else. */
function explain(error: unknown): string | undefined {
	if (error instanceof UsageError) return error.message;
	if (!(error instanceof Error) || !('code' in error)) return undefined;
	if (String(error.code).startsWith('ERR_PARSE_ARGS')) {
		return `${error.message.split('. ', 1)[0] ?? ''} (--help lists the options)`;
	}
	const isAbsent = error.code === 'ENOENT' && 'command' in error;
	if (!isAbsent) return undefined;
	const [tool = ''] = String(error.command).split(' ');
	return `"${tool}" was not found: it has to be on the PATH`;
}

try {
	await main();
} catch (error) {
	const line = explain(error);
	if (line === undefined) throw error;
	console.error(`demo: ${line}`);
	process.exitCode = 1;
}
