import { expect, test } from 'vitest';

import { editorNames, listName, REQUIRED_MARK } from '#connector/domain/template/keys.ts';
import {
	type ControlSpec,
	formWith,
	page,
	repeatable,
	section,
	text,
} from './generatedTemplate.mts';

const namesOf = (...specs: ControlSpec[]) => {
	const { questions, sections } = formWith(...specs);
	return [...editorNames([...questions, ...sections]).values()];
};

test('columns of the editor have the shortest name that no other has', () => {
	const start = page('Start', text('Site'), text('Note'), text('Twice'), text('Twice'));
	expect(namesOf(start, page('End', text('Note')), repeatable('Room', text('Name')))).toEqual([
		...['Site', 'Note (Start)', 'Twice (f4)', 'Twice (f5)', 'Note (End)'],
		...['Room › Name', 'Room (list, one entry each)'],
	]);
});

test('a column keeps its name with the field id where another one is labelled so', () => {
	expect(namesOf(page('P', text('A'), text('A'), text('A (f2)')))).toEqual([
		...['A (f2)', 'A (f3)', 'A (f2) (P)'],
	]);
});

test('a question of a repeatable section has the place of the section, then its own', () => {
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

test('a long label gets shorter, so that its place and the mark of a required question stay', () => {
	const long = text('x'.repeat(300));
	const names = namesOf(page('A', long), page('B', long));
	expect(names.map((name) => name.slice(-6))).toEqual(['x… (A)', 'x… (B)']);
	expect(names.map((name) => listName(name + REQUIRED_MARK))).toEqual(
		names.map((name) => `${name} (required)`),
	);
	expect(listName('a\u202eb\nc')).toBe('a b c');
});
