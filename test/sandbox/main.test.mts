// @module-tag slow
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

const { sandbox } = await sandboxForTests();
const MAIN = new URL('../../sandbox/main.mts', import.meta.url).pathname;

/** Runs the command as a user would, but on free ports. */
const start = (...options: string[]) =>
	execa(process.execPath, [MAIN, '--port', '0', '--files-port', '0', ...options], {
		reject: false,
		timeout: 20_000,
	});

describe('npm run sandbox', () => {
	it.each(['SIGINT', 'SIGTERM'] as const)(
		'shows its addresses until %s ends it',
		async (signal) => {
			const running = start();
			let shown = '';
			for await (const line of running.iterable()) {
				shown += `${line}\n`;
				if (line.startsWith('Stop with')) running.kill(signal);
			}
			expect(shown).toMatch(/sandbox: http:\/\/127\.0\.0\.1:\d+/);
			expect(shown).toContain('sandbox-key-north');
			expect(await running).toMatchObject({ exitCode: 0, stderr: '' });
		},
	);

	it('prints its addresses for scripts with --json, including those of settings from --set', async () => {
		const running = start('--json', '--data', 'empty', '--set', 'envelope=array');
		for await (const line of running.iterable()) {
			const { apiUrl, keys }: Pick<Sandbox, 'apiUrl' | 'keys'> = JSON.parse(line);
			const headers = { 'access-token': keys.north };
			const answer = await fetch(`${apiUrl}/v1/inspections`, { headers });
			expect(await answer.json()).toEqual([]);
			running.kill('SIGTERM');
		}
		expect((await running).exitCode).toBe(0);
	});

	it.each([
		[['--nope'], "unknown option '--nope'"],
		[['--port', 'x'], 'It must be a number from 0 to 65535'],
		[['--data', 'all'], 'Allowed choices are demo, empty'],
		[['--set', 'envelope=nope'], 'setting envelope: the value must be equal to one of'],
		[['--set', 'nope=1'], "setting nope doesn't exist"],
		[['--port', new URL(sandbox.apiUrl).port], 'on 127.0.0.1 is in use: choose another'],
	])('explains in one line why it rejects %j', async (options, message) => {
		const { exitCode, stderr } = await start(...options);
		expect(exitCode).toBe(1);
		expect(stderr.split('\n')).toEqual([expect.stringContaining(message)]);
	});
});
