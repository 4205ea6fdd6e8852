import { expect, it } from 'vitest';

import { detailsBody } from '#harness/madeOfRows.mts';

it.each(['name', 'description', 'locations', 'createdBy', 'teamId', 'status'])(
	'%s with only spaces counts as no value',
	(name) => {
		expect(detailsBody({ [name]: ' \t\u200b' })).toEqual({ body: {}, problems: [] });
	},
);

const order = [{ name: 'Order', value: 'A-17' }];

it.each<[unknown, object[]?]>([
	[{ customField: order }, order],
	[{ customField: [{ name: 'Order', value: 7 }] }, [{ name: 'Order', value: '7' }]],
	[{ customField: [...order, {}, { value: '' }, { name: ' ', value: '\u00a0' }] }, order],
	[{ customField: [{ name: 'Note', value: null }] }, [{ name: 'Note', value: '' }]],
	[
		{ customField: [{ name: 'At', value: new Date(0) }] },
		[{ name: 'At', value: '1970-01-01T00:00:00.000Z' }],
	],
	[{ customField: [{ name: 'Of', value: { a: 1 } }] }, [{ name: 'Of', value: '{"a":1}' }]],
	[{}],
	[{ customField: [] }],
	[undefined],
	[{ customField: [{ name: '', value: '' }] }],
])('custom fields are read from %j, if it has any', (customFields, custom_fields) => {
	expect(detailsBody({ customFields })).toEqual({ body: { custom_fields }, problems: [] });
});

const emails = Array.from({ length: 51 }, (_, n) => `${String(n)}@x.io`);

it.each<[Record<string, unknown>, string]>([
	[{ status: 'done' }, 'Status: "done" is not one of these: new, in_progress, '],
	[{ teamId: 'north' }, 'Team: "north" is not the ID of a team'],
	[{ locations: '{' }, `Locations: "{" isn't`],
	[
		{ customFields: { customField: [{ value: 'x' }] } },
		'Custom Fields: {"value":"x"} has no name. Enter a name',
	],
	[{ priority: 'urgent' }, 'Task → Priority: "urgent" is not one of'],
	[
		{ dueDateTime: 'soon' },
		'Task → Due Date: "soon" is not a date. Write an existing day, such as 2026-05-31T17:00:00Z, or leave the cell empty',
	],
	[
		{ assignee: 'Kim Lee' },
		`Task → Assignees (Emails): "Kim Lee" isn't an email. Separate emails with commas`,
	],
	[
		{ assignee: 'a@x.io and b@x.io' },
		`Task → Assignees (Emails): "a@x.io and b@x.io" isn't an email`,
	],
	[{ assignee: 'Kim <kim@x.io> Ana' }, `Task → Assignees (Emails): "Ana" isn't an email`],
	[{ assignee: ['[a@x.io', 'b@x.io'] }, `Task → Assignees (Emails): "[a@x.io" isn't an email`],
	...[[], {}, ['A'], '[]', '[ ]', ' {} ', '{ }', { a: 1 }].map(
		(name): [Record<string, unknown>, string] => [{ name }, "isn't a name. Enter text"],
	),
	[{ name: 46173 }, "Name: 46173 isn't a name, because it might be the day 2026-05-31"],
	[{ assignee: 'a@b@x.io' }, `Task → Assignees (Emails): "a@b@x.io" isn't an email`],
	[
		{ assignee: emails },
		'Task → Assignees (Emails): 51 emails, but a task accepts 50. Remove at least 1 of them',
	],
])('an invalid field is reported with its value: %j', (fields, message) => {
	expect(detailsBody(fields).problems).toEqual([expect.stringContaining(message)]);
});

it.each(['[] Walk', 'Walk {}', '[A]', '{A}'])('a name can have brackets: %s', (name) => {
	expect(detailsBody({ name })).toEqual({ body: { name }, problems: [] });
});

it.each<[string, Record<string, unknown>, object]>([
	['a date is its ISO text', { name: new Date(0) }, { name: '1970-01-01T00:00:00.000Z' }],
	['an object is its JSON', { description: { a: 1 } }, { description: '{"a":1}' }],
	['a number is its text', { name: 7 }, { name: '7' }],
	['one location is a list', { locations: { name: 'Gate' } }, { locations: [{ name: 'Gate' }] }],
	['skips an empty list', { locations: [] }, {}],
])("a field's value has the necessary format: %s", (_, fields, body) => {
	expect(detailsBody(fields)).toEqual({ body, problems: [] });
});

it.each<[string, unknown, string[]?]>([
	['text with 50 of them', emails.slice(1).join('; '), emails.slice(1)],
	['JSON', ' ["a@x.io", ["b@x.io"]]', ['a@x.io', 'b@x.io']],
	['emails with names', 'User 2 <user2@x.io>', ['user2@x.io']],
	[
		'several with names',
		'Kim Lee <kim@x.io>; "Lee, Ana" < ana@x.io >,bo@x.io',
		['kim@x.io', 'ana@x.io', 'bo@x.io'],
	],
	[
		'a quoted name with several commas',
		'"Lee, Kim, Dr." <kim@x.io>, bo@x.io',
		['kim@x.io', 'bo@x.io'],
	],
	[
		'names with the family name first',
		'Lee, Kim <kim@x.io>, Ito, Rei <rei@x.io>',
		['kim@x.io', 'rei@x.io'],
	],
	['links of a mail program', '<mailto:kim@x.io> , ', ['kim@x.io']],
	['emails with spaces between them', 'a@x.io  b@x.io\tc@x.io', ['a@x.io', 'b@x.io', 'c@x.io']],
	['a list of such', ['Kim <kim@x.io>', 'a@x.io b@x.io'], ['kim@x.io', 'a@x.io', 'b@x.io']],
	['an empty list, which counts as no assignees', []],
])('assignees are read from %s', (_, assignee, found) => {
	const body = { task: { assignee: found } };
	expect(detailsBody({ assignee }, true)).toEqual({ body, problems: [] });
});
