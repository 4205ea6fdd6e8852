import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';

import { isRecord } from '#connector/domain/json.ts';
import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { PROJECT } from '#scripts/projectPaths.mts';

const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');

function readJson(file: string) {
	const content: unknown = JSON.parse(read(file));
	if (!isRecord(content)) throw new Error(`${file} is no object`);
	return content;
}

function queueModeSetting(name: string): string | undefined {
	const text = read(join('examples', 'queue-mode', '.env.example'));
	return new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1];
}

describe('the version', () => {
	const { version } = readJson('package.json');

	it('is the same in the lockfile', () => {
		const lockfile = readJson('package-lock.json');
		const root = isRecord(lockfile.packages) ? lockfile.packages[''] : undefined;
		expect(lockfile.version).toBe(version);
		expect(root).toMatchObject({ version });
	});

	it('is the one that the settings of queue mode install', () => {
		expect(queueModeSetting('INSPECTION_NODES_VERSION')).toBe(version);
	});

	it('is the newest of the changelog', () => {
		const [, newest] = /^## (\S+)/m.exec(read('CHANGELOG.md')) ?? [];
		expect(newest).toBe(version);
	});
});

describe('the version of n8n', () => {
	it('has a job of its own in CI, the latest and the lowest', () => {
		const workflow: unknown = parse(read(join('.github', 'workflows', 'ci.yml')));
		expect(workflow).toMatchObject({
			jobs: { n8n: { strategy: { matrix: { n8n: [versions.latest, versions.lowest] } } } },
		});
	});

	it('in the settings of queue mode is the latest tested', () => {
		expect(queueModeSetting('N8N_IMAGE_VERSION')).toBe(versions.latest);
	});
});

test('the versions that the README calls tested are those that the suites run', () => {
	const rows = [...read('README.md').matchAll(/^\| (\d+\.\d+\.\d+) +\| \d+\.\d+\.\d+ /gm)];
	expect(rows.map(([, version]) => version)).toEqual([versions.latest, versions.lowest]);
});

describe('lockfiles', () => {
	const n8n = Object.values(versions).map((version) => `sandbox/n8n/${version}/package-lock.json`);

	it.each(['package-lock.json', ...n8n])('%s holds no download address', (file) => {
		expect(read(file)).not.toMatch(/"resolved":\s*"https?:/);
	});
});
