import { describe, expect, test } from 'vitest';

import { instanceSection } from '#connector/domain/row/instanceSection.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { templateOf } from './generatedTemplate.mts';

/** A form with a repeatable section of each label, each on a page of its own. Field ids: f2, f5, f8. */
const formWith = (...labels: string[]) =>
	formOf(
		templateOf(
			labels.map((label, page) => ({
				...{ type: 'page', label: `Page ${String(page + 1)}` },
				children: [
					{
						...{ type: 'section', label, options: { is_repeatable: true } },
						children: [{ type: 'text', label: 'Note' }],
					},
				],
			})),
		),
	);

describe('the section of Row per Instance Of', () => {
	test.each([
		['Room', 'f2'],
		['ROOM', 'f5'],
		['Page 1/Room', 'f2'],
		['f5', 'f5'],
		['section:f5', 'f5'],
		['hall', 'f8'],
		[' Hall ', 'f8'],
		['Attic', undefined],
	])('%s, beside Room, ROOM and " Hall"', (name, fieldId) => {
		expect(instanceSection(formWith('Room', 'ROOM', ' Hall'), name)?.fieldId).toBe(fieldId);
	});

	test('is asked for where several have the name', () => {
		expect(() => instanceSection(formWith('Room', 'ROOM'), 'room')).toThrow(
			/2 sections are called "room"\. Give the path of one: "Page 1\/Room" or "Page 2\/ROOM"\./,
		);
	});
});
