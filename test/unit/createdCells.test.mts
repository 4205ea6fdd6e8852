import { expect, test } from 'vitest';

import {
	createdCells,
	type CreatedInspection,
	simplifiedCreated,
} from '#connector/domain/create/createdInspection.ts';

const created = (more: Partial<CreatedInspection> = {}): CreatedInspection => ({
	...{ task_id: 't', warnings: [], unstored_responses: [], already_existed: false },
	...more,
});
const weather = { label: 'Weather', value: 'Wet' };

test.each<[string, Partial<CreatedInspection>, object]>([
	['is empty text where there are none', {}, { warnings: '', unstored_responses: '' }],
	['has null where nothing is known', { unstored_responses: null }, { unstored_responses: null }],
	[
		'has one line of all',
		{ warnings: ['a\nb', 'c'], unstored_responses: [weather, { ...weather, label: 'Site' }] },
		{ warnings: 'a b; c', unstored_responses: '"Weather": "Wet"; "Site": "Wet"' },
	],
	[
		'names the instance from the second on',
		{
			unstored_responses: [1, 2, '2'].map((order) => ({ ...weather, repeat_section_order: order })),
		},
		{ unstored_responses: '"Weather": "Wet"; "Weather:2": "Wet"; "Weather": "Wet"' },
	],
	[
		'names 20, of which each is cut after 300 characters',
		{ warnings: Array.from({ length: 22 }, () => 'w'.repeat(400)) },
		{
			warnings: `${Array.from({ length: 20 }, () => `${'w'.repeat(299)}…`).join('; ')} and 2 more`,
		},
	],
])('a cell of warnings or answers %s', (_, more, cells) => {
	const all = { task_id: 't', warnings: '', unstored_responses: '', already_existed: false };
	expect(createdCells(created(more))).toEqual({ ...all, ...cells });
});

test('a created inspection has flat fields, and null for what the service did not send', () => {
	const facts = { warnings: '', unstored_responses: '', already_existed: true };
	const inspection = {
		...{ id: 'i', name: 'Walk', status: 'new', created_at: '2026-05-31T10:00:00Z' },
		...{ template: { id: 'p' }, team: { id: 'n' }, more: 'x' },
	};
	const template = { id: 'p', name: 'Daily', team: { id: 'n', name: 'North' } };
	const flat = { template: 'Daily', team: 'North', created_at: '2026-05-31T10:00:00Z' };
	const own = { id: 'i', name: 'Walk', status: 'new', task_id: 't' };
	expect(simplifiedCreated(created({ ...inspection, already_existed: true }), template)).toEqual({
		...{ ...own, ...flat, ...facts },
	});
	const nothing = { id: null, name: null, status: null, template: null, team: null };
	expect(simplifiedCreated(created({ already_existed: true }), undefined)).toEqual({
		...{ ...nothing, task_id: 't', created_at: null, ...facts },
	});
});
