import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formOf } from '#connector/domain/template/form.ts';
import { editorNames, listName, REQUIRED_MARK } from '#connector/domain/template/keys.ts';
import { formWith } from '#harness/forms.mts';
import {
	anyTemplate,
	type ControlSpec,
	guid,
	page,
	repeatable,
	section,
	text,
} from '#harness/generatedTemplate.mts';

const FORM = formWith(
	text('Weather', { is_required: true }),
	text('Team'),
	text('Status'),
	repeatable('Room', text('Name', { is_required: true }), text('Colour')),
	page('Page A', text('Gr\u00f6\u00dfe'), text('Site visit')),
);

/** Returns the path of the question that a header matches, and the instance in the header. */
function meant(header: string) {
	const match = FORM.keys.find(header);
	const [column, another] = match.columns;
	if (another !== undefined) return 'ambiguous';
	return column === undefined ? 'none' : [column.path, match.instance];
}

describe('a column name', () => {
	it.each([
		['Weather', undefined, ['Weather', ' weather ', 'f1', 'weather (Required) ']],
		['Weather', undefined, [guid(1).toUpperCase(), `{${guid(1)}}`]],
		['Weather', undefined, [` {${guid(1).replaceAll('-', '')}} `]],
		['Weather', 1, ['Weather:1']],
		['Room/Colour', undefined, ['Room/Colour', 'Room › Colour']],
		['Room/Colour', 2, ['Colour:2', ' colour : 2\u00a0', 'Colour (required):2']],
		['Room/Colour', 3, ['room › colour: 3', 'Room › colour (Required) : 3 ']],
		[
			'Page A/Site visit',
			undefined,
			['page a/site VISIT', 'Site\u00a0visit', '\ufeffSite  visit '],
		],
		['Page A/Gr\u00f6\u00dfe', undefined, ['Gro\u0308\u00dfe']],
	])('matches %s, instance %s: each of %j', (path, instance, headers) => {
		expect(headers.map(meant)).toEqual(headers.map(() => [path, instance]));
	});

	it('prefers a match that differs in case to one that differs in accents', () => {
		const labels = ['Éclairage', 'État général', 'Łazienka', 'Elevé', 'Élevé', 'ÉLEVÉ'];
		const form = formWith(
			page('Étage', ...labels.map((label) => text(label))),
			repeatable('Pièce', text('Où')),
		);
		const meant = {
			Eclairage: ['Étage/Éclairage'],
			'etage/ETAT  GENERAL': ['Étage/État général'],

			'Lazienka (required)': ['Étage/Łazienka'],
			Piece: ['Pièce'],
			'piece/ou: 2': ['Pièce/Où'],
			elevé: ['Étage/Elevé'],
			élevé: ['Étage/Élevé', 'Étage/ÉLEVÉ'],
			Eleve: [],
		};
		for (const [key, paths] of Object.entries(meant)) {
			expect(form.keys.find(key).columns.map(({ path }) => path)).toEqual(paths);
		}
		expect(form.keys.find('piece/ou: 2').instance).toBe(2);
	});

	it.each(['Weather (required) (required)', 'Room › Size', ': 2', '(required)', 'Colour: 0x2'])(
		'such as %j matches nothing',
		(header) => {
			expect(meant(header)).toBe('none');
		},
	);

	it('matches the question with exactly that name rather than one that differs in case or spaces', () => {
		const labels = ['Site', 'SITE', 'Site visit', 'Site  visit'];
		const form = formWith(page('Page', ...labels.map((label) => text(label))));
		for (const question of form.questions) {
			expect(form.keys.find(question.label).columns).toEqual([question]);
		}
		expect(form.keys.find('site').columns).toHaveLength(2);
	});

	it("in the editor's notation matches that column, or a column with exactly that name", () => {
		fc.assert(
			fc.property(anyTemplate, (template) => {
				const form = formOf(template);
				const columns = [...form.questions, ...form.sections];
				for (const [column, name] of editorNames(columns)) {
					// The editor shortens a long name, so it can't be compared.
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

	it('in different case matches the label within a section, even if the label also exists elsewhere', () => {
		const form = formWith(text('Floor'), repeatable('Room', section('Where', text('Floor'))));
		const found = form.sections.map((room) => form.keysIn(room).find('FLOOR').columns);
		expect(found).toMatchObject([[{ path: 'Room/Where/Floor' }]]);
	});

	it('in different case matches the name with a field ID, even if the path exists twice', () => {
		const form = formWith(page('Page', text('Note'), text('Note')));
		expect(form.questions.map(({ name }) => name)).toEqual(['Page/Note (f2)', 'Page/Note (f3)']);
		expect(form.keys.find('page/note (F3)').columns).toEqual([form.questions[1]]);
	});
});

const namesOf = (...specs: ControlSpec[]) => {
	const { questions, sections } = formWith(...specs);
	return [...editorNames([...questions, ...sections]).values()];
};

it("the editor's columns have the shortest unique name", () => {
	const start = page('Start', text('Site'), text('Note'), text('Twice'), text('Twice'));
	expect(namesOf(start, page('End', text('Note')), repeatable('Room', text('Name')))).toEqual([
		'Site',
		'Note (Start)',
		'Twice (f4)',
		'Twice (f5)',
		'Note (End)',
		'Room › Name',
		'Room (list of instances)',
	]);
	const labelled = page('P', text('A'), text('A'), text('A (f2)'));
	expect(namesOf(labelled)).toEqual(['A (f2)', 'A (f3)', 'A (f2) (P)']);
});

it("a question of a repeatable section shows the section's position before its own", () => {
	const room = repeatable('Room', text('Name'));
	expect(namesOf(page('A', room), page('B', room))).toEqual([
		'Room › Name (A)',
		'Room › Name (B)',
		'Room (list of instances) (A)',
		'Room (list of instances) (B)',
	]);
	const sides = ['Left', 'Right'].map((side) => section(side, text('Name')));
	const [left, right] = namesOf(repeatable('Room', ...sides));
	expect([left, right]).toEqual(['Room › Name (Room/Left)', 'Room › Name (Room/Right)']);
});

it('a long label is shortened without its position or the mark of a required question', () => {
	const long = text('x'.repeat(300));
	const names = namesOf(page('A', long), page('B', long)).map((name) => name + REQUIRED_MARK);
	expect(names.map((name) => name.slice(-17))).toEqual(['x… (A) (required)', 'x… (B) (required)']);
	expect(names.map((name) => listName(name))).toEqual(names);
	expect(listName('a\u202eb\nc')).toBe('a b c');
});

/** Field IDs: f1 Weather · f2 Room (repeatable) · f3 Severity · f4 Where (plain) · f5 Floor */
const rooms = () =>
	formWith(text('Weather'), repeatable('Room', text('Severity'), section('Where', text('Floor'))));

it.each([
	['Weather', ['Wether', 'wether:2', 'Wether:1234', 'Weather 2']],
	['Floor', ['Room/Floot']],
	['Severity:2', ['Severity 2', 'Severity2']],
	['Severity:12', ['Severity (12)']],
	['Severity:3', ['Severity #3']],
	['Room', ['Room 2']],
	[undefined, ['Wether:1234x', 'Note 2', 'zzzzzz']],
])('the nearest column name is %s for each of %j', (meant, keys) => {
	expect(keys.map(rooms().nearest)).toEqual(keys.map(() => meant));
});

it('a form looks up the nearest name of only the first 100 keys', () => {
	const form = rooms();
	for (let n = 0; n < 99; n++) form.nearest(`zzzzzz${String(n)}`);
	expect(form.nearest('Wether')).toBe('Weather');
	expect(form.nearest('Weathr')).toBeUndefined();
	expect(form.nearest('Wether')).toBe('Weather');
});

it("a form finds its columns by the mapper's IDs", () => {
	const form = rooms();
	const labels = ['f1', 'section:f2', 'f2'].map((id) => form.columnOf(id)?.label);
	expect(labels).toEqual(['Weather', 'Room', undefined]);
	for (const room of form.sections) expect(form.keysIn(room)).toBe(form.keysIn(room));
});
