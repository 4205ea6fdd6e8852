/**
 * Tests that no error's message contains the word "canceled". n8n would store such an execution as canceled, not as
 * failed.
 */
import { expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { createForTests, REFUSED } from '#harness/createForTests.mts';
import { failureOf } from '#harness/failure.mts';
import {
	executeNode,
	questionColumns,
	searchList,
	triggerPolls,
} from '#harness/inspectionNodes.mts';
import { mapColumns, templateBy } from '#harness/nodeParameters.mts';

const { sandbox, credential, create, failCreate } = await createForTests([
	text('Area', 'area'),
	{ type: 'date', label: 'Date', fieldId: 'date' },
]);

/** Returns the title and description of a node's error. Fails if the title contains "canceled". */
async function titleOf(work: Promise<unknown>) {
	const { message, description } = await failureOf(work);
	expect(message).not.toMatch(/cancell?ed/);
	return { message, description };
}

test.each([
	['the list of statuses', {}, { additionalFields: { status: 'In Progres' } }],
	['a cell', { Date: 'canceled' }, {}],
	['a column', { 'canceled on': 'x', Date: 'soon' }, {}],
	['a template', {}, { template: 'canceled' }],
])(
	'an error of Create that quotes %s doesn’t have the word "canceled" in its title',
	async (_, cells, run) => {
		const items = [{ Area: 'Gate', ...cells }, { Area: 'Roof' }];
		await titleOf(create(items.slice(0, 1), run));
		await titleOf(create([{ Date: 'canceled' }, ...items], run));
		expect(sandbox.store.inspections()).toEqual([]);
	},
);

test('the title of a run that stops at a row with the name "canceled" omits the word as well', async () => {
	failCreate(REFUSED);
	const { message } = await titleOf(create([{ Area: 'canceled' }, { Area: 'Roof' }]));
	expect(message).toContain('Row 1 ("Canceled")');
});

test('the description shows the value without the capital letter of the title', async () => {
	const { message, description } = await titleOf(
		create([{ Area: 'Gate' }], { additionalFields: { status: 'done' } }),
	);
	expect(message).toBe(
		'Status: "done" is not one of these: new, in_progress, completed, Canceled.',
	);
	expect(description).toBe(
		'Status: "done" is not one of these: new, in_progress, completed, canceled.',
	);
});

test('an error of an unknown operation, the trigger, or a list of the editor omits the word as well', async () => {
	const parameters = { resource: 'inspection', operation: 'canceled' };
	await titleOf(executeNode({ credential, parameters }));
	const body = { message: 'This contract was canceled' };
	sandbox.faults.add({ do: { kind: 'status', status: 400, body } });
	const poll = await triggerPolls({ credential, parameters: {} });
	const { message, description } = await titleOf(poll());
	expect(message).toContain('This contract was Canceled');
	expect(description).toContain('This contract was canceled');
	await titleOf(searchList({ credential, parameters: {} }, 'searchTeams'));
	const templateId = templateBy('WALK');
	const responses = mapColumns({ area: 'x' }, [
		{ id: 'area', displayName: 'Area', required: false, defaultMatch: false, display: true },
	]);
	await titleOf(questionColumns({ credential, parameters: { templateId, responses } }));
});
