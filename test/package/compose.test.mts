/** The compose files cannot be run here, for want of a container engine: what can be said of them without one. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { isRecord, type JsonRecord } from '#connector/domain/json.ts';
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

const PACKAGE = { name: manifest.name, version: manifest.version };

const record = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** A compose file with its defaults filled in. `n8n`: its services of that image; those that run have an environment. */
function composeFile(file: string) {
	const text = readFileSync(join(PROJECT, file), 'utf8');
	const filled = text.replace(VARIABLE, (_, __, kind, word) => (kind === '-' ? word : 'given'));
	const compose = record(parse(filled, { merge: true }));
	const services = Object.entries(record(compose['services'])).map(([name, service]) => {
		const { image, volumes, environment, depends_on } = record(service);
		return { name, image: String(image), volumes, environment, awaits: record(depends_on) };
	});
	const n8n = services.filter(({ image }) => image.includes('n8nio/n8n'));
	return {
		needed: [...text.matchAll(VARIABLE)].flatMap(([, name, kind]) => (kind === '?' ? [name] : [])),
		volumes: Object.keys(record(compose['volumes'])),
		services,
		n8n,
		environments: n8n.flatMap(({ environment }) => environment ?? []).map(record),
	};
}

describe.each(globSync('examples/*/compose.yml', { cwd: PROJECT }))('%s', (file) => {
	const { needed, volumes, services, n8n, environments } = composeFile(file);

	it('has the latest n8n that was tested', () => {
		const images = new Set(n8n.map(({ image }) => image));
		expect([...images]).toEqual([`docker.n8n.io/n8nio/n8n:${versions.latest}`]);
	});

	it('keeps what n8n stores and installs on a volume', () => {
		for (const service of n8n) expect(service.volumes).toContain('n8n:/home/node/.n8n');
		expect(volumes).toContain('n8n');
	});

	it('loads this package, in n8n 3 too, and sets nothing that is gone there', () => {
		expect(environments.length).toBeGreaterThan(0);
		for (const environment of environments) {
			expect(environment['N8N_UNVERIFIED_PACKAGES_ENABLED']).toBe('true');
			expect(environment['N8N_DEFAULT_BINARY_DATA_MODE']).not.toBe('default');
			expect(Object.keys(environment).filter((name) => GONE.includes(name))).toEqual([]);
			expect(JSON.parse(String(environment['N8N_COMMUNITY_PACKAGES']))).toEqual([PACKAGE]);
		}
	});

	it('waits for services that are there', () => {
		const names = services.map(({ name }) => name);
		const awaited = services.flatMap(({ awaits }) => Object.keys(awaits));
		expect(awaited.filter((name) => !names.includes(name))).toEqual([]);
	});

	it('asks for no variable that its .env.example does not have', () => {
		const example = join(PROJECT, dirname(file), '.env.example');
		const given = existsSync(example) ? readFileSync(example, 'utf8') : '';
		const missing = needed.filter((name) => !new RegExp(`^${String(name)}=`, 'm').test(given));
		expect(missing).toEqual([]);
	});
});

it('queue mode has two workers, which get longer to stop than the 30 s of n8n and the 10 s of Docker', () => {
	const text = readFileSync(join(PROJECT, 'examples', 'queue-mode', 'compose.yml'), 'utf8');
	const worker = record(record(record(parse(text, { merge: true }))['services'])['worker']);
	expect(record(worker['deploy'])['replicas']).toBe(2);
	expect(String(worker['stop_grace_period'])).toMatch(/^[1-9]\d*m$/);
	const seconds = Number(record(worker['environment'])['N8N_GRACEFUL_SHUTDOWN_TIMEOUT']);
	expect(seconds).toBeGreaterThan(30);
	expect(seconds).toBeLessThan(60 * Number.parseInt(String(worker['stop_grace_period']), 10));
});

it('the README shows the list of packages of the compose file for one n8n', () => {
	const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
	const [, list = ''] = /^ +N8N_COMMUNITY_PACKAGES: '(.+)'$/m.exec(readme) ?? [];
	expect(JSON.parse(list)).toEqual([PACKAGE]);
});

it('no example has a node that n8n 3 removes', () => {
	const removed =
		/"n8n-nodes-base\.(function|functionItem|itemLists|cron|interval|htmlExtract|iCal|moveBinaryData|readBinaryFiles?|writeBinaryFile|readPDF|workflowTrigger|orbit|openAi|aiTransform)"|getPairedItem/;
	const examples = globSync('examples/*.json', { cwd: PROJECT });
	expect(examples.length).toBeGreaterThan(5);
	const found = examples.filter((file) => removed.test(readFileSync(join(PROJECT, file), 'utf8')));
	expect(found).toEqual([]);
});
