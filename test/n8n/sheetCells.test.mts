/** Cells as people leave them in a sheet: currencies, percentages, times without a day. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, mapColumns, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		text('Area', 'area'),
		{ type: 'number', label: 'Humidity %', fieldId: 'humidity' },
		{ type: 'number', label: 'Costs', fieldId: 'costs' },
		{ type: 'date', label: 'Visit', fieldId: 'visit', show_time: true },
	],
});

async function create(items: IDataObject[], given: IDataObject = {}) {
	const parameters = createParameters(templateBy('WALK'), given);
	const { hints } = await executeNode({ credential, items, parameters });
	return hints.map(({ message }) => message);
}

/** What the service holds, `label=value`. */
const stored = () =>
	sandbox.store.inspections().flatMap(({ answers }) =>
		answers.map(({ controlId, value }) => {
			const control = template.controls.find(({ id }) => id === controlId);
			return `${String(control?.label)}=${String(value)}`;
		}),
	);

describe('a currency or percent sign', () => {
	test.each([
		[{ Costs: '1.250,00 €' }, 'Costs=1250'],
		[{ Costs: 'CHF 12,50' }, 'Costs=12.5'],
		[{ 'Humidity %': '12 %' }, 'Humidity %=12'],
	])('of %j is left out: %s', async (row, answer) => {
		await create([row], { options: { decimalSeparator: 'comma' } });
		expect(stored()).toEqual([answer]);
	});

	test('says nothing about the decimals: the option is asked for', async () => {
		await expect(create([{ Costs: '1.250,00 €' }])).rejects.toMatchObject({
			message: expect.stringContaining('set the option Decimal Separator to Comma to read 1250'),
		});
		expect(stored()).toEqual([]);
	});
});

describe('a part of one under a percentage', () => {
	const HINT =
		'A sheet keeps 87 % as 0.87. Taken as it is: 0.87 for "Humidity %". Where 87 is meant, map the question with {{ ($json["Humidity %"] * 100).round(2) }}';

	test.each<[string, IDataObject]>([
		['mapped automatically', {}],
		['mapped by hand', { responses: mapColumns({ humidity: '={{ $json["Humidity %"] }}' }) }],
		['in groups', { options: { groupRowsBy: 'Area' } }],
		['with Check Only', { options: { checkOnly: true } }],
	])('is sent as it is, with a hint: %s', async (_, given) => {
		const hints = await create([{ Area: 'A', 'Humidity %': 0.87, Costs: 0.5 }], given);
		expect(hints).toContain(HINT);
	});

	test('gets one hint for all rows', async () => {
		const hints = await create([0.87, 0.5].map((humidity) => ({ 'Humidity %': humidity })));
		expect(hints).toHaveLength(1);
	});

	test.each([87, 0, 1, '0.87', '0.87 %'])('%j is none', async (humidity) => {
		expect(await create([{ 'Humidity %': humidity }])).toEqual([]);
	});
});

test('a time without a day is named as a clock shows it', async () => {
	await expect(create([{ Visit: 0.354 }])).rejects.toMatchObject({
		message: expect.stringContaining('"Visit": 0.354 is a time without a day (08:30); put day'),
	});
});
