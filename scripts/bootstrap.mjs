// Entry of the README's commands on a fresh clone: sets up what is missing, then hands over to the command on the
// project's own Node 24. Plain JavaScript without dependencies, because nothing is installed yet when it starts.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { SetupError } from './longStep.mjs';
import { installN8n } from './n8nInstallation.mjs';
import {
	buildConnector,
	checkNode,
	installDependencies,
	NODE_24,
	PROJECT,
	PROJECT_ENV,
} from './setup.mjs';

const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];
// The sandbox imports a few of the connector's .ts files, which belong to a CommonJS package: Node notes that.
const NODE = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

const COMMANDS = {
	dependencies: { n8n: [] },
	setup: { n8n: ['latest', 'lowest'] },
	test: { n8n: [], run: VITEST },
	'test:long': { n8n: [], run: [...VITEST, '--project', 'long'] },
	'test:e2e': {
		n8n: ['latest', 'lowest'],
		run: [...VITEST, '--project', 'e2e'],
	},
	demo: { n8n: ['latest'], run: [...NODE, 'sandbox/demo/demo.mts'] },
	dev: { n8n: ['latest'], run: [...NODE, 'scripts/dev.mts'] },
	sandbox: { n8n: [], run: [...NODE, 'sandbox/main.mts'] },
	mutation: { n8n: [], run: [...NODE, 'test/mutation/main.mts'] },
	'n8n:newer': { n8n: [], run: ['scripts/newerN8n.mjs'] },
	bench: { n8n: ['latest'], run: [...NODE, 'bench/bench.mts'] },
};

async function main([name, ...args]) {
	const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
	if (command === undefined) {
		throw new SetupError(`unknown command "${name}": one of ${Object.keys(COMMANDS).join(', ')}`);
	}
	checkNode();
	await installDependencies();
	await buildConnector();
	for (const version of command.n8n) await installN8n(version);
	if (command.run === undefined) return;
	const [script] = command.run.filter((arg) => !arg.startsWith('--'));
	if (!existsSync(join(PROJECT, script))) throw new SetupError(`${script} does not exist yet`);
	await handOver([...command.run, ...args]);
}

/** Runs Node 24 in this process's place: same terminal, same signals, same exit code. */
function handOver(args) {
	const child = spawn(NODE_24, args, { cwd: PROJECT, env: PROJECT_ENV, stdio: 'inherit' });
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	const forward = (signal) => child.kill(signal);
	for (const signal of signals) process.on(signal, forward);
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code, signal) => {
			for (const name of signals) process.off(name, forward);
			if (signal !== null) process.kill(process.pid, signal);
			process.exitCode = code ?? 1;
			resolve(undefined);
		});
	});
}

try {
	await main(process.argv.slice(2));
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`setup: ${error.message}`);
	process.exitCode = 1;
}
