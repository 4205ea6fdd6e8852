// @module-tag slow
/** Tests that each key creates one inspection, whatever goes wrong, and however often a run is repeated. */
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';

import { UniqueKeyIndex } from '#connector/actions/inspection/create/findByUniqueKey.ts';
import {
	createInspection,
	findExisting,
} from '#connector/actions/inspection/create/sendRequest.ts';
import { TemplateCache } from '#connector/cache/templateCache.ts';
import { uniqueKeyOf, withUniqueKey } from '#connector/domain/create/uniqueKey.ts';
import { LOST } from '#harness/createForTests.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import { executionClient, SkippedTime } from './serviceClient.mts';

/**
 * The longest time in ms until lists contain a new inspection. A run that is repeated sooner can create a duplicate
 * (docs/no-duplicates.md).
 */
const LONGEST_DELAY_MS = 20_000;

const { sandbox, credential } = await sandboxForTests();
const { id: templateId } = sandbox.store.addTemplate({ name: 'Site walk', controls: [] });
const request = {
	body: { template_id: templateId, name: 'Walk' },
	sent: [],
	unused: [],
	suspicious: [],
	template: { id: templateId },
};

beforeEach(() => void sandbox.clock.freeze());

/** A clock whose waits also advance the service's clock, so that delayed inspections become visible. */
class SharedTime extends SkippedTime {
	override async sleep(milliseconds: number) {
		sandbox.clock.advance(milliseconds);
		await super.sleep(milliseconds);
	}
}

/**
 * Runs Create's functions for all keys in order, as in one execution. Returns the error of each key, or undefined if
 * the key has its inspection.
 */
async function run(keys: readonly string[], wasOutcomeUnknown = false): Promise<unknown[]> {
	const client = await executionClient(credential, { timing: new SharedTime() });
	const keyList = new UniqueKeyIndex(client, { wanted: new Set(keys), days: 90 });
	const templates = new TemplateCache(client);
	const errors: unknown[] = [];
	for (const value of keys) {
		const key = uniqueKeyOf(value);
		const create = async () => {
			const keyed = { key, keys: keyList, wasOutcomeUnknown };
			const service = { credential: '', client, templates };
			const body = withUniqueKey(request.body, key);
			const whole = { ...request, body, service, keyed };
			return (await findExisting(whole)) ?? (await createInspection(whole));
		};
		const [made] = await Promise.allSettled([create()]);
		errors.push(made.status === 'rejected' ? made.reason : undefined);
	}
	return errors;
}

const faults = fc.constantFrom<(Fault | undefined)[]>(
	undefined,
	{ kind: 'status', status: 500, when: 'before' },
	{ kind: 'status', status: 503, when: 'while' },
	{ kind: 'status', status: 500, when: 'after' },
	{ kind: 'reset' },
	{ kind: 'reset', when: 'while' },
	LOST,
	{ kind: 'truncate', reset: true },
	{ kind: 'malformed' },
	{ kind: 'empty' },
);

const keysOfStore = () =>
	sandbox.store
		.inspections()
		.flatMap(({ customFields }) => customFields.map(({ value }) => value))
		.toSorted();

test('each unique key exists exactly once in the end, whatever the faults, reruns, or delays of the list', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(faults, { maxLength: 6 }),
			fc.integer({ min: 0, max: LONGEST_DELAY_MS }),
			fc.integer({ min: 1, max: 4 }),
			async (schedule, commitDelayMs, keyCount) => {
				for (const { id } of sandbox.store.inspections()) sandbox.store.removeInspection(id);
				sandbox.faults.clear();
				sandbox.settings.commitDelayMs = commitDelayMs;
				const keys = Array.from({ length: keyCount }, (_, at) => `ORDER-${String(at)}`);
				schedule.forEach((fault, at) => {
					if (fault === undefined) return;
					sandbox.faults.add({ on: { operation: 'createInspection', nth: at + 1 }, do: fault });
				});
				// Each run either creates the inspection of a key or uses up a fault, so the loop ends.
				let runs = 0;
				while ((await run(keys)).some((error) => error !== undefined)) {
					expect((runs += 1)).toBeLessThan(10);
					sandbox.clock.advance(LONGEST_DELAY_MS);
				}
				sandbox.clock.advance(LONGEST_DELAY_MS);
				await run(keys);
				expect(keysOfStore()).toEqual(keys);
			},
		),
		{ numRuns: Number(process.env['RUNS'] ?? 50) },
	);
});

const secondsOf = async (work: () => Promise<void>) => {
	const start = sandbox.clock.date().getTime();
	await work();
	return (sandbox.clock.date().getTime() - start) / 1000;
};

test('a create with an unknown outcome is settled within its run if its inspection appears 20 seconds late', async () => {
	sandbox.settings.commitDelayMs = LONGEST_DELAY_MS;
	sandbox.faults.add({ on: { operation: 'createInspection' }, do: LOST });
	expect(await run(['LATE'])).toEqual([undefined]);
	expect(keysOfStore()).toEqual(['LATE']);
});

test('a create that had no effect is reported as safe to rerun after two searches in 30 seconds', async () => {
	sandbox.faults.add({ on: { operation: 'createInspection' }, do: { kind: 'reset' } });
	const inVain = async (keys: readonly string[]) => {
		const description = expect.stringMatching(/It's safe to run this item again: /);
		expect(await run(keys)).toMatchObject(keys.map(() => ({ facts: { description } })));
	};
	expect(await secondsOf(async () => await inVain(['A']))).toBeCloseTo(31, 0);
	expect(await secondsOf(async () => await inVain(['A', 'B', 'C', 'D']))).toBeCloseTo(62, 0);
});

test("if the list can't be read after a create with an unknown outcome, the error is the create's", async () => {
	sandbox.faults.add({ on: { operation: 'createInspection' }, do: LOST });
	const where = () => sandbox.requests.count('createInspection') > 0;
	sandbox.faults.add({ on: { operation: 'listInspections', where }, do: { kind: 'malformed' } });
	expect(await run(['DOUBT'])).toMatchObject([
		{ message: expect.stringMatching(/unknown whether the inspection was created/) },
	]);
});

test("doesn't resend if no lookup can tell what the first attempt created", async () => {
	const where = () => sandbox.requests.count('listInspections') > 2;
	sandbox.faults.add({ on: { operation: 'listInspections', where }, do: { kind: 'malformed' } });
	expect(await run(['AGAIN'], true)).toMatchObject([
		{ message: expect.stringMatching(/isn't JSON/) },
	]);
	expect(sandbox.requests.count('createInspection')).toBe(0);
});
