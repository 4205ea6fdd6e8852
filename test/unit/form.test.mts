import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formOf } from '#connector/domain/template/form.ts';
import { editorNames, listName, REQUIRED_MARK } from '#connector/domain/template/keys.ts';
import {
	anyTemplate,
	type ControlSpec,
	formWith,
	guid,
	page,
	repeatable,
	section,
	text,
} from './generatedTemplate.mts';

const FORM = formWith(
	text('Weather', { is_required: true }),
	text('Team'),
	text('Status'),
	repeatable('Room', text('Name', { is_required: true }), text('Colour')),
	page('Page A', text('Gr\u00f6\u00dfe'), text('Site visit')),
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
		['Weather', 'Weather', undefined],
		[' weather ', 'Weather', undefined],
		['f1', 'Weather', undefined],
		['Weather:1', 'Weather', 1],
		[guid(1).toUpperCase(), 'Weather', undefined],
		[`{${guid(1)}}`, 'Weather', undefined],
		[` {${guid(1).replaceAll('-', '')}} `, 'Weather', undefined],
		['Room/Colour', 'Room/Colour', undefined],
		['page a/site VISIT', 'Page A/Site visit', undefined],
		['Site\u00a0visit', 'Page A/Site visit', undefined],
		['\ufeffSite  visit ', 'Page A/Site visit', undefined],
		['Gro\u0308\u00dfe', 'Page A/Gr\u00f6\u00dfe', undefined],
		['Colour:2', 'Room/Colour', 2],
		[' colour : 2\u00a0', 'Room/Colour', 2],
		['Room › Colour', 'Room/Colour', undefined],
		['room › colour: 3', 'Room/Colour', 3],
		['weather (Required) ', 'Weather', undefined],
		['Colour (required):2', 'Room/Colour', 2],
		['Room › colour (Required) : 3 ', 'Room/Colour', 3],
	])('%j means %s, instance %s', (header, path, instance) => {
		expect(meant(header)).toEqual([path, instance]);
	});

	it('means the one label, path or section that differs in accents, after any that differs in case', () => {
		const labels = ['Éclairage', 'État général', 'Łazienka', 'Elevé', 'Élevé', 'ÉLEVÉ'];
		const form = formWith(
			page('Étage', ...labels.map((label) => text(label))),
			repeatable('Pièce', text('Où')),
		);
		const pathOf = (key: string) => form.keys.find(key).columns.map(({ path }) => path);
		expect(pathOf('Eclairage')).toEqual(['Étage/Éclairage']);
		expect(pathOf('etage/ETAT  GENERAL')).toEqual(['Étage/État général']);
		expect(pathOf('Lazienka (required)')).toEqual(['Étage/Łazienka']);
		expect(pathOf('Piece')).toEqual(['Pièce']);
		expect(form.keys.find('piece/ou: 2')).toMatchObject({
			columns: [{ label: 'Où' }],
			instance: 2,
		});
		expect(pathOf('elevé')).toEqual(['Étage/Elevé']);
		expect(pathOf('élevé')).toHaveLength(2);
		expect(pathOf('Eleve')).toEqual([]);
	});

	it.each(['Weather (required) (required)', 'Room › Size', ': 2', '(required)', 'Colour: 0x2'])(
		'%j means nothing',
		(header) => {
			expect(meant(header)).toBe('none');
		},
	);

	it('means the question that is called exactly so, where another one differs in case or blanks', () => {
		const labels = ['Site', 'SITE', 'Site visit', 'Site  visit'];
		const form = formWith(page('Page', ...labels.map((label) => text(label))));
		for (const question of form.questions) {
			expect(form.keys.find(question.label).columns).toEqual([question]);
		}
		expect(form.keys.find('site').columns).toHaveLength(2);
	});

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

	it('in other letters means the label inside of a section, where the label stands elsewhere too', () => {
		const form = formWith(text('Floor'), repeatable('Room', section('Where', text('Floor'))));
		const found = form.sections.map((room) => form.keysIn(room).find('FLOOR').columns);
		expect(found).toMatchObject([[{ path: 'Room/Where/Floor' }]]);
	});

	it('in other letters means the name with a field id, where even the path stands twice', () => {
		const form = formWith(page('Page', text('Note'), text('Note')));
		expect(form.questions.map(({ name }) => name)).toEqual(['Page/Note (f2)', 'Page/Note (f3)']);
		expect(form.keys.find('page/note (F3)').columns).toEqual([form.questions[1]]);
	});
});

const namesOf = (...specs: ControlSpec[]) => {
	const { questions, sections } = formWith(...specs);
	return [...editorNames([...questions, ...sections]).values()];
};

it('columns of the editor have the shortest name that no other has', () => {
	const start = page('Start', text('Site'), text('Note'), text('Twice'), text('Twice'));
	expect(namesOf(start, page('End', text('Note')), repeatable('Room', text('Name')))).toEqual([
		...['Site', 'Note (Start)', 'Twice (f4)', 'Twice (f5)', 'Note (End)'],
		...['Room › Name', 'Room (list, one entry each)'],
	]);
});

it('a column keeps its name with the field id where another one is labelled so', () => {
	expect(namesOf(page('P', text('A'), text('A'), text('A (f2)')))).toEqual([
		...['A (f2)', 'A (f3)', 'A (f2) (P)'],
	]);
});

it('a question of a repeatable section has the place of the section, then its own', () => {
	const room = repeatable('Room', text('Name'));
	expect(namesOf(page('A', room), page('B', room))).toEqual([
		...['Room › Name (A)', 'Room › Name (B)'],
		...['Room (list, one entry each) (A)', 'Room (list, one entry each) (B)'],
	]);
	const sides = ['Left', 'Right'].map((side) => section(side, text('Name')));
	expect(namesOf(repeatable('Room', ...sides)).slice(0, 2)).toEqual([
		...['Room › Name (Room/Left)', 'Room › Name (Room/Right)'],
	]);
});

it('a long label gets shorter, so that its place and the mark of a required question stay', () => {
	const long = text('x'.repeat(300));
	const names = namesOf(page('A', long), page('B', long)).map((name) => name + REQUIRED_MARK);
	expect(names.map((name) => name.slice(-17))).toEqual(['x… (A) (required)', 'x… (B) (required)']);
	expect(names.map((name) => listName(name))).toEqual(names);
	expect(listName('a\u202eb\nc')).toBe('a b c');
});

/** f1 Weather · f2 Room (repeatable) · f3 Severity · f4 Where (plain) · f5 Floor */
const rooms = () =>
	formWith(text('Weather'), repeatable('Room', text('Severity'), section('Where', text('Floor'))));
const ROOMS = rooms();
const labels = (columns: readonly { label: string }[]) => columns.map(({ label }) => label);

describe('a form', () => {
	it('has its questions and sections in order, by the ids of the mapper’s columns', () => {
		expect(labels(ROOMS.questions)).toEqual(['Weather', 'Severity', 'Floor']);
		expect(labels(ROOMS.sections)).toEqual(['Room']);
		expect(ROOMS.questions.map(ROOMS.placeOf)).toEqual([0, 1, 2]);
		expect(ROOMS.columnOf('f1')?.label).toBe('Weather');
		expect(ROOMS.columnOf('section:f2')?.label).toBe('Room');
		expect(ROOMS.columnOf('f2')).toBeUndefined();
	});

	it('knows the questions of a section, also those of plain sections in it, and their keys', () => {
		const [room] = ROOMS.sections;
		if (room === undefined) throw new Error('no section');
		expect(labels(ROOMS.questionsIn(room))).toEqual(['Severity', 'Floor']);
		expect(labels(ROOMS.keysIn(room).find('Where/Floor').columns)).toEqual(['Floor']);
		expect(ROOMS.keysIn(room).find('Weather').columns).toEqual([]);
		expect(labels(ROOMS.sectionKeys.find('Room').columns)).toEqual(['Room']);
		expect(ROOMS.sectionKeys.find('Weather').columns).toEqual([]);
		expect(ROOMS.keysIn(room)).toBe(ROOMS.keysIn(room));
	});

	it.each([
		['Wether', 'Weather'],
		['wether:2', 'Weather'],
		['Wether:1234', 'Weather'],
		['Wether:1234x', undefined],
		['Room/Floot', 'Floor'],
		['Severity 2', 'Severity:2'],
		['Severity2', 'Severity:2'],
		['Severity (12)', 'Severity:12'],
		['Severity #3', 'Severity:3'],
		['Weather 2', 'Weather'],
		['Room 2', 'Room'],
		['Note 2', undefined],
		['zzzzzz', undefined],
	])('%s most likely means %s', (key, meant) => {
		expect(rooms().nearest(key)).toBe(meant);
	});

	it('looks up the first 100 keys and no more', () => {
		const form = rooms();
		for (let n = 0; n < 99; n++) form.nearest(`zzzzzz${String(n)}`);
		expect(form.nearest('Wether')).toBe('Weather');
		expect(form.nearest('Weathr')).toBeUndefined();
		expect(form.nearest('Wether')).toBe('Weather');
	});
});
