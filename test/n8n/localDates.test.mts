/**
 * Tests the option Date Style, which outputs local times. test/unit/rowIdentity tests that Create reads these times.
 */
import { expect, test } from 'vitest';

import { executeNode, triggerPolls } from '#harness/inspectionNodes.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Shift',
	controls: ['Day', 'Begin'].map((label) => ({
		type: 'date',
		label,
		fieldId: label,
		show_time: label === 'Begin',
	})),
});
const timezone = 'Europe/Berlin';

function addShift(begin: string, at?: Date): void {
	const values = Object.entries({ Day: '2026-05-24T00:00:00Z', Begin: begin });
	const answers = values.map(([control, value]) => ({ control, value }));
	sandbox.store.addInspection({ template: template.id, answers }, { at });
}
addShift('2026-05-24T06:30:00Z', new Date('2026-05-24T06:30:15Z'));

const LOCAL = { datesAs: 'local' };

async function getMany(output: string, options: object = LOCAL) {
	const parameters = getManyParameters({ output, returnAll: true, options });
	const { items } = await executeNode({ credential, parameters, timezone });
	return items.map(({ json }) => json);
}

test('every output has local dates, in which a question without time keeps its day', async () => {
	const [moment, day] = ['2026-05-24 08:30', '2026-05-24'];
	const ofRow = { created_at: moment, updated_at: moment, Day: day, Begin: moment };
	expect(await getMany('row')).toMatchObject([ofRow]);
	expect(await getMany('answers')).toMatchObject([
		{ label: 'Day', value: day, updated_at: moment },
		{
			label: 'Begin',
			value: moment,
			updated_at: moment,
			response: { value: expect.stringContaining('T06:30') },
		},
	]);
	expect(await getMany('simplified')).toMatchObject([{ created_at: moment }]);
	expect((await getMany('={{ "raw" }}'))[0]?.created_at).toMatch(/^2026-05-24T06:30:15/);
});

test.each([
	['Australia/Sydney', '2026-05-30T14:00:00Z', '2026-05-31'],
	['Australia/Sydney', '2026-05-30T22:00:00Z', '2026-05-31'],
	['AUS Eastern Standard Time', '2026-05-30T14:00:00Z', '2026-05-30 16:00'],
])(
	"a day is midnight in the inspection's zone, then in the workflow's: %s, %s",
	async (zone, stored, day) => {
		const [inspection] = await getMany('raw', { include: ['data'] });
		const data = { items: [{ field_id: 'Day', response: { value: stored } }] };
		const body = { data: [{ ...inspection, timezone: zone, data }], has_more: false };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
		expect((await getMany('row'))[0]?.Day).toBe(day);
		expect((await getMany('answers'))[0]?.value).toBe(day);
	},
);

test('the trigger outputs local dates as well', async () => {
	const parameters = { event: 'updated', output: 'row', options: LOCAL };
	const poll = await triggerPolls({ credential, parameters, timezone });
	await poll();
	addShift('2026-12-24T06:30:00Z');
	expect((await poll())[0]?.json.Begin).toBe('2026-12-24 07:30');
});

test.each(['row', 'simplified', 'answers'])(
	'if the service omits the zone, %s has it, because others would read the times as local',
	async (output) => {
		const [inspection] = await getMany('raw', { include: ['data'] });
		const times = { created_at: '2026-05-24T06:30:00', updated_at: '2026-05-24T06:30:15.1234567' };
		const body = { data: [{ ...inspection, ...times }], has_more: false };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
		const [given] = await getMany(output, {});
		expect(given?.updated_at).toBe('2026-05-24T06:30:15.1234567Z');
		expect(given?.created_at ?? 'none in answers').toMatch(/^(none|2026-05-24T06:30:00.*Z$)/);
	},
);
