/**
 * Tests that the action node as an AI Agent's tool returns only as much as a model can read. test/unit/itemsForModel
 * tests which parts are omitted.
 */
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import { createParameters, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const MOST_CHARACTERS = 20_000;
const QUESTIONS = Array.from({ length: 1_000 }, (_, index) => `Question ${String(index)}`);

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Large',
	controls: QUESTIONS.map((label, index) => text(label, `q${String(index)}`)),
});
const large = sandbox.store.addInspection({
	template: template.id,
	name: 'Large walk',
	answers: QUESTIONS.map((control) => ({ control, value: 'As it should be' })),
});

const answerOf = async (parameters: object, run = {}) =>
	(await actionNode(credential)(parameters, { asTool: true, ...run })).jsons;

const get = { resource: 'inspection', operation: 'get', inspectionId: large.id };
const FIRST_ITEM = 'Fields of the first item were left out, because they are too large for a model';

test.each<[string, IDataObject, string]>([
	['an inspection', { output: 'raw', options: { include: ['data'] } }, `${FIRST_ITEM}: data.`],
	['answers', { output: 'answers' }, 'of 1000 items were left out'],
])('a tool’s %s are short, but mention what is missing', async (_, parameters, told) => {
	const items = await answerOf({ ...get, ...parameters });
	expect(JSON.stringify(items).length).toBeLessThanOrEqual(MOST_CHARACTERS);
	expect(items[0]?.id ?? items[0]?.inspection_id).toBeTruthy();
	const said = String(items.at(-1)?.left_out);
	expect(said).toContain(told);
	expect(said).toContain('To get the rest, request less at once');
});

test("a field that isn't a question is reported to the model, which doesn't get the hints above an output", async () => {
	const items = [{ 'Question 1': 'Yes', 'Question 7': 'No', 'Qestion 7': 'No' }];
	const parameters = createParameters(templateById(template.id));
	const [, told, ...others] = await answerOf(parameters, { items });
	expect(told?.hints).toBe(
		'Ignored: "Qestion 7" (did you mean "Question 7"?) matches no question.',
	);
	expect(others).toEqual([]);
	expect(await answerOf(parameters, { items, asTool: false })).toHaveLength(1);
});
