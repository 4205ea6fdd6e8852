// @module-tag slow
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { buildConnector } from '#scripts/freshBuild.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

/** Returns a project with the connector's settings, and the path of its only source file. */
async function smallProject() {
	const project = await mkdtemp(join(tmpdir(), 'inspection-build-'));
	for (const file of ['package.json', 'tsconfig.json']) {
		await cp(join(PROJECT, file), join(project, file));
	}
	await symlink(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
	await mkdir(join(project, 'nodes'));
	return { project, source: join(project, 'nodes', 'small.ts') };
}

it("a build that failed fails again with the compiler's message until the code is right", async () => {
	const { project, source } = await smallProject();
	await writeFile(source, "export const SMALL: number = 'text';\n");
	const error = "Type 'string' is not assignable to type 'number'";
	await expect(buildConnector(project)).rejects.toThrow(error);
	await expect(buildConnector(project)).rejects.toThrow(error);

	await writeFile(source, 'export const SMALL = 1;\n');
	await buildConnector(project);
	expect(await readFile(join(project, 'dist/small.js'), 'utf8')).toContain('SMALL = 1');
});
