import { globSync } from 'node:fs';

import { expect, it } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

const queueModeSetting = (name: string) =>
	new RegExp(`^${name}=(.+)$`, 'm').exec(projectFile('examples/queue-mode/.env.example'))?.[1];

const { version } = manifest;

it('package-lock.json has the version of package.json', () => {
	const { packages, ...lockfile } = Object(JSON.parse(projectFile('package-lock.json')));
	expect([lockfile.version, packages[''].version]).toEqual([version, version]);
});

it('the settings of queue mode install the version of package.json, on the latest n8n', () => {
	expect(queueModeSetting('INSPECTION_NODES_VERSION')).toBe(version);
	expect(queueModeSetting('N8N_IMAGE_VERSION')).toBe(versions.latest);
});

it('the newest of the changelog is the version of package.json', () => {
	expect(/^## (\S+)/m.exec(projectFile('CHANGELOG.md'))?.[1]).toBe(version);
});

it('the versions that docs/compatibility.md calls tested are those that the suites run', () => {
	const tested = tableRows(projectFile('docs', 'compatibility.md')).map(([first = '']) => first);
	const numbers = tested.filter((cell) => /^\d+\.\d+\.\d+$/.test(cell));
	expect(numbers).toEqual([versions.latest, versions.lowest]);
});

it.each(globSync('{,sandbox/n8n/*/}package-lock.json', { cwd: PROJECT }))(
	'%s holds no download address',
	(file) => {
		expect(projectFile(file)).not.toMatch(/"resolved":\s*"https?:/);
	},
);
