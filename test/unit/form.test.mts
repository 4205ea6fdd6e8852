import { describe, expect, test } from 'vitest';

import { formOf } from '#connector/domain/template/form.ts';
import { repeatable, section, templateOf, text } from './generatedTemplate.mts';

/** f1 Weather · f2 Room (repeatable) · f3 Severity · f4 Where (plain) · f5 Floor */
const TEMPLATE = templateOf([
	text('Weather'),
	repeatable('Room', text('Severity'), section('Where', text('Floor'))),
]);
const FORM = formOf(TEMPLATE);
const labels = (columns: readonly { label: string }[]) => columns.map(({ label }) => label);

describe('a form', () => {
	test('has its questions and sections in order, by the ids of the mapper’s columns', () => {
		expect(labels(FORM.questions)).toEqual(['Weather', 'Severity', 'Floor']);
		expect(labels(FORM.sections)).toEqual(['Room']);
		expect(FORM.questions.map(FORM.placeOf)).toEqual([0, 1, 2]);
		expect(FORM.columnOf('f1')?.label).toBe('Weather');
		expect(FORM.columnOf('section:f2')?.label).toBe('Room');
		expect(FORM.columnOf('f2')).toBeUndefined();
	});

	test('knows the questions of a section, also those of plain sections in it, and their keys', () => {
		const [room] = FORM.sections;
		if (room === undefined) throw new Error('no section');
		expect(labels(FORM.questionsIn(room))).toEqual(['Severity', 'Floor']);
		expect(labels(FORM.keysIn(room).find('Where/Floor').columns)).toEqual(['Floor']);
		expect(FORM.keysIn(room).find('Weather').columns).toEqual([]);
		expect(labels(FORM.sectionKeys.find('Room').columns)).toEqual(['Room']);
		expect(FORM.sectionKeys.find('Weather').columns).toEqual([]);
		expect(FORM.keysIn(room)).toBe(FORM.keysIn(room));
	});

	test.each([
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
		expect(formOf(TEMPLATE).nearest(key)).toBe(meant);
	});

	test('looks up the first 100 keys and no more', () => {
		const form = formOf(TEMPLATE);
		for (let n = 0; n < 99; n++) form.nearest(`zzzzzz${String(n)}`);
		expect(form.nearest('Wether')).toBe('Weather');
		expect(form.nearest('Weathr')).toBeUndefined();
		expect(form.nearest('Wether')).toBe('Weather');
	});
});
