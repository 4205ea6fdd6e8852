import { expect, it } from 'vitest';

import { problemText } from '#connector/domain/problem.ts';
import { detailsBody } from './madeOfRows.mts';

const details = (additionalFields: Record<string, unknown>) =>
	detailsBody({ additionalFields, task: undefined });

it.each(['createdBy', 'teamId', 'status'])('blanks in %s count as no value', (name) => {
	expect(details({ [name]: ' \t' })).toEqual({ body: {}, problems: [] });
});

const order = [{ name: 'Order', value: 'A-17' }];

it.each<[unknown, object[]]>([
	[{ customField: order }, order],
	[{ customField: order[0] }, order],
	[order, order],
	[order[0], order],
	[[{ name: 'Order', value: 7 }], [{ name: 'Order', value: '7' }]],
	[{ Order: 'A-17', Note: null }, [...order, { name: 'Note', value: '' }]],
])('custom fields come from %j', (customFields, expected) => {
	expect(details({ customFields })).toEqual({ body: { custom_fields: expected }, problems: [] });
});

it.each([
	{},
	{ customField: [] },
	[],
	'',
	null,
	undefined,
	{ customField: [{ name: '', value: '' }] },
])('%j gives no custom field', (customFields) => {
	expect(details({ customFields })).toEqual({ body: {}, problems: [] });
});

it.each<[Record<string, unknown>, Record<string, unknown> | undefined, string]>([
	[{ status: 'done' }, undefined, 'Status: "done" is none of'],
	[{ teamId: 'north' }, undefined, 'Team ID: "north" is not a GUID'],
	[{ locations: '{' }, undefined, 'Locations: "{" is not'],
	[
		{ customFields: { customField: [{ value: 'x' }] } },
		undefined,
		'Custom Fields: {"value":"x"} has no name',
	],
	[{}, { priority: 'urgent' }, 'Task priority: "urgent" is none'],
	[{}, { title: 'Look', dueDateTime: 'soon' }, 'Task due date: "soon" is not a date; '],
	[
		{},
		{ assignee: Array.from({ length: 51 }, (_, i) => `${String(i)}@x.io`) },
		'Task assignees: 51 emails are more than the 50',
	],
])('a wrong field is told with its value: %j, task %j', (additionalFields, task, message) => {
	const { problems } = detailsBody({ additionalFields, task });
	expect(problems.map(problemText)).toEqual([expect.stringContaining(message)]);
});

it('a text that is no due date is left out, and the error has an example of one', () => {
	const task = { title: 'Look', dueDateTime: 'soon' };
	const { body, problems } = detailsBody({ additionalFields: {}, task });
	expect(body).toEqual({ task: { title: 'Look' } });
	expect(problems.map(problemText)[0]).toMatch(/2026-05-31T17:00:00Z/);
});
