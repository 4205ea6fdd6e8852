import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';
import { afterAll, expect, it } from 'vitest';

import { PACKAGE_NAME, packConnector } from '#sandbox/demo/packedConnector.mts';

// Bytes. The package comes to 151 kB, nothing but its own code and notes; more than this means that something got in that does not belong there.
const LARGEST_TARBALL = 180_000;

const folder = await mkdtemp(join(tmpdir(), 'inspection-pack-'));
const packed = await packConnector(folder);
afterAll(async () => {
	await rm(folder, { recursive: true });
});

it('the tarball is small', () => {
	expect(packed.size).toBeGreaterThan(0);
	expect(packed.size).toBeLessThan(LARGEST_TARBALL);
});

it('the tarball, installed by hand, brings nothing else with it', async () => {
	await writeFile(join(folder, 'package.json'), '{}');
	await execa('npm', ['install', '--offline', '--no-audit', packed.path], { cwd: folder });
	const installed = await readdir(join(folder, 'node_modules'));
	expect(installed.filter((name) => !name.startsWith('.'))).toEqual([PACKAGE_NAME]);
});

it('the tarball holds what n8n loads', () => {
	const nodes = ['InspectionService', 'InspectionServiceTrigger'].flatMap((name) =>
		['js', 'json'].map((ending) => `dist/nodes/InspectionService/${name}.node.${ending}`),
	);
	const others = [
		'package.json',
		'dist/credentials/InspectionServiceApi.credentials.js',
		'dist/icons/inspectionService.svg',
		'dist/icons/inspectionService.dark.svg',
	];
	expect(packed.files).toEqual(expect.arrayContaining([...nodes, ...others]));
});

it('the tarball holds nothing else than code, schemas and icons, and what npm adds', () => {
	const expected = [
		/^(package\.json|README\.md|LICENSE\.md)$/,
		/^dist\/(credentials|nodes)\/.+\.js$/,
		/^dist\/nodes\/.+\.node\.json$/,
		/^dist\/nodes\/.+\/__schema__\/v\d+\.\d+\.\d+(\/.+)?\.json$/,
		/^dist\/icons\/inspectionService(\.dark)?\.svg$/,
	];
	const stray = packed.files.filter((file) => !expected.some((pattern) => pattern.test(file)));
	expect(stray).toEqual([]);
});
