import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Inspection } from '#sandbox/service/model.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { parseTimestamp } from '#sandbox/service/time.mts';
import { get, pluck } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'empty' });
	sandbox.store.addTemplate({
		name: 'Form',
		identifier: 'FORM',
		controls: [{ type: 'text', label: 'Question' }],
	});
});
afterAll(() => sandbox.close());

const NOW = '2026-05-01T12:00:00.000Z';
beforeEach(() => {
	for (const { id } of sandbox.store.inspections()) sandbox.store.removeInspection(id);
	sandbox.clock.freeze(NOW);
});

const add = (name: string, timing: object = {}) =>
	sandbox.store.addInspection({ template: 'FORM', name }, timing);
const names = async (query = '') =>
	pluck((await get(sandbox, `/v1/inspections?page_size=100${query}`)).json, 'data', 'name');
const stampsOf = (inspections: readonly Inspection[]) =>
	inspections.map(({ updatedAt }) => updatedAt);

describe('timestamps', () => {
	it.each([
		['ms', 10_000n],
		['us', 10n],
		['100ns', 1n],
	] as const)(
		'of writes differ by a step of %s, also while the clock stands',
		(precision, step) => {
			sandbox.settings.timestampPrecision = precision;
			sandbox.clock.advance(60_000);
			const stamps = stampsOf(['a', 'b', 'c'].map((name) => add(name)));
			sandbox.settings.timestampPrecision = 'ms';
			expect(new Set(stamps).size).toBe(3);
			for (const stamp of stamps) expect(stamp % step).toBe(0n);
		},
	);

	it('can be given, also the same to many', async () => {
		for (const name of ['a', 'b', 'c']) add(name, { at: NOW });
		expect(new Set(stampsOf(sandbox.store.inspections()))).toEqual(new Set([parseTimestamp(NOW)]));
		expect(new Set(await names())).toEqual(new Set(['a', 'b', 'c']));
	});

	it('follow the service’s clock, days away from the machine’s', () => {
		sandbox.clock.resume();
		sandbox.clock.setOffset(-3 * 24 * 3_600_000);
		const lag = Date.now() - sandbox.clock.date().getTime();
		expect(Math.round(lag / 3_600_000)).toBe(72);
	});
});

describe('writes', () => {
	it('move an inspection in the list', async () => {
		const first = add('first', { at: '2026-04-01T00:00:00Z' });
		add('second', { at: '2026-04-02T00:00:00Z' });
		expect(await names()).toEqual(['first', 'second']);
		sandbox.store.updateInspection(first.id, { name: 'changed' });
		expect(await names()).toEqual(['second', 'changed']);
		expect(await names('&sort_by=created_at')).toEqual(['changed', 'second']);
	});

	it('change what is given and nothing else', () => {
		const { id } = add('a');
		sandbox.store.updateInspection(id, {
			status: 'completed',
			answers: [{ control: 'Question', value: 'x' }],
			files: [{ kind: 'image' }],
		});
		expect(sandbox.store.find(id)).toMatchObject({
			name: 'a',
			status: 'completed',
			answers: [{ value: 'x', order: 1 }],
			files: [{ kind: 'image' }],
		});
	});

	it('can be undone by removal', async () => {
		const { id } = add('a');
		sandbox.store.removeInspection(id);
		expect(await names()).toEqual([]);
		expect(sandbox.store.find(id)).toBeUndefined();
	});

	it('that name what is not there fail loudly', () => {
		expect(() => sandbox.store.addInspection({ template: 'NONE' })).toThrow('no template NONE');
		expect(() => sandbox.store.updateInspection('x')).toThrow('no inspection x');
		expect(() =>
			sandbox.store.addInspection({ template: 'FORM', answers: [{ control: 'None', value: 1 }] }),
		).toThrow('no control "None"');
	});
});

describe('late commits', () => {
	it('a create is stamped early and seen late', async () => {
		add('early', { at: '2026-05-01T11:00:00Z', visibleInMs: 10_000 });
		add('normal', { at: '2026-05-01T11:30:00Z' });
		expect(await names()).toEqual(['normal']);
		sandbox.clock.advance(10_000);
		expect(await names()).toEqual(['early', 'normal']);
	});

	it('an update shows the old version until then', async () => {
		const { id } = add('old');
		sandbox.store.updateInspection(id, { name: 'new' }, { visibleInMs: 5000 });
		expect(await names()).toEqual(['old']);
		sandbox.clock.advance(5000);
		expect(await names()).toEqual(['new']);
	});

	it('an update of what is not seen yet waits for it', async () => {
		const { id } = add('hidden', { visibleInMs: 5000 });
		sandbox.store.updateInspection(id, { name: 'changed' });
		expect(await names()).toEqual([]);
		sandbox.clock.advance(5000);
		expect(await names()).toEqual(['changed']);
	});

	it('a late update never sets updated_at back', async () => {
		const { id } = add('a', { at: '2026-05-01T10:00:00Z' });
		const late = { at: '2026-05-01T10:30:00Z', visibleInMs: 1000 };
		sandbox.store.updateInspection(id, { name: 'late' }, late);
		sandbox.store.updateInspection(id, { status: 'completed' }, { at: '2026-05-01T11:00:00Z' });
		sandbox.clock.advance(1000);
		expect(sandbox.store.find(id)).toMatchObject({
			name: 'late',
			status: 'completed',
			updatedAt: parseTimestamp('2026-05-01T11:00:00Z'),
		});
	});
});

describe('parseTimestamp', () => {
	it.each([
		['2023-04-05T20:41:42.8660001Z', 16807273028660001n],
		['2023-04-05T20:41:42.8660001+00:00', 16807273028660001n],
		['2023-04-05T22:41:42.8660001+0200', 16807273028660001n],
	])('%s', (text, ticks) => {
		expect(parseTimestamp(text)).toBe(ticks);
	});

	it.each(['', '2023', '2023-02-29', '2023-04-05T24:00:00Z', '2023-04-05T20:61Z', 'today'])(
		'no timestamp: %s',
		(text) => {
			expect(parseTimestamp(text)).toBeNull();
		},
	);
});

it('the same data set has the same ids and the same contents every time', async () => {
	const dumps: string[] = [];
	for (let run = 0; run < 2; run++) {
		const demo = await startSandbox({ data: 'demo' });
		dumps.push(
			JSON.stringify(demo.store.inspections().map((one) => [one.id, one.name, one.answers])),
		);
		await demo.close();
	}
	expect(dumps[0]).toBe(dumps[1]);
});
