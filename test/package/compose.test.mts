/** The compose files cannot be run here, for want of a container engine: what can be said of them without one. */
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { projectFile } from '#harness/pages.mts';
import versions from '#sandbox/n8n/versions.json' with { type: 'json' };
import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

/** Variables that n8n 3 no longer reads (its list of breaking changes), and those of n8n 1 only. */
const GONE = [
	'N8N_DB_PING_TIMEOUT',
	'N8N_MIGRATE_FS_STORAGE_PATH',
	'N8N_RUNNERS_ENABLED',
	'N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION',
	'OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS',
	'QUEUE_WORKER_MAX_STALLED_COUNT',
];
/** `${NAME:-default}`, and `${NAME:?what to do}`, which has none. */
const VARIABLE = /\$\{(\w+):([-?])([^}]*)\}/g;

const PACKAGE = { name: manifest.name, version: manifest.version };

interface Service {
	image: string;
	volumes?: string[];
	environment?: Record<string, string>;
	depends_on?: object;
	deploy?: object;
	stop_grace_period?: string;
}
/** A compose file with its defaults filled in. `n8n`: its services of that image; those that run have an environment. */
function composeFile(file: string) {
	const text = projectFile(file);
	const filled = text.replace(VARIABLE, (_, __, kind, word) => (kind === '-' ? word : 'given'));
	const compose: { services: Record<string, Service>; volumes: object } = parse(filled, {
		merge: true,
	});
	const n8n = Object.values(compose.services).filter(({ image }) => image.includes('n8nio/n8n'));
	return {
		...compose,
		n8n,
		environments: n8n.map(({ environment }) => environment).filter((one) => one !== undefined),
		needed: [...text.matchAll(VARIABLE)].flatMap(([, name, kind]) => (kind === '?' ? [name] : [])),
	};
}

describe.each(globSync('examples/*/compose.yml', { cwd: PROJECT }))('%s', (file) => {
	const { needed, volumes, services, n8n, environments } = composeFile(file);

	it('has the latest n8n that was tested, and keeps what it stores and installs on a volume', () => {
		for (const service of n8n) {
			expect(service.image).toBe(`docker.n8n.io/n8nio/n8n:${versions.latest}`);
			expect(service.volumes).toContain('n8n:/home/node/.n8n');
		}
		expect(Object.keys(volumes)).toContain('n8n');
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
		const awaited = Object.values(services).flatMap((one) => Object.keys(one.depends_on ?? {}));
		expect(awaited.filter((name) => services[name] === undefined)).toEqual([]);
	});

	it('asks for no variable that its .env.example does not have', () => {
		const example = join(dirname(file), '.env.example');
		const given = existsSync(join(PROJECT, example)) ? projectFile(example) : '';
		const missing = needed.filter((name) => !new RegExp(`^${String(name)}=`, 'm').test(given));
		expect(missing).toEqual([]);
	});
});

it('queue mode has two workers, which get longer to stop than the 30 s of n8n and the 10 s of Docker', () => {
	const { worker } = composeFile('examples/queue-mode/compose.yml').services;
	expect(worker?.deploy).toMatchObject({ replicas: 2 });
	expect(worker?.stop_grace_period).toMatch(/^[1-9]\d*m$/);
	const seconds = Number(worker?.environment?.['N8N_GRACEFUL_SHUTDOWN_TIMEOUT']);
	expect(seconds).toBeGreaterThan(30);
	expect(seconds).toBeLessThan(60 * Number.parseInt(worker?.stop_grace_period ?? '', 10));
});

it('the README shows the list of packages of the compose file for one n8n', () => {
	const [, list = ''] = /^ +N8N_COMMUNITY_PACKAGES: '(.+)'$/m.exec(projectFile('README.md')) ?? [];
	expect(JSON.parse(list)).toEqual([PACKAGE]);
});

it('no example has a node that n8n 3 removes', () => {
	const removed =
		/"n8n-nodes-base\.(function|functionItem|itemLists|cron|interval|htmlExtract|iCal|moveBinaryData|readBinaryFiles?|writeBinaryFile|readPDF|workflowTrigger|orbit|openAi|aiTransform)"|getPairedItem/;
	const examples = globSync('examples/*.json', { cwd: PROJECT });
	expect(examples.length).toBeGreaterThan(5);
	expect(examples.filter((file) => removed.test(projectFile(file)))).toEqual([]);
});
