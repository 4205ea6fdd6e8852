import { createServer } from 'node:net';

import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

const MAIN = new URL('../../sandbox/main.mts', import.meta.url).pathname;

/** The command as a user starts it, on ports that are free. */
const start = (...options: string[]) =>
	execa(process.execPath, [MAIN, '--port', '0', '--files-port', '0', ...options], {
		reject: false,
		timeout: 20_000,
	});

describe('sandbox command', () => {
	it.each(['SIGINT', 'SIGTERM'] as const)(
		'prints addresses and keys, ends on %s',
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

	it('says in JSON where it is, and listens there', async () => {
		const running = start('--json', '--data', 'empty', '--set', 'errorBody=text');
		for await (const line of running.iterable()) {
			const { apiUrl }: { apiUrl: string } = JSON.parse(line);
			const answer = await fetch(`${apiUrl}/v1/inspections`);
			expect(await answer.text()).toContain('Access denied');
			running.kill('SIGTERM');
		}
		expect((await running).exitCode).toBe(0);
	});

	it('names a port that is taken, in one line', async () => {
		const other = createServer();
		const port = await new Promise<number>((resolve) => {
			other.listen(0, '127.0.0.1', () => {
				const address = other.address();
				resolve(typeof address === 'object' && address !== null ? address.port : 0);
			});
		});
		const { exitCode, stderr } = await start('--port', String(port));
		other.close();
		expect(exitCode).toBe(1);
		expect(stderr.split('\n')).toHaveLength(1);
		expect(stderr).toContain(`Port ${String(port)} on 127.0.0.1 is taken`);
	});

	it.each([
		[['--nope'], "unknown option '--nope'"],
		[['--port', 'x'], 'It must be a number from 0 to 65535'],
		[['--data', 'all'], 'Allowed choices are demo, empty'],
		[['--set', 'envelope=nope'], 'setting envelope: the value must be equal to one of'],
		[['--set', 'nope=1'], 'setting nope: there is none'],
	])('one line for %j', async (options, message) => {
		const { exitCode, stderr } = await start(...options);
		expect(exitCode).toBe(1);
		expect(stderr.split('\n')).toHaveLength(1);
		expect(stderr).toContain(message);
	});
});
