import { globSync } from 'node:fs';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { projectFile, tableRows } from '#harness/pages.mts';
import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

const queueModeSetting = (name: string) =>
	new RegExp(`^${name}=(.+)$`, 'm').exec(projectFile('examples/queue-mode/.env.example'))?.[1];

const { name, version } = manifest;

interface Service {
	image: string;
	environment?: { N8N_COMMUNITY_PACKAGES?: string };
}

it('package-lock.json has the version of package.json', () => {
	const lockfile: unknown = JSON.parse(projectFile('package-lock.json'));
	expect(lockfile).toMatchObject({ version, packages: { '': { version } } });
});

it('the settings of queue mode install the version of package.json on the latest n8n', () => {
	expect(queueModeSetting('INSPECTION_NODES_VERSION')).toBe(version);
	expect(queueModeSetting('N8N_IMAGE_VERSION')).toBe(versions.latest);
});

it('the newest version in the changelog is that of package.json', () => {
	expect(/^## (\S+)/m.exec(projectFile('CHANGELOG.md'))?.[1]).toBe(version);
});

it.each(globSync('examples/*/compose.yml', { cwd: PROJECT }))(
	'%s installs this version of the package on the latest n8n',
	(file) => {
		// Replaces `${NAME:-default}` by the default, and `${NAME:?message}` by the message.
		const text = projectFile(file).replace(/\$\{\w+:[-?]([^}]*)\}/g, '$1');
		const { services }: { services: Record<string, Service> } = parse(text, { merge: true });
		const n8n = Object.values(services).filter(({ image }) => image.includes('n8nio/n8n'));
		const lists = n8n.flatMap(({ environment }) => environment?.N8N_COMMUNITY_PACKAGES ?? []);
		const images = new Set(n8n.map(({ image }) => image));
		expect([...images]).toEqual([`docker.n8n.io/n8nio/n8n:${versions.latest}`]);
		expect(lists).not.toEqual([]);
		for (const list of lists) expect(JSON.parse(list)).toEqual([{ name, version }]);
	},
);

it('docs/admin.md lists the versions that the suites run as tested', () => {
	const tested = tableRows(projectFile('docs', 'admin.md')).map(([first = '']) => first);
	const numbers = tested.filter((cell) => /^\d+\.\d+\.\d+$/.test(cell));
	expect(numbers).toEqual([versions.latest, versions.lowest]);
});

it.each(globSync('{,sandbox/n8n/*/}package-lock.json', { cwd: PROJECT }))(
	'%s contains no download address',
	(file) => {
		expect(projectFile(file)).not.toMatch(/"resolved":\s*"https?:/);
	},
);
