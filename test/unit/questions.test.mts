// @module-tag slow
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { hasControls } from '#connector/domain/template/control.ts';
import { type Question, questionsOf } from '#connector/domain/template/questions.ts';
import { UnexpectedResponseError } from '#connector/domain/unexpectedResponse.ts';
import { guid } from '#harness/generatedTemplate.mts';

/** Returns control number `n` as the service sends it. Its ID is `guid(n)`, and its field ID is `fn`. */
const control = (n: number, type: string, label: string, more: JsonRecord = {}): JsonRecord => ({
	id: guid(n),
	field_id: `f${String(n)}`,
	type,
	label,
	path: label,
	children_count: 0,
	children: [],
	parent_id: null,
	settings: {},
	...more,
});
const template = (...controls: JsonRecord[]): JsonRecord => ({
	id: guid(0),
	data: { control_count: controls.length, controls },
});
const under = (n: number, more: JsonRecord = {}) => ({ parent_id: guid(n), ...more });
const listing = (...numbers: number[]) => ({ children: numbers.map(guid) });
const repeating = { settings: { is_repeatable: true } };

const read = (...controls: JsonRecord[]) => questionsOf(template(...controls));
const namesOf = (...controls: JsonRecord[]) => read(...controls).questions.map(({ name }) => name);
const pathOf = (...controls: JsonRecord[]) => read(...controls).questions[0]?.path;

describe('questions of a template', () => {
	it('exclude controls that can’t be answered, but show their sections', () => {
		const settings = { is_required: true, is_multiline: true, placeholder: 'what happened' };
		const found = read(
			control(1, 'page', 'Page', listing(2, 3, 5)),
			control(2, 'section', 'Plain', under(1, { path: 'Page/Plain' })),
			control(3, 'section', 'Damage', under(1, { path: 'Page/Damage', ...repeating })),
			control(4, 'text', 'Note', under(3, { path: 'Page/Damage/Note', settings })),
			control(5, 'signature', 'Sign', under(1, { path: 'Page/Sign' })),
			control(6, 'media', 'Photo', under(3, { path: 'Page/Damage/Photo' })),
		);
		const section = {
			fieldId: 'f3',
			controlId: guid(3),
			columnId: 'section:f3',
			label: 'Damage',
			path: 'Page/Damage',
			name: 'Damage',
		};
		const question = {
			fieldId: 'f4',
			controlId: guid(4),
			columnId: 'f4',
			label: 'Note',
			name: 'Note',
			path: 'Page/Damage/Note',
			type: 'text',
			required: true,
			choices: [],
			showTime: false,
		};
		const [sections, questions] = [[section], [{ ...question, section }]];
		expect(found).toMatchObject({ sections, questions });
		expect(found.unfillable.map((one) => [one.fieldId, one.path, one.section])).toEqual([
			['f1', 'Page', null],
			['f2', 'Page/Plain', null],
			['f6', 'Page/Damage/Photo', section],
			['f5', 'Page/Sign', null],
		]);
	});

	it.each<[keyof Question, JsonRecord, unknown]>([
		['required', { is_required: true }, true],
		['showTime', { show_time: true }, true],
		['choices', { choices: ['Yes', 'No', 'Yes', '', 7] }, ['Yes', 'No', '', '7']],
	])('have the option %s in %j under any name', (name, options, value) => {
		for (const more of [options, { meta: { a: 1 }, settings: {}, 'an x': options }]) {
			expect(read(control(1, 'date', 'Q', more)).questions[0]?.[name]).toEqual(value);
		}
	});

	it('follow the order of the form, not of the flat list', () => {
		const controls = [
			control(4, 'text', 'third', under(2)),
			control(3, 'text', 'second', under(1)),
			control(2, 'page', 'B', listing(4)),
			control(1, 'page', 'A', listing(5, 3)),
			control(5, 'text', 'first', under(1)),
		];
		expect(namesOf(...controls)).toEqual(['third', 'first', 'second']);
	});

	it('keep their position if one has itself as its parent', () => {
		const itself = control(1, 'text', 'first', under(1, listing(1)));
		expect(namesOf(itself, control(2, 'text', 'second'))).toEqual(['first', 'second']);
	});

	it('survive missing parents, duplicate field IDs, or malformed controls', () => {
		const names = namesOf(
			control(5, 'text', 'orphan', under(99, listing(77, 5))),
			control(6, 'text', 'twin', { field_id: 'f5' }),
			control(7, 'text', 'no field id', { field_id: null }),
			control(8, 'text', 'no list', { children: 'f1' }),
			{},
		);
		expect(names).toEqual(['orphan', 'no list']);
	});

	it('belong to the first control that lists them if two do', () => {
		const controls = [
			control(1, 'section', 'A', listing(3)),
			control(2, 'section', 'B', listing(3)),
			control(3, 'text', 'Q', { path: '' }),
		];
		expect(pathOf(...controls)).toBe('A/Q');
		expect(namesOf(...controls)).toEqual(['Q']);
	});

	it.each<JsonRecord>([
		{},
		{ data: null },
		{ data: [] },
		{ data: { controls: null } },
		{ data: { controls: {} } },
		{ data: { Controls: [] } },
	])("can't be read from a template without a list of controls: %j", (shape) => {
		expect(hasControls(shape)).toBe(false);
		expect(() => questionsOf(shape)).toThrow(UnexpectedResponseError);
		expect(() => questionsOf(shape)).toThrow(
			/unknown form, without the list of questions under "data\.controls"/,
		);
	});

	it('can be empty', () => {
		expect(hasControls(template())).toBe(true);
		expect(read()).toEqual({ controls: [], questions: [], sections: [], unfillable: [] });
	});

	it('have the nearest enclosing repeatable section', () => {
		const { questions } = read(
			control(1, 'section', 'Outer', { anyName: repeating.settings, ...listing(2, 4) }),
			control(2, 'section', 'Plain', under(1, listing(3))),
			control(3, 'text', 'in outer', under(2)),
			control(4, 'section', 'Inner', { ...repeating, ...under(1, listing(5)) }),
			control(5, 'text', 'in inner', under(4)),
			control(6, 'text', 'outside'),
		);
		expect(questions.map(({ label, section }) => `${label}: ${String(section?.label)}`)).toEqual([
			'in outer: Outer',
			'in inner: Inner',
			'outside: undefined',
		]);
	});

	it('are each found once under a unique name, however contradictory the hierarchy is', () => {
		const anyId = fc.integer({ min: 1, max: 8 }).map(guid);
		const anyControl = fc.record({
			type: fc.constantFrom('text', 'section', 'page'),
			label: fc.constantFrom('A', 'B', 'A/B', '', 'A (f1)', 'f2'),
			parent_id: fc.option(anyId),
			children: fc.array(anyId, { maxLength: 4 }),
			path: fc.constantFrom('', 'A', 'A/', 'A/B', 'B/A/', '/'),
			settings: fc.record({ is_repeatable: fc.boolean() }),
		});
		fc.assert(
			fc.property(fc.array(anyControl, { maxLength: 8 }), (specs) => {
				const controls = specs.map(({ type, label, ...more }, n) =>
					control(n + 1, type, label, more),
				);
				const { questions, sections } = read(...controls);
				const texts = controls.filter(({ type }) => type === 'text').map(({ field_id: id }) => id);
				expect(questions.map(({ fieldId }) => fieldId).sort()).toEqual(texts);
				const names = [...questions, ...sections].map(({ name }) => name);
				expect(new Set(names).size).toBe(names.length);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('names of questions', () => {
	it.each([
		['the field id without a label', '', '(f1)'],
		['the field ID next to others', ', Note', '(f1), Note'],
		['the field id for several without one', ', , Note', '(f1), (f2), Note'],
		['the field ID after a repeated path', 'A, A', 'A (f1), A (f2)'],
		['the label of one before the path of another', '|Note, Note|P/Note', 'Note (f1), Note'],
		[
			'with a number if label, path, and field ID are all names of others',
			'A|Elsewhere/A, A|Page/A, Page/A, Page/A (f2), f2, f2 (2)',
			'Elsewhere/A, f2 (3), Page/A, Page/A (f2), f2, f2 (2)',
		],
	])('are %s for label|path %j', (_, columns, names) => {
		const controls = columns.split(', ').map((column, at) => {
			const [label = '', path = label] = column.split('|');
			return control(at + 1, 'text', label, { path });
		});
		expect(namesOf(...controls)).toEqual(names.split(', '));
	});

	it("are the path if the label isn't unique, including among sections", () => {
		const controls = [
			control(1, 'text', 'Site', { path: 'P/Site' }),
			control(2, 'section', 'Site', { path: 'P/S/Site', ...repeating }),
			control(3, 'text', 'Other', { path: 'P/Other' }),
		];
		expect(namesOf(...controls)).toEqual(['P/Site', 'Other']);
	});
});

describe('columns of the mapper', () => {
	const columnIdsOf = (type: string, ...ids: string[]) => {
		const { questions, sections } = read(
			control(9, 'text', 'Question', { field_id: 'section:x' }),
			...ids.map((field_id, n) => control(n + 1, type, 'Q', { field_id, ...repeating })),
		);
		return [...questions, ...sections].slice(1).map(({ columnId }) => columnId);
	};

	it('include one for each section, even next to field IDs with the same start', () => {
		expect(columnIdsOf('section', 'x', 'section:section:x', '2:x')).toEqual([
			'section:2:x',
			'section:section:section:x',
			'section:2:2:x',
		]);
	});

	it('use field IDs, except one that n8n would evaluate or drop', () => {
		const ids = ['a=b', '=x', '__proto__', 'constructor', 'question:=x', 'toString'];
		expect(columnIdsOf('text', ...ids)).toEqual([
			'a=b',
			'question:2:=x',
			'question:__proto__',
			'question:constructor',
			'question:=x',
			'toString',
		]);
	});
});

describe('the path of a question', () => {
	it.each(['P/Site/Site', 'P/Site/Site/', 'P/Site', 'P/Site/'])(
		'is recognized with or without its label and slash: %s',
		(path) => {
			const controls = [
				control(1, 'page', 'P', listing(2)),
				control(2, 'section', 'Site', under(1, { path: 'P/Site', ...listing(3) })),
				control(3, 'text', 'Site', under(2, { path })),
			];
			expect(pathOf(...controls)).toBe('P/Site/Site');
		},
	);

	it.each([
		['ends in its label', 'Q', 'Elsewhere/Q', 'Elsewhere/Q'],
		['ends in its label and a slash', 'Q', 'Elsewhere/Q/', 'Elsewhere/Q'],
		['ends in its label, which ends in a slash', 'Y/N/', 'Elsewhere/Y/N/', 'Elsewhere/Y/N/'],
		['is its label, which ends in a slash', 'Y/N/', 'Y/N/', 'Y/N/'],
		['is its label and a slash', 'Q', 'Q/', 'Q'],
		['leaves its label out', 'Q', 'Elsewhere/', 'Elsewhere/Q'],
		['is all that it has', '', 'Elsewhere/', 'Elsewhere'],
	])("is recognized if it doesn't begin with the parent's path: it %s", (_, label, path, known) => {
		const page = control(1, 'page', 'P', listing(2));
		expect(pathOf(page, control(2, 'text', label, under(1, { path })))).toBe(known);
	});

	it('is built from parents, in any GUID form, if the template omits it', () => {
		const braces = `{${guid(1).replaceAll('-', '').toUpperCase()}}`;
		const { questions } = read(
			control(1, 'section', 'A', { path: '', ...repeating }),
			control(2, 'text', 'Inside', { parent_id: braces, path: '' }),
			control(3, 'text', 'Outside', { path: '' }),
		);
		expect(questions).toMatchObject([
			{ path: 'A/Inside', section: { name: 'A' } },
			{ path: 'Outside', section: null },
		]);
	});

	it('stays short in a chain of 25,000 controls', () => {
		const chain = Array.from({ length: 25_000 }, (_, n) =>
			control(n + 1, n % 2 === 0 ? 'section' : 'text', 'Level', {
				parent_id: n === 0 ? null : guid(n),
				path: '',
				settings: { is_repeatable: n === 0 },
			}),
		);
		const { questions } = read(...chain);
		expect(questions).toHaveLength(12_500);
		expect(Math.max(...questions.map(({ path }) => path.length))).toBeLessThanOrEqual(2_000);
		expect(questions.at(-1)?.path).toMatch(/^…\/Level\//);
	});
});
