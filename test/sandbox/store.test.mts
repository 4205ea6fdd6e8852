import { beforeEach, describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { ticksOf } from '#sandbox/service/time.mts';
import { get, pluck } from './apiCall.mts';

const { sandbox } = await sandboxForTests();
const { store, clock } = sandbox;
store.addTemplate({
	name: 'Form',
	identifier: 'FORM',
	controls: [{ type: 'text', label: 'Question' }],
});

const NOW = '2026-05-01T12:00:00.000Z';
beforeEach(() => clock.freeze(NOW));

const add = (name: string, timing: object = {}) =>
	store.addInspection({ template: 'FORM', name }, timing);
const names = async (query = '') =>
	pluck((await get(sandbox, `/v1/inspections?page_size=100${query}`)).json, 'data', 'name');

describe('a write', () => {
	it.each([
		['ms', 10_000n],
		['us', 10n],
		['100ns', 1n],
	] as const)('has a timestamp of its own in %s, also while the clock stands', (digits, step) => {
		sandbox.settings.timestampPrecision = digits;
		clock.advance(60_000);
		const stamps = ['a', 'b', 'c'].map((name) => add(name).updatedAt);
		expect(new Set(stamps).size).toBe(3);
		expect(stamps.map((stamp) => stamp % step)).toEqual([0n, 0n, 0n]);
	});

	it('has the timestamp that a test gives, also the same as others', () => {
		const stamps = ['a', 'b'].map((name) => add(name, { at: NOW }).updatedAt);
		expect(stamps).toEqual([ticksOf(NOW), ticksOf(NOW)]);
	});

	it('changes what is given and moves the inspection in the list', async () => {
		const { id } = add('first', { at: '2026-04-01T00:00:00Z' });
		add('second', { at: '2026-04-02T00:00:00Z' });
		expect(await names()).toEqual(['first', 'second']);
		const answers = [{ control: 'Question', value: 'x' }];
		store.updateInspection(id, { status: 'completed', answers, files: [{ kind: 'image' }] });
		expect(store.find(id)).toMatchObject({
			name: 'first',
			status: 'completed',
			answers: [{ value: 'x', order: 1 }],
			files: [{ kind: 'image' }],
		});
		expect(await names()).toEqual(['second', 'first']);
		expect(await names('&sort_by=created_at')).toEqual(['first', 'second']);
		store.removeInspection(id);
		expect(await names()).toEqual(['second']);
	});

	it('to what is not there is an error of the test', () => {
		const answers = [{ control: 'None', value: 1 }];
		expect(() => store.addInspection({ template: 'NONE' })).toThrow('no template NONE');
		expect(() => store.updateInspection('x')).toThrow('no inspection x');
		expect(() => store.addInspection({ template: 'FORM', answers })).toThrow('no control "None"');
	});
});

it('the demo has the same ids and contents every time', async () => {
	const contents = async () => {
		const demo = await startSandbox({ data: 'demo' });
		await demo.close();
		return demo.store.inspections().map((one) => [one.id, one.name, one.answers]);
	};
	expect(await contents()).toEqual(await contents());
});
