import { readFileSync } from 'node:fs';

import { Command, Option } from 'commander';

import { onStop, runCommand, UsageError, wholeNumber } from './commandLine.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from './service/sandbox.mts';
import { checkedSettings, SETTINGS, valuesOf } from './service/settings.mts';

interface Options extends SandboxOptions {
	/** Settings as `name=value`. */
	set: string[];
	inspections: number;
	json: boolean;
}

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
/** Returns a setting's explanation from the table in sandbox/README.md. */
const whatFor = (name: string) =>
	new RegExp(`^\\| \`${name}\`.*\\| (.*?) +\\|$`, 'm').exec(readme)?.[1];
const settingsHelp = Object.entries(SETTINGS).map(
	([name, setting]) =>
		`  ${name}=${valuesOf(setting).map(String).join('|')}\n      ${whatFor(name) ?? ''}`,
);
const port = wholeNumber(0, 65_535);
const command = new Command('npm run sandbox --')
	.description('A local Inspection Service on 127.0.0.1.')
	.option('--port <number>', 'port of the API, 0: any', port, 4010)
	.option('--files-port <number>', 'port of the signed file URLs, 0: any', port, 4011)
	.addOption(
		new Option('--data <set>', 'data at the start').choices(['demo', 'empty']).default('demo'),
	)
	.option('--inspections <number>', 'inspections in the demo data', wholeNumber(0, 1_000_000), 320)
	.option('--set <name=value...>', 'change settings, may be repeated', [])
	.option('--control', "offer /_control/* on the API's port")
	.option('--log', 'one line per request on stderr')
	.option('--json', 'print the addresses and keys as one line of JSON')
	.addHelpText(
		'after',
		`\nSettings, the default first (null: not set):\n${settingsHelp.join('\n')}`,
	)
	.showSuggestionAfterError(false);

function settingOf(text: string): [string, string] {
	const [name = '', ...value] = text.split('=');
	if (value.length === 0) throw new UsageError(`--set needs name=value, not "${text}"`);
	return [name, value.join('=')];
}

function describe({ apiUrl, filesUrl, keys, store }: Sandbox): string {
	return [
		`Inspection Service sandbox: ${apiUrl}`,
		`File downloads:             ${filesUrl}`,
		`Templates: ${String(store.templates.size)}, inspections: ${String(store.inspections().length)}`,
		'API keys (header access-token):',
		...Object.entries(keys).map(([name, key]) => `  ${name.padEnd(15)} ${key}`),
		'Stop with Ctrl-C.',
	].join('\n');
}

await runCommand(async () => {
	const { set, json, inspections, ...options } = command.parse().opts<Options>();
	const settings = checkedSettings(Object.fromEntries(set.map(settingOf)));
	const sandbox = await startSandbox({ ...options, demoInspections: inspections, settings });
	onStop(() => sandbox.close());
	const { apiUrl, filesUrl, keys } = sandbox;
	console.log(json ? JSON.stringify({ apiUrl, filesUrl, keys }) : describe(sandbox));
});
