/** The compose files cannot be run here, for want of a container engine: what can be said of them without one. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { isRecord, type JsonRecord, textOf } from '#connector/domain/json.ts';
import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

/** Variables that n8n 3 no longer reads (its list of breaking changes), and those of n8n 1 only. */
const GONE = [
	'N8N_DB_PING_TIMEOUT',
	'N8N_MIGRATE_FS_STORAGE_PATH',
	'N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION',
	'N8N_RUNNERS_ENABLED',
	'OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS',
	'QUEUE_WORKER_MAX_STALLED_COUNT',
];
/** `${NAME:-default}`, and `${NAME:?what to do}`, which has none. */
const VARIABLE = /\$\{(\w+):([-?])([^}]*)\}/g;

const record = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** A compose file with its defaults filled in. */
function composeFile(file: string) {
	const text = readFileSync(join(PROJECT, file), 'utf8');
	const needed = [...text.matchAll(VARIABLE)].flatMap(([, name = '', kind]) =>
		kind === '?' ? [name] : [],
	);
	const filled = text.replace(VARIABLE, (_, __, kind, word) => (kind === '-' ? word : 'given'));
	const { services, volumes } = record(parse(filled, { merge: true }));
	return {
		needed,
		volumes: Object.keys(record(volumes)),
		services: Object.entries(record(services)).map(([name, service]) => ({
			name,
			...record(service),
		})) as (JsonRecord & { name: string })[],
	};
}

describe.each(globSync('examples/*/compose.yml', { cwd: PROJECT }))('%s', (file) => {
	const { needed, volumes, services } = composeFile(file);
	const n8n = services.filter(({ image }) => textOf(image)?.includes('n8nio/n8n') === true);
	const running = n8n.filter(({ environment }) => environment !== undefined);

	it('has the latest n8n that was tested', () => {
		expect(running.length).toBeGreaterThan(0);
		const images = new Set(n8n.map(({ image }) => image));
		expect([...images]).toEqual([`docker.n8n.io/n8nio/n8n:${versions.latest}`]);
	});

	it('keeps what n8n stores and installs on a volume', () => {
		for (const service of n8n) expect(service['volumes']).toContain('n8n:/home/node/.n8n');
		expect(volumes).toContain('n8n');
	});

	it('loads the package in n8n 3, and sets nothing that is gone there', () => {
		for (const service of running) {
			const environment = record(service['environment']);
			expect(environment['N8N_UNVERIFIED_PACKAGES_ENABLED']).toBe('true');
			expect(environment['N8N_DEFAULT_BINARY_DATA_MODE']).not.toBe('default');
			expect(Object.keys(environment).filter((name) => GONE.includes(name))).toEqual([]);
		}
	});

	it('waits for services that are there', () => {
		const names = services.map(({ name }) => name);
		const awaited = services.flatMap((service) => Object.keys(record(service['depends_on'])));
		expect(awaited.filter((name) => !names.includes(name))).toEqual([]);
	});

	it('asks for no variable that its .env.example does not have', () => {
		const example = join(PROJECT, dirname(file), '.env.example');
		const given = existsSync(example) ? readFileSync(example, 'utf8') : '';
		expect(needed.filter((name) => !new RegExp(`^${name}=`, 'm').test(given))).toEqual([]);
	});

	it('installs this package', () => {
		const lists = running.map(
			({ environment }) => textOf(record(environment)['N8N_COMMUNITY_PACKAGES']) ?? '',
		);
		const { name, version } = manifest;
		for (const list of lists) expect(JSON.parse(list)).toEqual([{ name, version }]);
	});
});

it('the README shows the list of packages of the compose file for one n8n', () => {
	const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
	const [, list = ''] = /^ +N8N_COMMUNITY_PACKAGES: '(.+)'$/m.exec(readme) ?? [];
	expect(JSON.parse(list)).toEqual([{ name: manifest.name, version: manifest.version }]);
});

it('no example has a node that n8n 3 removes', () => {
	const removed =
		/"n8n-nodes-base\.(function|functionItem|itemLists|cron|interval|htmlExtract|iCal|moveBinaryData|readBinaryFiles?|writeBinaryFile|readPDF|workflowTrigger|orbit|openAi|aiTransform)"|getPairedItem/;
	const examples = globSync('examples/*.json', { cwd: PROJECT });
	expect(examples.length).toBeGreaterThan(5);
	const found = examples.filter((file) => removed.test(readFileSync(join(PROJECT, file), 'utf8')));
	expect(found).toEqual([]);
});
