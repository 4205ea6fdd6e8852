import { expect, test } from 'vitest';

import { editorNames } from '#connector/domain/template/editorNames.ts';
import { type ControlSpec, formWith, page, repeatable, text } from './generatedTemplate.mts';

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
