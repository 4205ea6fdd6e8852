/** A service that keeps answers in a form of its own: no false alarm, and an answer that is lost is told all the same. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { SandboxSettings } from '#sandbox/service/settings.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Site walk',
	controls: [
		{ type: 'text', label: 'Remark', is_multiline: true },
		{ type: 'number', label: 'Reading' },
		{ type: 'date', label: 'Moment', show_time: true },
		{ type: 'checkbox', label: 'Risks', choices: ['Dust', 'Noise, loud', 'Heat'] },
		{ type: 'dropdown', label: 'Crew', choices: ['North', 'South'] },
	],
});

/** What each form changes is among them; `lost` is what the service does not take for the same question. */
const ANSWERS = {
	Remark: { given: '  Loose cable\r\nat the gate \n', lost: { text: 'Loose' } },
	Reading: { given: 0.1, lost: 'many' },
	Moment: { given: '2026-05-31T10:00:00.987Z', lost: 'soon' },
	Risks: { given: ['Dust', 'Noise, loud'], lost: ['Dust', 'Rain'] },
	Crew: { given: 'South', lost: 'East' },
};
type Label = keyof typeof ANSWERS;

const FORMS: [Label, Partial<SandboxSettings>][] = [
	['Remark', { storedTexts: 'trimmed' }],
	['Remark', { storedLineBreaks: 'lf' }],
	['Reading', { storedNumbers: 'text' }],
	['Reading', { storedNumbers: 'float32' }],
	['Moment', { storedDates: 'ms' }],
	['Moment', { storedDates: 's' }],
	['Moment', { storedDates: 'utc' }],
	['Crew', { storedChoices: 'array' }],
	['Risks', { storedChoices: 'reordered' }],
	['Risks', { storedChoices: 'joined' }],
];

async function create(item: IDataObject) {
	const { items } = await executeNode({
		credential,
		items: [item],
		parameters: createParameters(templateById(template.id), {
			options: { validateResponses: false },
			output: 'raw',
		}),
	});
	return items[0]?.json ?? {};
}

function stored(id: unknown, label: Label): unknown {
	const { answers = [] } = sandbox.store.find(String(id)) ?? {};
	const control = template.controls.find((known) => known.label === label);
	return answers.find(({ controlId }) => controlId === control?.id)?.value;
}

const given = Object.fromEntries(
	Object.entries(ANSWERS).map(([label, { given }]) => [label, given]),
);

describe.each(FORMS)('%s kept as %j', (label, form) => {
	test('is found again', async () => {
		const asSent = await create(given);
		Object.assign(sandbox.settings, form);
		const kept = await create(given);
		expect(kept.unstored_responses).toEqual([]);
		// `ms` changes nothing here: Create sends milliseconds.
		const isChanged = form.storedDates !== 'ms';
		expect(stored(kept.id, label) !== stored(asSent.id, label)).toBe(isChanged);
	});

	test('is told where it is lost', async () => {
		Object.assign(sandbox.settings, form);
		const { lost } = ANSWERS[label];
		const { id, unstored_responses: unstored } = await create({ ...given, [label]: lost });
		expect(stored(id, label)).toBeUndefined();
		expect(unstored).toEqual([
			expect.objectContaining({ label, path: label, repeat_section_order: 1 }),
		]);
	});
});
