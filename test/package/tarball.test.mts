import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packConnector, type PackedConnector } from '#sandbox/demo/packedConnector.mts';

// Bytes. The package comes to 151 kB, nothing but its own code and notes; more than this means that something got in that does not belong there.
const LARGEST_TARBALL = 180_000;

describe('the tarball', () => {
	let folder: string;
	let packed: PackedConnector;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'inspection-pack-'));
		packed = await packConnector(folder);
	});

	afterAll(async () => {
		await rm(folder, { recursive: true });
	});

	it('is small', () => {
		expect(packed.size).toBeGreaterThan(0);
		expect(packed.size).toBeLessThan(LARGEST_TARBALL);
	});

	it('installed by hand, brings nothing else with it', async () => {
		const place = join(folder, 'by-hand');
		await mkdir(place);
		await writeFile(join(place, 'package.json'), '{}');
		await execa('npm', ['install', '--offline', '--no-audit', packed.path], { cwd: place });
		const installed = await readdir(join(place, 'node_modules'));
		expect(installed.filter((name) => !name.startsWith('.'))).toEqual([
			'n8n-nodes-inspection-service',
		]);
	});

	it('holds what n8n loads', () => {
		expect(packed.files).toEqual(
			expect.arrayContaining([
				'package.json',
				'dist/credentials/InspectionServiceApi.credentials.js',
				'dist/nodes/InspectionService/InspectionService.node.js',
				'dist/nodes/InspectionService/InspectionService.node.json',
				'dist/nodes/InspectionService/InspectionServiceTrigger.node.js',
				'dist/nodes/InspectionService/InspectionServiceTrigger.node.json',
				'dist/icons/inspectionService.svg',
				'dist/icons/inspectionService.dark.svg',
			]),
		);
	});

	it('holds nothing else than code, schemas and icons, and what npm adds', () => {
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
});
