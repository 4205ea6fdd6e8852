/** The action node as a tool of an AI Agent: as much as a model can read. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
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
	...{ template: template.id, name: 'Large walk' },
	answers: QUESTIONS.map((control) => ({ control, value: 'As it should be' })),
});

const get = { resource: 'inspection', operation: 'get', inspectionId: large.id };

async function answerOf(parameters: IDataObject, run = {}) {
	const { items } = await executeNode({
		...{ credential, asTool: true, ...run },
		parameters: parameters as never,
	});
	return {
		items: items.map(({ json }) => json),
		characters: JSON.stringify(items.map(({ json }) => json)).length,
	};
}

describe('an inspection of 1,000 answers', () => {
	test.each([
		[
			'raw',
			{ include: ['data'] },
			'Fields of the first item were left out, because they are too much for a model: data.',
		],
		['row', {}, 'Fields of the first item were left out'],
		['answers', {}, 'of 1000 items were left out'],
	])('as a tool’s answer is short, and says what is missing: %s', async (output, options, told) => {
		const { items, characters } = await answerOf({ ...get, output, options });
		expect(characters).toBeLessThanOrEqual(MOST_CHARACTERS);
		expect(items[0]?.id ?? items[0]?.inspection_id).toBe(large.id);
		const said = String(items.at(-1)?.left_out);
		expect(said).toContain(told);
		expect(said).toContain('For the rest ask for less at once');
	});

	test('with Fields comes with these fields, and nothing is left out', async () => {
		const options = { fields: 'name, Question 7, Question 999' };
		const { items } = await answerOf({ ...get, output: 'row', options });
		expect(items).toEqual([
			{
				...{ name: 'Large walk', 'Question 7': 'As it should be' },
				'Question 999': 'As it should be',
			},
		]);
	});

	test('comes whole where the node is no tool', async () => {
		const { items } = await answerOf({ ...get, output: 'answers' }, { asTool: false });
		expect(items).toHaveLength(1_000);
	});
});

test('1,000 questions of a template are cut, too', async () => {
	const parameters = {
		...{ resource: 'template', operation: 'get', output: 'questions' },
		templateId: templateById(template.id),
	};
	const { items, characters } = await answerOf(parameters);
	expect(characters).toBeLessThanOrEqual(MOST_CHARACTERS);
	expect(String(items.at(-1)?.left_out)).toMatch(/^\d+ of 1000 items were left out/);
});

test('of what was created, the ID and the warnings come, however many answers it has', async () => {
	const item = Object.fromEntries(QUESTIONS.map((label) => [label, 'Yes']));
	const parameters = createParameters(templateById(template.id));
	const { items, characters } = await answerOf(parameters, { items: [item] });
	expect(characters).toBeLessThanOrEqual(MOST_CHARACTERS);
	expect(sandbox.store.find(String(items[0]?.id))?.answers).toHaveLength(1_000);
	expect(items[0]).toHaveProperty('warnings');
});
