import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startSandbox } from '../../sandbox/service/sandbox.mts';
import { at, get, post } from './apiCall.mts';

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'sandbox-state-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('keeps everything between two runs', async () => {
	const stateFile = join(folder, 'kept.json');
	const settings = { timestampPrecision: '100ns' } as const;
	const first = await startSandbox({ data: 'demo', stateFile, settings });
	const created = await post(first, { template_id: 'SITE-SAFETY', name: 'Kept', task: {} });
	first.store.addInspection({ template: 'EMPTY', name: 'Late' }, { visibleInMs: 3_600_000 });
	const before = first.store.dump();
	await first.close();

	const second = await startSandbox({ data: 'demo', stateFile, settings });
	expect(second.store.dump()).toEqual(before);
	const { json } = await get(second, '/v1/inspections?sort_order=desc&page_size=1');
	expect(at(json, 'data.0.updated_at')).toBe(at(created.json, 'inspection.updated_at'));
	second.clock.advance(3_600_001);
	expect(second.store.inspections().some(({ name }) => name === 'Late')).toBe(true);
	const next = await post(second, { template_id: 'SITE-SAFETY' });
	expect(before.inspections.map(({ id }) => id)).not.toContain(at(next.json, 'id'));
	await second.close();
});

it.each([
	['is no JSON', '{"version":', 'is not valid JSON: delete it to start anew'],
	['is of another version', '{"version":0}', 'was written by another version'],
])('refuses a file that %s, and leaves it alone', async (_what, text, message) => {
	const stateFile = join(folder, 'bad.json');
	await writeFile(stateFile, text);
	await expect(startSandbox({ data: 'demo', stateFile })).rejects.toThrow(message);
	expect(await readFile(stateFile, 'utf8')).toBe(text);
});
