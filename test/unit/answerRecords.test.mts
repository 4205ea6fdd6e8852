import { describe, expect, it } from 'vitest';

import { storedResponsesOf } from '#connector/domain/answer/storedResponse.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { answerRecordsOf } from '#connector/domain/row/placedAnswer.ts';
import { formWith } from '#harness/forms.mts';
import { control, guid, page, repeatable } from '#harness/generatedTemplate.mts';
import { inspectionOf, plan } from './generatedInspection.mts';

const risks = control('checkbox', 'Risks', { choices: ['Dust', 'Heat'] });
const form = formWith(page('Page', control('number', 'Height'), repeatable('Room', risks)));

describe('answer records', () => {
	const none = { label: null, path: null, type: null, section: null, value: null, response: null };
	const noId = { field_id: null, template_control_id: null };
	const typed = { type: 'number', path: 'P/A' };
	it.each<[JsonRecord, JsonRecord]>([
		[{ response: { value: 'x' } }, { ...none, ...noId, value: 'x', response: { value: 'x' } }],
		[
			{ ...typed, field_id: 'a', response: null },
			{ ...none, ...typed, field_id: 'a' },
		],
		[{}, none],
	])("have only what the service sends if the template can't be read: %j", (item, record) => {
		const inspection = { ...inspectionOf([]), data: { items: [item] } };
		expect(answerRecordsOf([inspection], new Map())).toMatchObject([[record]]);
	});

	it('show the value as in a cell, with the response as stored', () => {
		const forms = new Map([[guid(0), form]]);
		const planned = plan(form, { Height: '21.50', 'Risks#2': ['Dust', 'Heat'] });
		const [records] = answerRecordsOf([inspectionOf(planned)], forms);
		const inspection = {
			inspection_id: guid(1_001),
			inspection_name: 'Walk 1',
			inspection_status: 'completed',
			template: 'Generated',
			updated_at: '2026-03-02T08:00:00Z',
		};
		expect(records).toEqual([
			{
				row_key: `${guid(1_001)}|f2|1`,
				...inspection,
				section: null,
				instance: 1,
				label: 'Height',
				path: 'Page/Height',
				type: 'number',
				field_id: 'f2',
				template_control_id: guid(2),
				value: 21.5,
				response: { value: '21.50' },
			},
			{
				row_key: `${guid(1_001)}|f4|2`,
				...inspection,
				section: 'Room',
				instance: 2,
				label: 'Risks',
				path: 'Page/Room/Risks',
				type: 'checkbox',
				field_id: 'f4',
				template_control_id: guid(4),
				value: 'Dust, Heat',
				response: { value: ['Dust', 'Heat'] },
			},
		]);
		expect(Object.keys(records?.[0] ?? {})).toEqual(Object.keys(records?.[1] ?? {}));
		expect(Object.keys(records?.[0] ?? {})[0]).toBe('row_key');
	});

	it('have unique keys, whether or not the template can be read', () => {
		const items = [
			{ field_id: 'f2', label: 'Height' },
			{ field_id: 'f4', repeat_section_order: 2 },
			{ field_id: 'gone', path: 'Page/Gone' },
			{ template_control_id: 'c9' },
			{ path: 'Page/Room/Photo', repeat_section_order: 3 },
			{},
			{},
		];
		const inspection = { ...inspectionOf([]), id: 'walk', data: { items } };
		const keys = [
			'f2|1',
			'f4|2',
			'gone|1',
			'c9|1',
			'Page/Room/Photo|3',
			'answer|1',
			'answer|1 (2)',
		];
		for (const forms of [new Map([[guid(0), form]]), new Map()]) {
			const [records = []] = answerRecordsOf([inspection], forms);
			expect(records.map((record) => record['row_key'])).toEqual(keys.map((key) => `walk|${key}`));
		}
	});
});

it('answer records assign a photo to the section of its control, even if a different section has the same path', () => {
	const rooms = () => repeatable('Rooms', control('media', 'Photo'));
	const twice = formWith(page('Floor', rooms()), page('Floor', rooms()));
	const photo = (n: number) => ({
		field_id: `f${String(n)}`,
		path: 'Floor/Rooms/Photo',
		type: 'media',
	});
	const inspection = { ...inspectionOf([]), data: { items: [photo(3), photo(6), photo(7)] } };
	const [records = []] = answerRecordsOf([inspection], new Map([[guid(0), twice]]));
	const [first, second] = twice.sections.map(({ name }) => name);
	expect(first).not.toBe(second);
	expect(records.map(({ section }) => section)).toEqual([first, second, null]);
});

it.each<[string, JsonRecord, number, string]>([
	['a number after the path', { path: 'Page/Note:12' }, 12, 'Page/Note'],
	['no number', { path: 'Page/Note' }, 1, 'Page/Note'],
	['something else after the number', { path: 'Page/Note:2b' }, 1, 'Page/Note:2b'],
	['a label that ends so', { path: 'Page/Gate:4', label: 'Gate:4' }, 1, 'Page/Gate:4'],
	['only a label that ends so', { path: 'Gate:4', label: 'Gate:4' }, 1, 'Gate:4'],
	['a label that ends like the path', { path: 'Page/A Gate:4', label: 'Gate:4' }, 4, 'Page/A Gate'],
	[
		'the order separately from the path',
		{ path: 'Page/Note', repeat_section_order: 2 },
		2,
		'Page/Note',
	],
	['the order in both', { path: 'Page/Note:2', repeat_section_order: 2 }, 2, 'Page/Note'],
	['order 1 of a path with :1', { path: 'Page/Note:1', repeat_section_order: 1 }, 1, 'Page/Note:1'],
	['the number at the beginning', { path: ':2/Note', repeat_section_order: 2 }, 2, ':2/Note'],
	['a path without its label', { path: 'Page/Room/', label: 'Floor' }, 1, 'Page/Room/Floor'],
	['the order as text', { path: 'Page/Note', repeat_section_order: '2' }, 2, 'Page/Note'],
	['text that is no order', { path: 'Page/Note:3', repeat_section_order: 'x' }, 3, 'Page/Note'],
	['neither', {}, 1, ''],
])(
	'answer records show in which instance a stored answer is, with its path: %s',
	(_, item, order, path) => {
		expect(storedResponsesOf({ data: { items: [item] } })).toMatchObject([{ order, path }]);
	},
);

it.each([
	['Page/ISO 9001:2015', 'Page/ISO 9001:2015', 1],
	['Page/ISO 9001:2015:2', 'Page/ISO 9001:2015', 2],
	['Page/Scale 1:50', 'Page/Scale 1:50/Note', 1],
	['Page/Scale 1:50/', 'Page/Scale 1:50/Note', 1],
	['Page/Note:2', 'Page/Note', 2],
	['Page/Note:2', 'Page/Other', 2],
])(
	'answer records read the instance of the path %s from the path in the template, %s',
	(path, known, order) => {
		const items = [{ field_id: 'f', path }];
		expect(storedResponsesOf({ data: { items } }, () => known)).toMatchObject([{ order }]);
	},
);
