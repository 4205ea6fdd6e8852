import { describe, expect, it } from 'vitest';

import { missingSection } from '#connector/domain/row/row.ts';
import { instanceSection } from '#connector/domain/row/rowTable.ts';
import { ROW_KEYS } from '#connector/domain/rowKeys.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { inspectionOf, plan, rowLists } from './generatedInspection.mts';
import { formWith, guid, page, repeatable, templateOf, text } from './generatedTemplate.mts';

const template = templateOf([
	text('Site'),
	repeatable('Findings', text('What'), text('Where')),
	repeatable('People', text('Who')),
	text('Result'),
]);
const form = formOf(template);

describe('rows per instance', () => {
	it('repeat what is outside of sections, and hold another section whole in the first of them', () => {
		const planned = plan(form, {
			...{ Site: 'Hall', 'What#1': 'Crack', 'What#2': 'Leak', 'Where#2': 'Roof' },
			...{ 'Who#1': 'Ana', 'Who#2': 'Bo' },
		});
		const [rows = []] = rowLists([inspectionOf(planned)], template, {
			rowPerInstanceOf: ' findings ',
		});
		expect(Object.keys(rows[0] ?? {})).toEqual([
			...[...ROW_KEYS, 'instance', 'Site', 'What', 'Where', 'People', 'Result'],
		]);
		expect(rows.map((row) => Object.values(row).slice(ROW_KEYS.length))).toEqual([
			[1, 'Hall', 'Crack', null, '[{"Who":"Ana"},{"Who":"Bo"}]', null],
			[2, 'Hall', 'Leak', 'Roof', null, null],
		]);
	});

	it.each([
		['an inspection has no instance', template, { instance: null, Site: 'Hall', What: null }],
		['the template may not be read', undefined, { instance: null, Site: 'Hall' }],
	])('are one row where %s', (_, known, row) => {
		const [rows = []] = rowLists([inspectionOf(plan(form, { Site: 'Hall' }))], known, {
			rowPerInstanceOf: 'Findings',
		});
		expect(rows).toMatchObject([row]);
	});

	it('come in the order of the instances, whatever order the service sends', () => {
		const planned = plan(form, { 'What#10': 'Leak', 'What#2': 'Crack', 'Where#1': 'Roof' });
		const [rows = []] = rowLists([inspectionOf(planned)], template, {
			rowPerInstanceOf: 'Findings',
		});
		expect(rows.map(({ instance, What, Where }) => [instance, What, Where])).toEqual([
			[1, null, 'Roof'],
			[2, 'Crack', null],
			[3, 'Leak', null],
		]);
	});

	it('hold answers whose question is gone: in the row of their instance, from elsewhere in each row', () => {
		const nested = templateOf([
			page('Page', repeatable('Room', text('Colour'), repeatable('Doors', text('Width')))),
		]);
		const items = [
			{ field_id: 'f3', response: { value: 'red' }, repeat_section_order: 1 },
			{ field_id: 'f3', response: { value: 'blue' }, repeat_section_order: 2 },
			{ path: 'Page/Room/Old', response: { value: 'gone' }, repeat_section_order: 2 },
			{ path: 'Page/Room/Doors/Old', response: { value: 'oak' }, repeat_section_order: 3 },
			{ path: 'Page/Old', response: { value: 'kept' } },
		];
		const inspection = { ...inspectionOf([]), data: { items } };
		const [rows = []] = rowLists([inspection], nested, { rowPerInstanceOf: 'Room' });
		expect(rows.map((row) => Object.values(row).slice(ROW_KEYS.length))).toEqual([
			[1, 'red', null, null, 'oak', 'kept'],
			[2, 'blue', null, 'gone', 'oak', 'kept'],
		]);
	});
});

describe('the section of Row per Instance Of', () => {
	/** A form with a repeatable section of each label, each on a page of its own. Field ids: f2, f5, f8. */
	const sectionsOf = (...labels: string[]) =>
		formWith(
			...labels.map((label, n) => page(`Page ${String(n + 1)}`, repeatable(label, text('Note')))),
		);

	it.each([
		['Room', 'f2'],
		['ROOM', 'f5'],
		['Page 1/Room', 'f2'],
		['f5', 'f5'],
		['section:f5', 'f5'],
		[guid(5), 'f5'],
		[`{${guid(5).toUpperCase()}}`, 'f5'],
		['hall', 'f8'],
		[' Hall ', 'f8'],
		['Attic', undefined],
	])('%s, beside Room, ROOM and " Hall"', (name, fieldId) => {
		expect(instanceSection(sectionsOf('Room', 'ROOM', ' Hall'), name)?.fieldId).toBe(fieldId);
	});

	it('is asked for where several have the name', () => {
		expect(() => instanceSection(sectionsOf('Room', 'ROOM'), 'room')).toThrow(
			'2 sections are called "room". Give the path of one: "Page 1/Room" or "Page 2/ROOM".',
		);
		const twice = formWith(page('P', repeatable('Room', text('A')), repeatable('Room', text('B'))));
		expect(() => instanceSection(twice, 'P/Room')).toThrow('Give the ID of one: "f2" or "f4".');
	});

	it('is one of those that there are, which the message names', () => {
		expect(missingSection([form], 'Finding')).toMatch(
			/^Row per Instance Of: "Finding" is no repeatable section; known are "Findings", "People"\./,
		);
		expect(missingSection([formWith(text('Site')), form], 'Findings')).toBeUndefined();
		expect(missingSection([formWith(text('Site'))], 'Findings')).toMatch(
			/is no repeatable section; there is none in the templates of these inspections\./,
		);
	});
});
