/** A service that keeps answers in a form of its own: no false alarm, and an answer that is lost is told all the same. */
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { number, radio, text } from '#harness/controls.mts';
import { createForTests } from '#harness/createForTests.mts';
import type { SandboxSettings } from '#sandbox/service/settings.mts';

const { sandbox, create, stored } = await createForTests([
	{ ...text('Remark', 'remark'), is_multiline: true },
	number('Reading', 'reading'),
	{ type: 'date', label: 'Moment', fieldId: 'moment', show_time: true },
	{ ...radio('Risks', 'risks', 'Dust', 'Noise, loud', 'Heat'), type: 'checkbox' },
	{ ...radio('Crew', 'crew', 'North', 'South'), type: 'dropdown' },
]);

/** What each form changes is among them. */
const GIVEN = {
	Remark: '  Loose cable\r\nat the gate \n',
	Reading: 0.1,
	Moment: '2026-05-31T10:00:00.987Z',
	Risks: ['Dust', 'Noise, loud'],
	Crew: 'South',
};
/** What the service does not take for the same question. */
const LOST = {
	...{ Remark: { text: 'Loose' }, Reading: 'many', Moment: 'soon', Risks: ['Rain'], Crew: 'East' },
};

/** The labels of the answers that are told as not stored. */
async function unstored(item: IDataObject): Promise<unknown> {
	const options = { validateResponses: false };
	const { jsons } = await create([item], { options, others: { output: 'raw' } });
	return (jsons[0]?.unstored_responses as IDataObject[]).map(({ label }) => label);
}

test.each<[keyof typeof GIVEN, Partial<SandboxSettings>]>([
	['Remark', { storedTexts: 'trimmed' }],
	['Remark', { storedLineBreaks: 'lf' }],
	['Reading', { storedNumbers: 'float32' }],
	['Reading', { storedNumbers: 'text' }],
	['Moment', { storedDates: 's' }],
	['Moment', { storedDates: 'utc' }],
	['Crew', { storedChoices: 'array' }],
	['Risks', { storedChoices: 'reordered' }],
	['Risks', { storedChoices: 'joined' }],
])('%s kept as %j is found again, and told where it is lost', async (label, form) => {
	Object.assign(sandbox.settings, form);
	expect(await unstored(GIVEN)).toEqual([]);
	expect(await unstored({ ...GIVEN, [label]: LOST[label] })).toEqual([label]);
	expect(stored()[1]?.some((answer) => answer.startsWith(label))).toBe(false);
});
