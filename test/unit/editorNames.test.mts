import { expect, test } from 'vitest';

import { editorNames } from '#connector/domain/template/editorNames.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { templateOf } from './generatedTemplate.mts';

test('columns of the editor have the shortest name that no other has', () => {
	const text = (label: string) => ({ type: 'text', label });
	const page = (label: string, ...labels: string[]) => ({
		...{ type: 'page', label },
		children: labels.map(text),
	});
	const room = { type: 'section', label: 'Room', options: { is_repeatable: true } };
	const { questions, sections } = formOf(
		templateOf([
			page('Start', 'Site', 'Note', 'Twice', 'Twice'),
			page('End', 'Note'),
			{ ...room, children: [text('Name')] },
		]),
	);
	expect([...editorNames([...questions, ...sections]).values()]).toEqual([
		'Site',
		'Note (Start)',
		'Twice (f4)',
		'Twice (f5)',
		'Note (End)',
		'Room › Name',
		'Room (list, one entry each)',
	]);
});
