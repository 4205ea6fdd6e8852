import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { groupRows } from '#connector/domain/create/groupRows.ts';
import { missingSection } from '#connector/domain/row/instanceSection.ts';
import { ROW_KEYS } from '#connector/domain/rowKeys.ts';
import { formOf } from '#connector/domain/template/form.ts';
import {
	comparable,
	filledTemplate,
	inspectionOf,
	plan,
	rowLists,
} from './generatedInspection.mts';
import { guid, templateOf } from './generatedTemplate.mts';
import { groupRequest } from './madeOfRows.mts';

const text = (label: string) => ({ type: 'text', label });
const repeatable = (label: string, questions: string[]) => ({
	type: 'section',
	label,
	options: { is_repeatable: true },
	children: questions.map(text),
});
const template = templateOf([
	{
		type: 'page',
		label: 'Page',
		children: [
			text('Site'),
			repeatable('Findings', ['What', 'Where']),
			repeatable('People', ['Who']),
			text('Result'),
		],
	},
]);
const form = formOf(template);

describe('rows per instance', () => {
	it('grouped by id by Create make the same answers', () => {
		fc.assert(
			fc.property(
				filledTemplate,
				fc.constantFrom('label' as const, 'path' as const, 'fieldId' as const),
				fc.nat(),
				({ template, form, inspections }, columnNames, choice) => {
					const section = form.sections[choice % Math.max(1, form.sections.length)];
					const rowPerInstanceOf = section?.fieldId ?? 'none';
					const read = inspections.map((planned, number) => inspectionOf(planned, { number }));
					const rows = rowLists(read, template, { columnNames, rowPerInstanceOf }).flat();
					const groups = groupRows(rows, 'id');
					expect(groups).toHaveLength(inspections.length);
					groups.forEach((group, index) => {
						const grouped = group.rows.map((place) => rows[place] ?? {});
						const { sent } = groupRequest(form, grouped, { places: [...group.rows] });
						expect(comparable(sent)).toEqual(comparable(inspections[index] ?? []));
					});
				},
			),
			{ numRuns: 300 },
		);
	});

	it('repeat what is outside of sections, and hold another section whole in the first of them', () => {
		const planned = plan(form, {
			Site: 'Hall',
			'What#1': 'Crack',
			'What#2': 'Leak',
			'Where#2': 'Roof',
			'Who#1': 'Ana',
			'Who#2': 'Bo',
		});
		const [rows = []] = rowLists([inspectionOf(planned)], template, {
			rowPerInstanceOf: ' findings ',
		});
		const people = '[{"Who":"Ana"},{"Who":"Bo"}]';
		expect(Object.keys(rows[0] ?? {})).toEqual([
			...ROW_KEYS,
			'instance',
			'Site',
			'What',
			'Where',
			'People',
			'Result',
		]);
		expect(rows.map((row) => Object.values(row).slice(ROW_KEYS.length))).toEqual([
			[1, 'Hall', 'Crack', null, people, null],
			[2, 'Hall', 'Leak', 'Roof', null, null],
		]);
	});

	it('are one row where an inspection has no instance', () => {
		const [rows = []] = rowLists([inspectionOf(plan(form, { Site: 'Hall' }))], template, {
			rowPerInstanceOf: 'Findings',
		});
		expect(rows).toMatchObject([{ instance: null, Site: 'Hall', What: null }]);
	});

	it.each(['Page/Findings', 'f3', 'section:f3', guid(3), guid(3).toUpperCase()])(
		'take the section by %s',
		(rowPerInstanceOf) => {
			const inspection = inspectionOf(plan(form, { 'What#1': 'a', 'What#2': 'b' }));
			expect(rowLists([inspection], template, { rowPerInstanceOf })[0]).toHaveLength(2);
		},
	);

	it('are refused where several sections have the label', () => {
		const twice = templateOf([
			{ type: 'page', label: 'One', children: [repeatable('Room', ['a'])] },
			{ type: 'page', label: 'Two', children: [repeatable('Room', ['b'])] },
		]);
		const rows = () => rowLists([inspectionOf([])], twice, { rowPerInstanceOf: 'Room' });
		expect(rows).toThrow(
			'2 sections are called "Room". Give the path of one: "One/Room" or "Two/Room".',
		);
	});

	it('say which sections there are where none has the name', () => {
		expect(missingSection([form], 'Finding')).toMatch(
			/^Row per Instance Of: "Finding" is no repeatable section; known are "Findings", "People"\./,
		);
		expect(missingSection([form], 'Findings')).toBeUndefined();
	});
});
