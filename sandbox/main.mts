import { parseArgs } from 'node:util';

import { Ajv } from 'ajv';

import { numberOf, onStop, runCommand, UsageError } from './commandLine.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from './service/sandbox.mts';
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
	.map(
		([name, { initial, values = [initial], what }]) =>
			`  ${name}=${values.join('|')}\n      ${what}`,
	)
	.join('\n')}
`;

function settingsOf(pairs: readonly string[]): Partial<SandboxSettings> {
	const settings: unknown = Object.fromEntries(
		pairs.map((pair) => {
			const [name = '', ...value] = pair.split('=');
			if (value.length === 0) throw new UsageError(`--set wants NAME=VALUE, not "${pair}"`);
			return [name, value.join('=')];
		}),
	);
	const ajv = new Ajv({ coerceTypes: true, allowUnionTypes: true });
	const isValid = ajv.compile<Partial<SandboxSettings>>(settingsSchema);
	if (isValid(settings)) return settings;
	const { instancePath = '', message = 'is not valid', params = {} } = isValid.errors?.[0] ?? {};
	const { additionalProperty, allowedValues } = params;
	if (additionalProperty !== undefined) {
		throw new UsageError(`--set ${String(additionalProperty)}: there is no such setting`);
	}
	const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
	throw new UsageError(`--set ${instancePath.slice(1)}: the value ${message}${allowed}`);
}

function readOptions() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			'files-port': { type: 'string', default: '4011' },
			data: { type: 'string', default: 'demo' },
			inspections: { type: 'string', default: '320' },
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
		demoInspections: numberOf('inspections', values.inspections, 0, 1_000_000),
		port: numberOf('port', values.port, 0, 65_535),
		filesPort: numberOf('files-port', values['files-port'], 0, 65_535),
		settings: settingsOf(values.set),
		stateFile: values.state,
		logRequests: values.log,
		control: values.control,
	};
	return { options, isJson: values.json, isHelp: values.help };
}

function describe({ apiUrl, filesUrl, keys, store }: Sandbox): string {
	return [
		`Inspection Service sandbox: ${apiUrl}`,
		`File downloads:             ${filesUrl}`,
		`Templates: ${String(store.templates().length)}, inspections: ${String(store.inspections().length)}`,
		'API keys (header access-token):',
		...Object.entries(keys).map(([name, key]) => `  ${name.padEnd(15)} ${key}`),
		'Stop with Ctrl-C.',
	].join('\n');
}

await runCommand(async () => {
	const { options, isJson, isHelp } = readOptions();
	if (isHelp) {
		process.stdout.write(HELP);
		return;
	}
	const sandbox = await startSandbox(options);
	onStop(() => sandbox.close());
	const { apiUrl, filesUrl, keys } = sandbox;
	console.log(isJson ? JSON.stringify({ apiUrl, filesUrl, keys }) : describe(sandbox));
});
