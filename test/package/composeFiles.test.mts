/** Checks the Compose files and workflows of examples/ without a container engine and without n8n 3. */
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { projectFile } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

/** Environment variables and nodes that n8n 3 removes: https://docs.n8n.io/changelog/v30-breaking-changes */
const REMOVED_VARIABLES = [
	'N8N_DB_PING_TIMEOUT',
	'N8N_MIGRATE_FS_STORAGE_PATH',
	'N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION',
	'N8N_RUNNERS_ENABLED',
	'OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS',
	'QUEUE_WORKER_MAX_STALLED_COUNT',
];
const REMOVED_NODES = [
	'aiTransform',
	'cron',
	'function',
	'functionItem',
	'htmlExtract',
	'iCal',
	'interval',
	'itemLists',
	'moveBinaryData',
	'openAi',
	'orbit',
	'readBinaryFile',
	'readBinaryFiles',
	'readPDF',
	'workflowTrigger',
	'writeBinaryFile',
].map((name) => `n8n-nodes-base.${name}`);

/**
 * Default time limits in seconds: how long n8n waits for its executions when it stops, and how long Docker waits for
 * n8n.
 */
const [N8N_STOP, DOCKER_STOP] = [30, 10];

interface Service {
	image: string;
	volumes?: string[];
	environment?: Record<string, string>;
	stop_grace_period?: string;
}

interface ComposeFile {
	services: Record<string, Service>;
	volumes: Record<string, unknown>;
}

/** Converts a duration such as `1m30s` to seconds. */
function secondsOf(duration: string): number {
	const [, minutes = 0, seconds = 0] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration) ?? [];
	return 60 * Number(minutes) + Number(seconds);
}

describe.each(globSync('examples/*/compose.yml', { cwd: PROJECT }))('%s', (file) => {
	const text = projectFile(file);
	const { services, volumes }: ComposeFile = parse(text, { merge: true });
	const n8n = Object.values(services).filter(({ image }) => image.includes('n8nio/n8n'));

	it('keeps workflows, keys, and nodes of n8n on a named volume', () => {
		expect(n8n).not.toEqual([]);
		for (const service of n8n) expect(service.volumes).toContain('n8n:/home/node/.n8n');
		expect(volumes).toHaveProperty('n8n');
	});

	it('requires only variables that have a default or are in .env.example', () => {
		const example = join(dirname(file), '.env.example');
		const lines = existsSync(join(PROJECT, example)) ? projectFile(example).split('\n') : [];
		const given = new Set(lines.map((line) => /^\w+(?==)/.exec(line)?.[0]));
		const used = [...text.matchAll(/\$\{(\w+)(:-)?/g)];
		// If an example has a file with settings, that file must have all settings, so that users have to read only one
		// file.
		const missing = used.filter(
			([, name, preset]) => !given.has(name) && (lines.length > 0 || preset === undefined),
		);
		expect(missing.map(([, name]) => name)).toEqual([]);
	});

	it('lets n8n finish before Docker kills it', () => {
		for (const { environment = {}, stop_grace_period: grace } of n8n) {
			const shutdown = environment['N8N_GRACEFUL_SHUTDOWN_TIMEOUT'];
			if (shutdown === undefined && grace === undefined) continue;
			const stop = grace === undefined ? DOCKER_STOP : secondsOf(grace);
			expect(stop).toBeGreaterThanOrEqual(Number(shutdown ?? N8N_STOP));
		}
	});

	it('sets no variable that n8n 3 removes', () => {
		const names = n8n.flatMap(({ environment = {} }) => Object.keys(environment));
		expect(names).not.toEqual([]);
		expect(names.filter((name) => REMOVED_VARIABLES.includes(name))).toEqual([]);
	});
});

it('the workers of queue mode have more time to finish than by default', () => {
	const { services }: ComposeFile = parse(projectFile('examples/queue-mode/compose.yml'), {
		merge: true,
	});
	const seconds = services['worker']?.environment?.['N8N_GRACEFUL_SHUTDOWN_TIMEOUT'];
	expect(Number(seconds)).toBeGreaterThan(N8N_STOP);
});

it.each(globSync('examples/*.json', { cwd: PROJECT }))(
	'%s has no node that n8n 3 removes',
	(file) => {
		const { nodes }: { nodes: { type: string }[] } = JSON.parse(projectFile(file));
		expect(nodes).not.toEqual([]);
		expect(nodes.filter(({ type }) => REMOVED_NODES.includes(type))).toEqual([]);
		// n8n 3 also removes this function from expressions.
		expect(projectFile(file)).not.toContain('getPairedItem');
	},
);
