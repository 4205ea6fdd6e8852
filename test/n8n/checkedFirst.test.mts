/** Create checks all rows before it sends the first, and tells what became of each of them. */
import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { failureOf } from '#harness/failure.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		{ type: 'text', label: 'Area', is_required: true },
		{ type: 'number', label: 'Visitors' },
	],
});

const rows = (count: number) =>
	Array.from({ length: count }, (_, row) => ({ Area: `A${String(row)}` }));

async function create(
	items: IDataObject[],
	{ onError, parameters }: { onError?: OnError; parameters?: INodeParameters } = {},
) {
	return await executeNode({
		credential,
		items,
		onError,
		parameters: createParameters(templateBy('WALK'), parameters),
	});
}

/** The error that ends Create: its message, the lines of the list below it, its item. */
async function refusalOf(...given: Parameters<typeof create>) {
	const { message, description, context } = await failureOf(create(...given));
	const lines = [...(description ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, line]) => line);
	return { message, lines, itemIndex: context.itemIndex as unknown };
}

const areas = () => sandbox.store.inspections().map(({ answers }) => answers[0]?.value);

describe('an error ends the execution', () => {
	test('nothing is sent where any row has a problem, and all problems are told', async () => {
		const sheet: IDataObject[] = rows(50);
		sheet[6] = { Area: 'A', Visitors: 'many' };
		sheet[39] = { Area: '', Visitors: 'few' };
		const { message, lines, itemIndex } = await refusalOf(sheet);
		expect(message).toBe(
			'Nothing was sent. 2 of 50 rows have problems (row 1 is the first below the header; rows that do not reach this node are not counted).',
		);
		expect(lines).toEqual([
			expect.stringMatching(/^"Visitors", rows 7 and 40: "many" is not a number.*"few" in row 40/),
			'"Area", row 40: required, but has no answer; give it one.',
		]);
		expect(itemIndex).toBeUndefined();
		expect(sandbox.requests.count('createInspection')).toBe(0);
		expect(sandbox.requests.count('getTemplate')).toBe(1);
	});

	test('one problem stands in the message itself', async () => {
		const { message, lines } = await refusalOf([{ Area: 'A' }, { Area: '', Visitors: 3 }]);
		expect(message).toBe(
			'Nothing was sent. "Area", row 2: required, but has no answer; give it one. 1 of 2 rows has a problem (row 1 is the first below the header; rows that do not reach this node are not counted).',
		);
		expect(lines).toEqual([]);
	});

	test('the message stays short where every row of a long sheet is wrong in its own way', async () => {
		const sheet = Array.from({ length: 2000 }, (_, row) => ({
			Area: 'A',
			Visitors: `${String(row)} people ${'x'.repeat(2000)}`,
		}));
		const { message, lines } = await refusalOf(sheet);
		expect(lines).toEqual([]);
		expect(message).toMatch(
			/^Nothing was sent\. "Visitors", all 2000 rows: "0 people x*….*2000 of 2000 rows/,
		);
		expect(message.length).toBeLessThan(1000);
	});

	test('a row alone has its problem as the message', async () => {
		const { message } = await refusalOf([{ Area: '' }]);
		expect(message).toBe('"Area": required, but has no answer; give it one.');
	});

	test('a template of one row that does not exist is that row’s problem', async () => {
		const templateId = templateBy('={{ $json.t }}');
		const sheet = [
			{ t: 'WALK', Area: 'A' },
			{ t: 'GONE', Area: 'A' },
			{ t: 'WALK', Area: '' },
		];
		const { message, lines } = await refusalOf(sheet, { parameters: { templateId } });
		expect(message).toBe(
			'Nothing was sent. 2 of 3 rows have problems (row 1 is the first below the header; rows that do not reach this node are not counted).',
		);
		expect(lines).toEqual([
			expect.stringMatching(/^Row 2: The template .*was not found \(404\)/),
			expect.stringMatching(/^"Area", row 3: required/),
		]);
		expect(sandbox.requests.count('createInspection')).toBe(0);
	});

	test('trouble of the service while the rows are checked ends it at once', async () => {
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'status', status: 403 } });
		const { message, lines } = await refusalOf(rows(30));
		expect(message).toMatch(/^Row 1: .*\(403\)/);
		expect(lines).toEqual(['Not sent: rows 2 to 30.']);
		expect(sandbox.requests.count('getTemplate')).toBe(1);
	});

	test('a row that the service refuses ends it, and what was made and what was not sent is told', async () => {
		sandbox.faults.add({
			on: { operation: 'createInspection', nth: 3 },
			do: { kind: 'status', status: 403 },
		});
		const { message, lines, itemIndex } = await refusalOf(rows(50), {
			parameters: { options: { concurrency: 1 } },
		});
		expect(message).toMatch(/^Row 3: .*\(403\)/);
		expect(lines).toEqual([
			'Not sent: rows 4 to 50.',
			expect.stringContaining('2 inspections were created in this execution (rows 1 and 2)'),
		]);
		expect(itemIndex).toBeUndefined();
		expect(areas()).toEqual(['A0', 'A1']);
	});

	test('what else failed beside it is told, with what may be there', async () => {
		sandbox.faults.add({
			on: { operation: 'createInspection', where: ({ body }) => body.includes('A0') },
			do: { kind: 'status', status: 403 },
		});
		sandbox.faults.add({
			on: { operation: 'createInspection', where: ({ body }) => body.includes('A1') },
			do: { kind: 'reset', when: 'after' },
		});
		const { message, lines } = await refusalOf(rows(3), {
			parameters: { additionalFields: { name: '={{ "Walk <b> " + $itemIndex }}' } },
		});
		expect(message).toMatch(/^Row 1: .*\(403\)/);
		expect(lines).toEqual([
			expect.stringMatching(
				/^Row 2: The inspection may have been created, or not\..*named "Walk &lt;b&gt; 1"/,
			),
			expect.stringContaining('1 inspection was created in this execution (row 3)'),
		]);
	});
});

describe('the execution goes on', () => {
	test('good rows are made, bad ones keep their columns', async () => {
		const { items } = await create([{ Area: 'A' }, { Area: '', Visitors: 3 }, { Area: 'C' }], {
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json.status ?? json)).toEqual([
			'new',
			{ Area: '', Visitors: 3, error: '"Area": required, but has no answer; give it one.' },
			'new',
		]);
		expect(areas()).toEqual(['A', 'C']);
	});

	test('on the error output n8n adds the columns: the item has nothing but its error, and no error of n8n', async () => {
		const { items } = await create([{ Area: '' }], { onError: 'continueErrorOutput' });
		expect(items).toEqual([
			{ json: { error: expect.stringContaining('"Area": required') }, pairedItem: { item: 0 } },
		]);
	});

	test('an inspection in doubt says its name, its time and how to look for it', async () => {
		sandbox.faults.add({
			on: { operation: 'createInspection' },
			do: { kind: 'reset', when: 'after' },
		});
		const { items } = await create(rows(1), {
			onError: 'continueErrorOutput',
			parameters: { additionalFields: { name: 'Walk <7>' } },
		});
		expect(items[0]?.json.error).toMatch(
			/may have been created, or not\..*look in the service for an inspection named "Walk <7>" created at about \d{4}-/,
		);
	});

	test('an inspection in doubt is told as such where the list cannot be read either', async () => {
		sandbox.faults.add({
			on: { operation: 'createInspection' },
			do: { kind: 'reset', when: 'after' },
		});
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'malformed' } });
		const { items } = await create(rows(1), { onError: 'continueErrorOutput' });
		expect(items[0]?.json.error).toMatch(/may have been created, or not\./);
	});
});
