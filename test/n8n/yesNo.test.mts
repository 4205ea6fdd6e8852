/** The options Yes Is and No Is of Create, beside the other options that touch the same rows. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { repeatable, text } from '#harness/controls.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	MAP_AUTOMATICALLY,
	mapColumns,
	templateBy,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const choices = (label: string, fieldId: string, type: string, among: string[]) => ({
	...{ type, label, fieldId, choices: among },
});
const template = sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		text('Area', 'area'),
		choices('Fenced', 'fenced', 'radio', ['Nein', 'Ja']),
		choices('Lit', 'lit', 'dropdown', ['Safe', 'At risk']),
		choices('Weather', 'weather', 'radio', ['x', 'Wet', 'Dry']),
		repeatable('Finding', 'finding', [choices('Open', 'open', 'radio', ['Yes', 'No'])]),
	],
});
const labels = new Map(template.controls.map(({ id, label }) => [id, label]));
const OPTIONS = { yesIs: 'x, ja , WAHR, true,1', noIs: '-, falsch, false' };

async function create(items: IDataObject[], options: IDataObject, responses: object = {}) {
	const parameters = createParameters(templateBy('WALK'), {
		responses: 'value' in responses ? responses : MAP_AUTOMATICALLY,
		options: { ...OPTIONS, ...options },
	});
	return await executeNode({ credential, items, parameters });
}

/** The answers to questions with two choices that the service holds, `label=choice`. */
const stored = () =>
	sandbox.store
		.inspections()
		.flatMap(({ answers }) =>
			answers.map(({ controlId, value }) => `${labels.get(controlId) ?? ''}=${String(value)}`),
		)
		.filter((answer) => /^(?:Fenced|Lit|Open)=/.test(answer));

const BY_HAND = mapColumns({
	area: '={{ $json.Area }}',
	fenced: '={{ $json.Fenced }}',
	lit: '={{ $json.Lit }}',
	'section:finding': '={{ [{ Open: $json.Open }] }}',
});

const cell = {
	yes: fc.constantFrom<string | number | boolean>('x', 'X ', 'Ja', 'wahr', 'TRUE', true, 1, '1'),
	no: fc.constantFrom<string | number | boolean>('-', ' Falsch', 'FALSE', false),
};
const answer = fc
	.boolean()
	.chain((isYes) => (isYes ? cell.yes : cell.no).map((given) => ({ isYes, given })));

test('are read alike by hand and automatically, in groups, with a key, checked only and sent', async () => {
	const told = fc.record({ fenced: answer, lit: answer, open: answer });
	const how = fc.record({
		isGrouped: fc.boolean(),
		isKeyed: fc.boolean(),
		isByHand: fc.boolean(),
		checkOnly: fc.boolean(),
	});
	let order = 0;
	await fc.assert(
		fc.asyncProperty(told, how, async ({ fenced, lit, open }, chosen) => {
			const before = stored().length;
			order += 1;
			const row = { Area: 'A', Fenced: fenced.given, Lit: lit.given, Open: open.given };
			const options = {
				checkOnly: chosen.checkOnly,
				...(chosen.isGrouped && { groupRowsBy: 'Area' }),
				...(chosen.isKeyed && { uniqueKey: `k${String(order)}` }),
			};
			const { items } = await create([row], options, chosen.isByHand ? BY_HAND : {});
			const wanted = [
				fenced.isYes ? 'Ja' : 'Nein',
				lit.isYes ? 'Safe' : 'At risk',
				open.isYes ? 'Yes' : 'No',
			];
			if (chosen.checkOnly) {
				const { request } = items[0]?.json as { request: { data: { items: unknown[] } } };
				expect(JSON.stringify(request.data).match(/"value":"[^"]*"/g)).toEqual(
					['A', ...wanted].map((value) => `"value":"${value}"`),
				);
				expect(stored()).toHaveLength(before);
				return;
			}
			const [first, second, third] = wanted;
			expect(stored().slice(before).toSorted()).toEqual(
				[`Fenced=${first}`, `Lit=${second}`, `Open=${third}`].toSorted(),
			);
		}),
		{ numRuns: 60 },
	);
});

test('two words for one choice are one answer in the rows of a group', async () => {
	const rows = [
		{ Area: 'A', Fenced: 'x' },
		{ Area: 'A', Fenced: true },
		{ Area: 'A', Fenced: 'Ja' },
	];
	await create(rows, { groupRowsBy: 'Area' });
	expect(stored()).toEqual(['Fenced=Ja']);
});

test('a question with three choices is answered by its own ones only', async () => {
	await expect(create([{ Weather: 'ja' }], {})).rejects.toMatchObject({
		message: expect.stringContaining(
			'"Weather": "ja" is not among its choices; possible: x | Wet | Dry',
		),
	});
});

test('a word that fits neither is refused with the words that do', async () => {
	await expect(create([{ Fenced: 'y' }], {})).rejects.toMatchObject({
		message: expect.stringContaining(
			'"Fenced": "y" is not among its choices; possible: Nein (No Is: -, falsch, false) | Ja (Yes Is: x, ja, WAHR, true, 1)',
		),
	});
});

test('a word for both is an error before anything is sent', async () => {
	await expect(create([{ Fenced: 'x' }], { noIs: 'X' })).rejects.toMatchObject({
		message: expect.stringContaining('Yes Is and No Is both have the word "X". Take it out'),
	});
	expect(sandbox.requests.all('createInspection')).toEqual([]);
});
