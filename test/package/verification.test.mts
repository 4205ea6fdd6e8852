// @module-tag slow
/**
 * Checks the contents of the tarball, and runs n8n's own scanner for verified community nodes without network. Unlike
 * `n8n-node lint`, the scanner ignores comments that disable a rule, and it also checks the tarball's code. Newer
 * versions of the scanner also search the tarball for signs of malware.
 */
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';
import { describe, expect, it, vi } from 'vitest';

import {
	installConnector,
	installedFolder,
	PACKAGE_NAME,
	packConnector,
} from '#sandbox/demo/packedConnector.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

// Vitest sets NODE_ENV=test. With that value, n8n's ESLint plugin would treat every file as a node.
vi.stubEnv('NODE_ENV', 'production');

const scanner: {
	analyzePackage(folder: string, files: string[]): Promise<{ passed: boolean; details?: string }>;
	SOURCE_FILE_PATTERNS: string[];
} = createRequire(import.meta.url)('@n8n/scan-community-package/scanner/scanner.mjs');

/**
 * The patterns of GuardDog's rule threat-process-download-exec, which n8n's scanner applies to the tarball. They find
 * shell commands and PowerShell's `DownloadFile(`, and also a method that is named `downloadFile(`.
 */
const DOWNLOAD_AND_RUN = [
	/DownloadFile\s*\(/i,
	/Invoke-WebRequest/i,
	/powershell.*curl\.exe/i,
	/exec\s*\(\s*['"`].*\b(curl|wget)\b/i,
	/fetch\s*\(.*\).*\.then\s*\(.*eval/i,
	/(curl|wget)\s.*\|\s*(bash|sh|python|node|perl)\b/i,
];

/**
 * The maximum size in bytes: about twice the current size, so that only files that don't belong in the tarball exceed
 * it.
 */
const LARGEST_TARBALL = 300_000;

const folder = await mkdtemp(join(tmpdir(), 'inspection-scan-'));
const packed = await packConnector(folder);
await installConnector(packed.path, folder);
const unpacked = installedFolder(folder);

describe('the checks of n8n’s verification', () => {
	it.each([
		['source', PROJECT, scanner.SOURCE_FILE_PATTERNS],
		['tarball', unpacked, ['**/*.js', 'package.json']],
	])('pass on the %s', async (_, folder, files) => {
		expect(globSync(files, { cwd: folder }).length).toBeGreaterThan(1);
		expect(await scanner.analyzePackage(folder, files)).toEqual({ passed: true });
	});

	it('find nothing in the tarball that runs what it downloads', () => {
		const files = globSync('**/*.js', { cwd: unpacked });
		const found = files.flatMap((file) => {
			const code = readFileSync(join(unpacked, file), 'utf8');
			return DOWNLOAD_AND_RUN.flatMap((trace) => trace.exec(code)?.[0] ?? []);
		});
		expect(found).toEqual([]);
	});
});

it('the tarball installs as one small package without dependencies', async () => {
	expect(packed.size).toBeGreaterThan(0);
	expect(packed.size).toBeLessThan(LARGEST_TARBALL);
	await writeFile(join(folder, 'package.json'), '{}');
	await execa('npm', ['install', '--offline', '--no-audit', packed.path], { cwd: folder });
	const installed = await readdir(join(folder, 'node_modules'));
	expect(installed.filter((name) => !name.startsWith('.'))).toEqual([PACKAGE_NAME]);
});

it('the tarball contains exactly what n8n loads or npm adds', () => {
	const expected = [
		/^package\.json$/,
		/^README\.md$/,
		/^LICENSE\.md$/,
		/^dist\/credentials\/InspectionServiceApi\.credentials\.js$/,
		...['js', 'json'].flatMap((ending) => [
			new RegExp(`^dist/nodes/InspectionService/InspectionService\\.node\\.${ending}$`),
			new RegExp(`^dist/nodes/InspectionService/InspectionServiceTrigger\\.node\\.${ending}$`),
		]),
		/^dist\/nodes\/InspectionService\/\w+\/.+\.js$/,
		/^dist\/nodes\/InspectionService\/__schema__\/v\d+\.\d+\.\d+(\/.+)?\.json$/,
		/^dist\/icons\/inspectionService\.svg$/,
		/^dist\/icons\/inspectionService\.dark\.svg$/,
	];
	expect(packed.files.filter((file) => !expected.some((one) => one.test(file)))).toEqual([]);
	expect(expected.filter((one) => !packed.files.some((file) => one.test(file)))).toEqual([]);
});
