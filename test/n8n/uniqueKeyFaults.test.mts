/** Whatever goes wrong with a create, and however often a run is repeated: each key makes one inspection. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';

import { uniqueKeyOf } from '#connector/domain/create/uniqueKey.ts';
import { createdOnce, createKeyed } from '#connector/operations/inspection/keyLookUp.ts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import { executionClient, SkippedTime } from './serviceClient.mts';

const FIELD = 'Unique key';
/**
 * The longest that the service takes to show what is new, in ms. A person and n8n's own re-run of a stalled execution
 * take longer than that; a run that is repeated sooner is one of the limits in docs/exactly-once.md.
 */
const LONGEST_DELAY_MS = 20_000;

const { sandbox, credential } = await sandboxForTests();
const { id: templateId } = sandbox.store.addTemplate({ name: 'Site walk', controls: [] });
const request = {
	...{ body: { template_id: templateId, name: 'Walk' }, sent: [] },
	...{ template: { id: templateId }, unusedRows: [] },
};

beforeEach(() => {
	sandbox.clock.freeze();
});

/** A wait of the node is a wait of the service: what becomes visible late gets its time. */
class SharedTime extends SkippedTime {
	override async sleep(milliseconds: number) {
		sandbox.clock.advance(milliseconds);
		await super.sleep(milliseconds);
	}
}

/** One execution over all keys, one after the other; true where every key came out with an inspection. */
async function run(keys: readonly string[]): Promise<boolean> {
	const client = await executionClient(credential, { timing: new SharedTime() });
	const lookUp = createdOnce(client, { field: FIELD, wanted: new Set(keys), days: 90 });
	let isWhole = true;
	for (const value of keys) {
		const key = uniqueKeyOf(value, FIELD);
		await createKeyed({ ...request, service: { client } }, { key, lookUp, isInDoubt: false })
			.then(async (create) => await create())
			.catch(() => {
				isWhole = false;
			});
	}
	return isWhole;
}

const faults: fc.Arbitrary<Fault | undefined> = fc.constantFrom(
	undefined,
	{ kind: 'status', status: 500, when: 'before' },
	{ kind: 'status', status: 503, when: 'while' },
	{ kind: 'status', status: 500, when: 'after' },
	{ kind: 'reset' },
	{ kind: 'reset', when: 'while' },
	{ kind: 'reset', when: 'after' },
	{ kind: 'truncate', reset: true },
	{ kind: 'malformed' },
	{ kind: 'empty' },
);

const keysOfStore = () =>
	sandbox.store
		.inspections()
		.flatMap(({ customFields }) => customFields.map(({ value }) => value))
		.toSorted();

describe('each key exists exactly once in the end', () => {
	test('for every schedule of faults, re-runs and late visibility', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(faults, { maxLength: 6 }),
				fc.integer({ min: 0, max: LONGEST_DELAY_MS }),
				fc.integer({ min: 1, max: 4 }),
				async (schedule, commitDelayMs, keyCount) => {
					for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
					sandbox.faults.clear();
					sandbox.settings.commitDelayMs = commitDelayMs;
					const keys = Array.from({ length: keyCount }, (_, at) => `ORDER-${String(at)}`);
					schedule.forEach((fault, at) => {
						if (fault === undefined) return;
						sandbox.faults.add({ on: { operation: 'createInspection', nth: at + 1 }, do: fault });
					});
					// Every run settles a key or uses up a fault.
					let runs = 0;
					while (!(await run(keys))) {
						expect((runs += 1)).toBeLessThan(10);
						sandbox.clock.advance(LONGEST_DELAY_MS);
					}
					sandbox.clock.advance(LONGEST_DELAY_MS);
					await run(keys);
					expect(keysOfStore()).toEqual(keys);
				},
			),
			{ numRuns: Number(process.env['RUNS'] ?? 60) },
		);
	});
});

test('where the list cannot be read after a create in doubt, the error is that of the create', async () => {
	sandbox.faults.clear();
	sandbox.settings.commitDelayMs = 0;
	const client = await executionClient(credential, { timing: new SharedTime() });
	const lookUp = createdOnce(client, { field: FIELD, wanted: new Set(['DOUBT']), days: 90 });
	const key = uniqueKeyOf('DOUBT', FIELD);
	const create = await createKeyed(
		{ ...request, service: { client } },
		{ key, lookUp, isInDoubt: false },
	);
	sandbox.faults.add({
		on: { operation: 'createInspection' },
		do: { kind: 'reset', when: 'after' },
	});
	sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'malformed' } });
	await expect(create()).rejects.toThrow(/may have been created, or not/);
	sandbox.faults.clear();
});
