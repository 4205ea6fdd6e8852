/** Names of columns as people write them into the header of a sheet. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ownColumns } from '#connector/domain/create/unusedColumns.ts';
import { editorNames } from '#connector/domain/template/editorNames.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { anyTemplate, templateOf } from './generatedTemplate.mts';

const FORM = formOf(
	templateOf([
		{ type: 'text', label: 'Weather', options: { is_required: true } },
		{ type: 'text', label: 'Team' },
		{ type: 'text', label: 'Status' },
		{
			type: 'section',
			label: 'Room',
			options: { is_repeatable: true },
			children: [
				{ type: 'text', label: 'Name', options: { is_required: true } },
				{ type: 'text', label: 'Colour' },
			],
		},
	]),
);

/** The question's path and the instance that a header means. */
function meant(header: string) {
	const match = FORM.keys.find(header);
	const [column, another] = match.columns;
	if (another !== undefined) return 'ambiguous';
	return column === undefined ? 'none' : [column.path, match.instance];
}

describe('a header', () => {
	it.each([
		['Colour:2', 'Room/Colour', 2],
		['Colour:2 ', 'Room/Colour', 2],
		['Colour: 2', 'Room/Colour', 2],
		[' colour : 2\u00a0', 'Room/Colour', 2],
		['Room › Colour', 'Room/Colour', undefined],
		['Room › Colour:3', 'Room/Colour', 3],
		['room › colour: 3', 'Room/Colour', 3],
		['Room › Name (required)', 'Room/Name', undefined],
		['Weather (required)', 'Weather', undefined],
		['weather (Required) ', 'Weather', undefined],
	])('%j means %s, instance %s', (header, path, instance) => {
		expect(meant(header)).toEqual([path, instance]);
	});

	it.each(['Weather (required) (required)', 'Room › Size', ': 2', '(required)', 'Colour: 0x2'])(
		'%j means nothing',
		(header) => {
			expect(meant(header)).toBe('none');
		},
	);

	it('as the editor shows a column means that column, or one that is called so itself', () => {
		fc.assert(
			fc.property(anyTemplate, (template) => {
				const form = formOf(template);
				const columns = [...form.questions, ...form.sections];
				for (const [column, name] of editorNames(columns)) {
					// A long name is cut in the editor, and a clean line there.
					if (name.includes('…')) continue;
					const [found, another] = form.keys.find(name).columns;
					expect(found).toBeDefined();
					if (found === undefined || found === column || another !== undefined) continue;
					const names = [found.label, found.name, found.path, found.fieldId];
					expect(names.map((text) => text.trim())).toContain(name);
				}
			}),
		);
	});
});

describe('columns that are a row’s own', () => {
	it('are named with the question and the name that is taken for it', () => {
		expect(ownColumns(FORM, { team: 'North', status: '', id: '7' })).toEqual([
			'"team" (rename it to "Team")',
		]);
	});

	it('are not named where the question has a column', () => {
		expect(ownColumns(FORM, { team: 'North', Team: '' })).toEqual([]);
	});
});

describe('a key in other letters', () => {
	const text = (label: string) => ({ type: 'text', label });
	const section = (label: string, children: ReturnType<typeof text>[]) => ({
		...{ type: 'section', label, options: { is_repeatable: true } },
		children: [{ type: 'section', label: 'Where', children }],
	});

	it('means the label inside of a section, where the label stands elsewhere too', () => {
		const form = formOf(templateOf([text('Floor'), section('Room', [text('Floor')])]));
		const [room] = form.sections;
		const [column] = room === undefined ? [] : form.keysIn(room).find('FLOOR').columns;
		expect(column?.path).toBe('Room/Where/Floor');
	});

	it('means the name with a field id, where even the path stands twice', () => {
		const page = { type: 'page', label: 'Page', children: [text('Note'), text('Note')] };
		const form = formOf(templateOf([page]));
		expect(form.questions.map(({ name }) => name)).toEqual(['Page/Note (f2)', 'Page/Note (f3)']);
		expect(form.keys.find('page/note (F3)').columns).toEqual([form.questions[1]]);
	});
});
