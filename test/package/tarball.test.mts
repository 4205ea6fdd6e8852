import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';
import { expect, it } from 'vitest';

import { PACKAGE_NAME, packConnector } from '#sandbox/demo/packedConnector.mts';

// Bytes. A quarter of it is what n8n shows to people (messages, descriptions, the README), the rest is code without comments; more
// than this means that something got in that does not belong there.
const LARGEST_TARBALL = 145_000;

const folder = await mkdtemp(join(tmpdir(), 'inspection-pack-'));
const packed = await packConnector(folder);

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
