/** `npm run demo`: the connector at work, in a real n8n, on a local Inspection Service. */
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { numberOf, onStop, runCommand, UsageError } from '../commandLine.mts';
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
	return { once, port: numberOf('port', port, 1, 65_535) };
}

/** Ends what was started, the last first. */
type Closers = (() => Promise<void>)[];

async function closeAll(closers: Closers): Promise<void> {
	for (const close of closers.splice(0).reverse()) await close();
}

/** Starts service, chat, mail and n8n, and fills n8n. */
async function setStage(port: number, userFolder: string, closers: Closers): Promise<PreparedDemo> {
	if (!(await isPortFree(port))) {
		throw new UsageError(
			`port ${String(port)} on 127.0.0.1 is taken: stop what uses it, or choose another with "npm run demo -- --port ${String(port + 1)}"`,
		);
	}
	const sandbox = await startSandbox({ data: 'demo', control: true });
	closers.push(() => sandbox.close());
	console.log(`demo: local Inspection Service at ${sandbox.apiUrl}`);
	const chat = await startChatSink();
	closers.push(() => chat.close());
	const mail = await startMailSink();
	closers.push(() => mail.close());
	const packed = await packConnector(join(FOLDER, 'package'));
	console.log(
		`demo: starting n8n ${versions.latest} with the packed connector (${String(Math.round(packed.size / 1000))} kB) ...`,
	);
	const n8n = await startN8n({ userFolder, fresh: true, tarball: packed.path, port });
	closers.push(() => n8n.stop());
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

/** Leaves it open to try, until n8n ends or the user stops it. */
async function stayOpen(demo: PreparedDemo): Promise<void> {
	demo.chat.onMessage = (text) => {
		console.log(`chat: ${text}`);
	};
	demo.mail.onMail = ({ subject, to }) => {
		console.log(`mail to ${to.join(', ')}: ${subject}`);
	};
	console.log(describeOpen(demo));
	await demo.n8n.ended;
}

await runCommand(async () => {
	const options = await readOptions();
	if (options === 'help') {
		process.stdout.write(HELP);
		return;
	}
	const closers: Closers = [];
	let exitCode = 130;
	let isStopping = false;
	onStop(async () => {
		isStopping = true;
		console.log('\ndemo: stopping ...');
		await closeAll(closers);
		process.exit(exitCode);
	});
	const userFolder = join(FOLDER, String(options.port));
	try {
		const demo = await setStage(options.port, userFolder, closers);
		const held = await show(demo);
		exitCode = held ? 0 : 1;
		if (!options.once) {
			await stayOpen(demo);
			if (isStopping) return;
			throw new UsageError(`n8n has ended; what it printed is in ${demo.n8n.logFile}`);
		}
		await closeAll(closers);
		if (held) await rm(userFolder, { recursive: true, force: true });
		const failed = `demo: failed; n8n's log is ${demo.n8n.logFile}`;
		console.log(`\n${held ? 'demo: every step held' : failed}`);
		process.exitCode = exitCode;
	} finally {
		await closeAll(closers);
	}
});
