import { expect, it } from 'vitest';

import { problemText } from '#connector/domain/problem.ts';
import { detailsBody } from './madeOfRows.mts';

const details = (additionalFields: Record<string, unknown>) =>
	detailsBody({ additionalFields, task: undefined });

it.each(['name', 'description', 'locations', 'createdBy', 'teamId', 'status'])(
	'blanks in %s count as no value',
	(name) => {
		expect(details({ [name]: ' \t\u200b' })).toEqual({ body: {}, problems: [] });
	},
);

const order = [{ name: 'Order', value: 'A-17' }];

it.each<[unknown, object[]]>([
	[{ customField: order }, order],
	[{ customField: order[0] }, order],
	[order, order],
	[order[0], order],
	[[{ name: 'Order', value: 7 }], [{ name: 'Order', value: '7' }]],
	[{ Order: 'A-17', Note: null }, [...order, { name: 'Note', value: '' }]],
	[[...order, null, {}, { value: '' }, { name: ' ', value: '\u00a0' }], order],
	[
		[
			{ name: 'At', value: new Date(0) },
			{ name: 'Of', value: { a: 1 } },
		],
		[
			{ name: 'At', value: '1970-01-01T00:00:00.000Z' },
			{ name: 'Of', value: '{"a":1}' },
		],
	],
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
	[{ status: 'done' }, undefined, 'Status: "done" is none of new, in_progress, '],
	[{ teamId: 'north' }, undefined, 'Team ID: "north" is not a GUID'],
	[{ locations: '{' }, undefined, 'Locations: "{" is not'],
	[
		{ customFields: { customField: [{ value: 'x' }] } },
		undefined,
		'Custom Fields: {"value":"x"} has no name; give it one',
	],
	[{ customFields: 'A-17' }, undefined, 'Custom Fields: "A-17" has no name'],
	[{}, { priority: 'urgent' }, 'Task priority: "urgent" is none'],
	[
		{},
		{ dueDateTime: 'soon' },
		'Task due date: "soon" is not a date; write year, month and day, such as 2026-05-31T17:00:00Z',
	],
	[
		{},
		{ assignee: Array.from({ length: 51 }, (_, i) => `${String(i)}@x.io`) },
		'Task assignees: 51 emails are more than the 50 that a task takes; leave 1 out',
	],
])('a wrong field is told with its value: %j, task %j', (additionalFields, task, message) => {
	const { problems } = detailsBody({ additionalFields, task });
	expect(problems.map(problemText)).toEqual([expect.stringContaining(message)]);
});

const emails = Array.from({ length: 50 }, (_, i) => `${String(i)}@x.io`);

it.each<[string, Record<string, unknown>, Record<string, unknown>, object]>([
	[
		'a date is its ISO text',
		{ name: new Date(0) },
		{},
		{ name: '1970-01-01T00:00:00.000Z', task: {} },
	],
	[
		'an object is its JSON',
		{ description: { a: 1 }, name: 7 },
		{},
		{ description: '{"a":1}', name: '7', task: {} },
	],
	[
		'one location is a list',
		{ locations: { name: 'Gate' } },
		{},
		{ locations: [{ name: 'Gate' }], task: {} },
	],
	['no location is none', { locations: [] }, { assignee: [] }, { task: {} }],
	['50 assignees are enough', {}, { assignee: emails.join('; ') }, { task: { assignee: emails } }],
	[
		'assignees are read as JSON',
		{},
		{ assignee: ' ["a@x.io", ["b@x.io"]]' },
		{ task: { assignee: ['a@x.io', 'b@x.io'] } },
	],
	['other brackets are left', {}, { assignee: '[a@x.io' }, { task: { assignee: ['[a@x.io'] } }],
])('%s', (_, additionalFields, task, body) => {
	expect(detailsBody({ additionalFields, task })).toEqual({ body, problems: [] });
});
