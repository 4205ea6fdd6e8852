/**
 * What is in the tarball, and what n8n checks before it verifies a community node, without network: the configuration and the files of
 * `@n8n/scan-community-package` 0.32.0 (its scanner.mjs, buildScanConfig and analyzePackageByName). It differs from
 * `n8n-node lint` in that comments that switch a rule off are ignored and that the tarball's code is looked at too.
 * Later versions of the scanner also look for the traces of malware in the tarball.
 */
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ESLint, type Linter } from 'eslint';
import { execa } from 'execa';
import { describe, expect, it, vi } from 'vitest';

import {
	installConnector,
	installedFolder,
	PACKAGE_NAME,
	packConnector,
} from '#sandbox/demo/packedConnector.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

// With NODE_ENV=test, as vitest sets it, n8n's plugin takes every file for a node.
vi.stubEnv('NODE_ENV', 'production');

// The plugins are those of n8n's own command line, at its versions.
const require = createRequire(createRequire(import.meta.url).resolve('@n8n/node-cli/eslint'));
const community: { configs: { recommended: Linter.Config } } =
	require('@n8n/eslint-plugin-community-nodes').n8nCommunityNodesPlugin;
const parser: Linter.Parser = require('@typescript-eslint/parser');
const nodesBase: ESLint.Plugin & {
	configs: Record<'community' | 'credentials' | 'nodes', { rules: Linter.RulesRecord }>;
} = require('eslint-plugin-n8n-nodes-base');

const SCAN: Linter.Config[] = [
	community.configs.recommended,
	{ rules: { 'no-console': 'error' } },
	{ plugins: { 'n8n-nodes-base': nodesBase } },
	{ files: ['package.json'], rules: nodesBase.configs.community.rules },
	{
		files: ['**/credentials/**/*.ts'],
		rules: {
			...nodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: {
			...nodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{ files: ['**/*.json', '**/*.ts'], languageOptions: { parser } },
];

/**
 * What GuardDog's rule threat-process-download-exec, which n8n's scanner applies to the tarball, takes for a download
 * that is run: PowerShell's `DownloadFile(` in any spelling, so also a method `downloadFile(`, and shell commands.
 */
const DOWNLOAD_AND_RUN = [
	/DownloadFile\s*\(/i,
	/Invoke-WebRequest/i,
	/powershell.*curl\.exe/i,
	/exec\s*\(\s*['"`].*\b(curl|wget)\b/i,
	/fetch\s*\(.*\).*\.then\s*\(.*eval/i,
	/(curl|wget)\s.*\|\s*(bash|sh|python|node|perl)\b/i,
];

/** One line per violation; an empty list passes. */
async function scan(folder: string, patterns: string[]): Promise<string[]> {
	const config = { overrideConfigFile: true, overrideConfig: SCAN } as const;
	const eslint = new ESLint({ cwd: folder, allowInlineConfig: false, ...config });
	const files = globSync(patterns, { cwd: folder });
	expect(files.length).toBeGreaterThan(1);
	const results = await eslint.lintFiles(files);
	return results.flatMap(({ filePath, messages }) =>
		messages
			.filter(({ severity }) => severity === 2)
			.map(({ ruleId, line, message }) => `${filePath}:${line} ${ruleId ?? ''} ${message}`),
	);
}

// Bytes. A quarter of it is what n8n shows to people (messages, descriptions, the README), the rest is code without comments; more
// than this means that something got in that does not belong there.
const LARGEST_TARBALL = 145_000;

const folder = await mkdtemp(join(tmpdir(), 'inspection-scan-'));
const packed = await packConnector(folder);
await installConnector(packed.path, folder);
const unpacked = installedFolder(folder);

describe('the checks of n8n’s verification', () => {
	it.each([
		['source', PROJECT, '{nodes,credentials}/**/*.{js,ts,json}'],
		['tarball', unpacked, '**/*.js'],
	])('pass on the %s', async (_, folder, code) => {
		expect(await scan(folder, ['package.json', code])).toEqual([]);
	});

	it('find nothing in the tarball that downloads a program and runs it', () => {
		const files = globSync('**/*.js', { cwd: unpacked });
		const found = files.flatMap((file) => {
			const code = readFileSync(join(unpacked, file), 'utf8');
			return DOWNLOAD_AND_RUN.flatMap((trace) => trace.exec(code)?.[0] ?? []);
		});
		expect(found).toEqual([]);
	});
});

it('the tarball, installed by hand, is small and brings nothing else with it', async () => {
	expect(packed.size).toBeGreaterThan(0);
	expect(packed.size).toBeLessThan(LARGEST_TARBALL);
	await writeFile(join(folder, 'package.json'), '{}');
	await execa('npm', ['install', '--offline', '--no-audit', packed.path], { cwd: folder });
	const installed = await readdir(join(folder, 'node_modules'));
	expect(installed.filter((name) => !name.startsWith('.'))).toEqual([PACKAGE_NAME]);
});

it('the tarball holds code, schemas, icons and what npm adds: all that n8n loads, and nothing else', () => {
	const expected = [
		...[/^package\.json$/, /^README\.md$/, /^LICENSE\.md$/],
		/^dist\/credentials\/InspectionServiceApi\.credentials\.js$/,
		...['js', 'json'].flatMap((ending) => [
			new RegExp(`^dist/nodes/InspectionService/InspectionService\\.node\\.${ending}$`),
			new RegExp(`^dist/nodes/InspectionService/InspectionServiceTrigger\\.node\\.${ending}$`),
		]),
		/^dist\/nodes\/InspectionService\/\w+\/.+\.js$/,
		/^dist\/nodes\/InspectionService\/__schema__\/v\d+\.\d+\.\d+(\/.+)?\.json$/,
		...[/^dist\/icons\/inspectionService\.svg$/, /^dist\/icons\/inspectionService\.dark\.svg$/],
	];
	expect(packed.files.filter((file) => !expected.some((one) => one.test(file)))).toEqual([]);
	expect(expected.filter((one) => !packed.files.some((file) => one.test(file)))).toEqual([]);
});
