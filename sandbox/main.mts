import { parseArgs } from 'node:util';

import { Ajv } from 'ajv';

import {
	type Sandbox,
	type SandboxOptions,
	startSandbox,
	StateFileError,
} from './service/sandbox.mts';
import { type SandboxSettings, SETTINGS, settingsSchema } from './service/settings.mts';

const HELP = `A local Inspection Service on 127.0.0.1.

  node sandbox/main.mts [options]

  --port N          port of the API (default 4010, 0: any)
  --files-port N    port of the signed file URLs (default 4011, 0: any)
  --data SET        demo (default) or empty
  --inspections N   inspections in the demo data (default 320)
  --state FILE      keep the data in FILE between runs
  --set NAME=VALUE  change a setting, may be repeated
  --control         offer /_control/* on the API's port
  --log             one line per request on stderr
  --json            print the addresses and keys as one line of JSON
  --help            this text

Settings, the default first (null: not set):
${Object.entries(SETTINGS)
	.map(([name, { initial, what, ...setting }]) => {
		const values = ('values' in setting && setting.values?.join('|')) || String(initial);
		return `  ${name}=${values}\n      ${what}`;
	})
	.join('\n')}
`;

/** What the user can put right: printed as one line. */
class UsageError extends Error {}

function numberOf(name: string, text: string, high: number): number {
	const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (value <= high) return value;
	throw new UsageError(`--${name} must be a number from 0 to ${String(high)}, not "${text}"`);
}

function settingsOf(pairs: readonly string[]): Partial<SandboxSettings> {
	const values = Object.fromEntries(
		pairs.map((pair) => {
			const at = pair.indexOf('=');
			if (at < 1) throw new UsageError(`--set wants NAME=VALUE, not "${pair}"`);
			return [pair.slice(0, at), pair.slice(at + 1)];
		}),
	);
	const ajv = new Ajv({ coerceTypes: true, allowUnionTypes: true });
	const isValid = ajv.compile<Partial<SandboxSettings>>(settingsSchema);
	const settings: unknown = values;
	if (isValid(settings)) return settings;
	const [error] = isValid.errors ?? [];
	const name = error?.instancePath.slice(1) ?? '';
	const allowed = error?.keyword === 'enum' ? `: ${error.params.allowedValues.join(', ')}` : '';
	const unknown = error?.params.additionalProperty;
	throw new UsageError(
		unknown === undefined
			? `--set ${name}: the value ${error?.message ?? 'is not valid'}${allowed}`
			: `--set ${String(unknown)}: there is no such setting`,
	);
}

function readOptions() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			'files-port': { type: 'string', default: '4011' },
			data: { type: 'string', default: 'demo' },
			inspections: { type: 'string' },
			state: { type: 'string' },
			set: { type: 'string', multiple: true, default: [] },
			control: { type: 'boolean', default: false },
			log: { type: 'boolean', default: false },
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const { data } = values;
	if (data !== 'demo' && data !== 'empty') {
		throw new UsageError(`--data must be demo or empty, not "${data}"`);
	}
	const options: SandboxOptions = {
		data,
		port: numberOf('port', values.port, 65_535),
		filesPort: numberOf('files-port', values['files-port'], 65_535),
		settings: settingsOf(values.set),
		logRequests: values.log,
		control: values.control,
	};
	if (values.state !== undefined) options.stateFile = values.state;
	if (values.inspections !== undefined) {
		options.demoInspections = numberOf('inspections', values.inspections, 1_000_000);
	}
	return { options, isJson: values.json, isHelp: values.help };
}

function describe(sandbox: Sandbox): string {
	const { apiUrl, filesUrl, keys, store } = sandbox;
	const lines = [
		`Inspection Service sandbox: ${apiUrl}`,
		`File downloads:             ${filesUrl}`,
		`Templates: ${String(store.templates().length)}, inspections: ${String(store.inspections().length)}`,
		'API keys (header access-token):',
		...Object.entries(keys).map(([name, key]) => `  ${name.padEnd(15)} ${key}`),
		'Stop with Ctrl-C.',
	];
	return lines.join('\n');
}

/** One line for what the user can put right, null for anything else. */
function explain(error: unknown): string | null {
	if (error instanceof UsageError || error instanceof StateFileError) return error.message;
	if (!(error instanceof Error) || !('code' in error)) return null;
	if (error.code === 'EADDRINUSE' && 'port' in error) {
		return `Port ${String(error.port)} on 127.0.0.1 is taken: choose others with --port and --files-port, or stop what uses it`;
	}
	if (error.code === 'EACCES' && 'port' in error) {
		return `Port ${String(error.port)} may not be used by this account: choose one above 1023 with --port`;
	}
	const isArgument = String(error.code).startsWith('ERR_PARSE_ARGS');
	return isArgument ? `${error.message.split('. ', 1)[0] ?? ''} (--help lists the options)` : null;
}

async function main(): Promise<void> {
	const { options, isJson, isHelp } = readOptions();
	if (isHelp) {
		process.stdout.write(HELP);
		return;
	}
	const sandbox = await startSandbox(options);
	let isClosing = false;
	const stop = () => {
		if (isClosing) return;
		isClosing = true;
		sandbox.close().catch((error: unknown) => {
			console.error(error);
			process.exitCode = 1;
		});
	};
	process.on('SIGINT', stop);
	process.on('SIGTERM', stop);
	const { apiUrl, filesUrl, keys } = sandbox;
	console.log(isJson ? JSON.stringify({ apiUrl, filesUrl, keys }) : describe(sandbox));
}

try {
	await main();
} catch (error) {
	const line = explain(error);
	if (line === null) throw error;
	console.error(line);
	process.exitCode = 1;
}
