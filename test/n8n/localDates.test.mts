/** Dates As: local times for people, from which Create makes the same answers again. */
import { describe, expect, test } from 'vitest';

import { page } from '#harness/controls.mts';
import { executeNode, triggerPolls } from '#harness/inspectionNodes.mts';
import { createParameters, getManyParameters, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'SHIFT',
	name: 'Night shift',
	controls: [
		page('Shift', [
			{ type: 'date', label: 'Day', fieldId: 'day' },
			{ type: 'date', label: 'Begin', fieldId: 'begin', show_time: true },
		]),
	],
});
const timezone = 'Europe/Berlin';

const CREATED = new Date('2026-05-24T06:30:15Z');
addShift('2026-05-24T06:30:00Z');

function addShift(begin: string): void {
	const answers = [
		{ control: 'day', value: '2026-05-24T00:00:00Z' },
		{ control: 'begin', value: begin },
	];
	sandbox.store.addInspection({ template: template.id, answers }, { at: CREATED });
}

async function getMany(output: string, options: object = { datesAs: 'local' }) {
	const parameters = getManyParameters({ output, returnAll: true, options });
	const { items } = await executeNode({ credential, parameters, timezone });
	return items.map(({ json }) => json);
}

/** The values of all answers that the service holds, by field. */
const held = (fieldId: string) =>
	sandbox.store.inspections().map(({ answers }) => {
		const control = template.controls.find((known) => known.fieldId === fieldId);
		return answers.find(({ controlId }) => controlId === control?.id)?.value;
	});

describe('local dates', () => {
	test('stand in rows, answers and simplified inspections; a question without a time has its day', async () => {
		expect((await getMany('row'))[0]).toMatchObject({
			created_at: '2026-05-24 08:30',
			updated_at: '2026-05-24 08:30',
			Day: '2026-05-24',
			Begin: '2026-05-24 08:30',
		});
		const answers = await getMany('answers');
		expect(answers.map(({ label, value, updated_at }) => [label, value, updated_at])).toEqual([
			['Day', '2026-05-24', '2026-05-24 08:30'],
			['Begin', '2026-05-24 08:30', '2026-05-24 08:30'],
		]);
		expect(answers[1]?.response).toMatchObject({ value: expect.stringContaining('T06:30') });
		expect((await getMany('simplified'))[0]?.created_at).toBe('2026-05-24 08:30');
	});

	test('come from the trigger as well', async () => {
		const parameters = { output: 'row', options: { datesAs: 'local' } };
		const poll = await triggerPolls({ credential, parameters, timezone });
		await poll();
		sandbox.store.addInspection({
			template: template.id,
			answers: [{ control: 'begin', value: '2026-12-24T06:30:00Z' }],
		});
		expect((await poll())[0]?.json.Begin).toBe('2026-12-24 07:30');
	});

	test.each([{}, { datesAs: 'utc' }])('are not there with %j', async (options) => {
		const [row] = await getMany('row', options);
		expect([row?.created_at, row?.Begin]).toEqual([
			expect.stringMatching(/^2026-05-24T06:30:15/),
			expect.stringMatching(/^2026-05-24T06:30:00.*Z$/),
		]);
	});

	test('are of no account for the raw output', async () => {
		const [raw] = await getMany('={{ "raw" }}');
		expect(raw?.created_at).toMatch(/^2026-05-24T06:30:15/);
	});

	test('make the same answers again, around both changes of the clock', async () => {
		const begins = [
			'2026-03-29T00:59:00Z',
			'2026-03-29T01:00:00Z',
			'2026-10-25T00:30:00Z',
			'2026-10-25T01:30:00Z',
			'2026-10-25T01:30:15.125Z',
		];
		begins.forEach(addShift);
		const rows = await getMany('row');
		expect(rows.map(({ Begin }) => Begin).toSorted()).toEqual([
			'2026-03-29 01:59',
			'2026-03-29 03:00',
			'2026-05-24 08:30',
			'2026-10-25 02:30',
			'2026-10-25 02:30 +01:00',
			'2026-10-25 02:30:15.125 +01:00',
		]);
		await executeNode({
			credential,
			timezone,
			items: rows,
			parameters: createParameters(templateById(template.id)),
		});
		for (const field of ['day', 'begin']) {
			const moments = held(field).map((value) => Date.parse(String(value)));
			expect(moments).toHaveLength(12);
			expect(moments.slice(6).toSorted()).toEqual(moments.slice(0, 6).toSorted());
		}
	});
});
