import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { UnexpectedResponseError } from '#connector/domain/responseShape.ts';
import { hasControls } from '#connector/domain/template/control.ts';
import { type Question, questionsOf } from '#connector/domain/template/questions.ts';

const guid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function control(n: number, type: string, label: string, more: JsonRecord = {}): JsonRecord {
	return {
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
	};
}

function template(...controls: JsonRecord[]): JsonRecord {
	return { id: guid(0), data: { control_count: controls.length, controls } };
}

const namesOf = (input: JsonRecord) => questionsOf(input).questions.map(({ name }) => name);

describe('questions of a template', () => {
	it.each([
		['one', [''], ['(f1)']],
		['one beside others', ['', 'Note'], ['(f1)', 'Note']],
		['several', ['', '', 'Note'], ['(f1)', '(f2)', 'Note']],
	])('have their field id for a name where they have no label: %s', (_, labels, names) => {
		const controls = labels.map((label, at) => control(at + 1, 'text', label));
		expect(namesOf(template(...controls))).toEqual(names);
	});

	it('leaves out pages, plain sections and types that cannot be filled', () => {
		const { questions, sections } = questionsOf(
			template(
				control(1, 'page', 'Page', { children: [guid(2), guid(3), guid(5)] }),
				control(2, 'section', 'Plain', { parent_id: guid(1), path: 'Page/Plain' }),
				control(3, 'section', 'Damage', {
					parent_id: guid(1),
					path: 'Page/Damage',
					children: [guid(4)],
					settings: { is_repeatable: true },
				}),
				control(4, 'text', 'Note', {
					parent_id: guid(3),
					path: 'Page/Damage/Note',
					settings: { is_required: true, is_multiline: true, placeholder: 'what happened' },
				}),
				control(5, 'signature', 'Sign', { parent_id: guid(1), path: 'Page/Sign' }),
			),
		);
		const damage = {
			fieldId: 'f3',
			controlId: guid(3),
			label: 'Damage',
			path: 'Page/Damage',
			name: 'Damage',
			columnId: 'section:f3',
		};
		expect(sections).toEqual([damage]);
		expect(questions).toEqual([
			{
				fieldId: 'f4',
				controlId: guid(4),
				label: 'Note',
				path: 'Page/Damage/Note',
				name: 'Note',
				type: 'text',
				required: true,
				choices: [],
				showTime: false,
				section: damage,
			},
		]);
	});

	it.each(['settings', 'options', 'the service', 'x'])(
		'finds the options in an object named %s',
		(name) => {
			const { questions } = questionsOf(
				template(
					control(1, 'radio', 'Ok?', { meta: { a: 1 }, [name]: { choices: ['Yes', 'No'] } }),
				),
			);
			expect(questions[0]?.choices).toEqual(['Yes', 'No']);
		},
	);

	it('takes the path where the label is not unique, among sections too', () => {
		const page = control(1, 'page', 'P', { children: [2, 3, 4, 5].map(guid) });
		expect(
			namesOf(
				template(
					page,
					control(2, 'text', 'Site', { parent_id: guid(1), path: 'P/Site' }),
					control(3, 'section', 'Site', {
						parent_id: guid(1),
						path: 'P/S/Site',
						settings: { is_repeatable: true },
					}),
					control(4, 'text', 'Other', { parent_id: guid(1), path: 'P/Other' }),
				),
			),
		).toEqual(['P/Site', 'Other']);
	});

	it('adds the field id where the path repeats too', () => {
		const input = template(control(1, 'text', 'A'), control(2, 'text', 'A'));
		expect(namesOf(input)).toEqual(['A (f1)', 'A (f2)']);
	});

	it.each([
		['with its label', 'P/Site/Site'],
		['with its label and a slash', 'P/Site/Site/'],
		['without its label', 'P/Site'],
		['without its label, with a slash', 'P/Site/'],
	])('knows the path %s', (_, path) => {
		const { questions } = questionsOf(
			template(
				control(1, 'page', 'P', { children: [guid(2)] }),
				control(2, 'section', 'Site', { parent_id: guid(1), path: 'P/Site', children: [guid(3)] }),
				control(3, 'text', 'Site', { parent_id: guid(2), path }),
			),
		);
		expect(questions[0]?.path).toBe('P/Site/Site');
	});

	it.each<[keyof Question, JsonRecord, unknown]>([
		['required', { is_required: true }, true],
		['showTime', { show_time: true }, true],
		['choices', { choices: ['Yes', 'No', 'Yes', '', 7] }, ['Yes', 'No', '7']],
	])('finds %s in %j under whatever name', (name, options, value) => {
		for (const more of [{ settings: {}, anything: options }, options]) {
			const { questions } = questionsOf(template(control(1, 'date', 'Q', more)));
			expect(questions[0]?.[name]).toEqual(value);
		}
	});

	it('finds that a section repeats under whatever name', () => {
		const section = { settings: {}, anything: { is_repeatable: true } };
		expect(questionsOf(template(control(1, 'section', 'S', section))).sections).toHaveLength(1);
	});

	it.each([
		['ends in its label', 'Q', 'Elsewhere/Q', 'Elsewhere/Q'],
		['ends in its label and a slash', 'Q', 'Elsewhere/Q/', 'Elsewhere/Q'],
		['ends in its label, which ends in a slash', 'Y/N/', 'Elsewhere/Y/N/', 'Elsewhere/Y/N/'],
		['is its label, which ends in a slash', 'Y/N/', 'Y/N/', 'Y/N/'],
		['is its label and a slash', 'Q', 'Q/', 'Q'],
		['leaves its label out', 'Q', 'Elsewhere/', 'Elsewhere/Q'],
		['is all that it has', '', 'Elsewhere/', 'Elsewhere'],
	])('knows a path that does not begin with that of the parent: it %s', (_, label, path, known) => {
		const { questions } = questionsOf(
			template(
				control(1, 'page', 'P', { children: [guid(2)] }),
				control(2, 'text', label, { parent_id: guid(1), path }),
			),
		);
		expect(questions[0]?.path).toBe(known);
	});

	it('follows the order of the form, not of the flat list', () => {
		const input = template(
			control(4, 'text', 'third', { parent_id: guid(2) }),
			control(3, 'text', 'second', { parent_id: guid(1) }),
			control(2, 'page', 'B', { children: [guid(4)] }),
			control(1, 'page', 'A', { children: [guid(5), guid(3)] }),
			control(5, 'text', 'first', { parent_id: guid(1) }),
		);
		expect(namesOf(input)).toEqual(['third', 'first', 'second']);
	});

	it('keeps a question that names itself as its parent in its place', () => {
		const input = template(
			control(1, 'text', 'first', { parent_id: guid(1), children: [guid(1)] }),
			control(2, 'text', 'second'),
		);
		expect(namesOf(input)).toEqual(['first', 'second']);
	});

	it('puts the path together where the template leaves it out', () => {
		const { questions } = questionsOf(
			template(
				control(1, 'page', 'Page', { path: '', children: [guid(2)] }),
				control(2, 'text', 'Inside', { path: '' }),
				control(3, 'text', 'Outside', { path: '' }),
			),
		);
		expect(questions.map(({ path }) => path)).toEqual(['Page/Inside', 'Outside']);
	});

	it('survives cycles, missing parents, doubled field ids and malformed controls', () => {
		const input = template(
			control(1, 'section', 'A', { parent_id: guid(2), children: [guid(2), guid(1), guid(77)] }),
			control(2, 'section', 'B', { parent_id: guid(1), children: [guid(1), guid(3)] }),
			control(3, 'text', 'Q', { parent_id: guid(2) }),
			control(4, 'text', 'self', { parent_id: guid(4) }),
			control(5, 'text', 'orphan', { parent_id: guid(99) }),
			control(6, 'text', 'twin', { field_id: 'f5' }),
			control(7, 'text', 'no field id', { field_id: null }),
			{},
		);
		expect(namesOf(input).sort()).toEqual(['Q', 'orphan', 'self']);
	});

	it.each<JsonRecord>([
		{},
		{ data: null },
		{ data: [] },
		{ data: {} },
		{ data: { controls: null } },
		{ data: { controls: {} } },
		{ data: { Controls: [] } },
		{ data: { items: [] } },
	])('refuses a template without a list of controls: %j', (shape) => {
		const read = () => questionsOf({ id: guid(0), ...shape });
		expect(hasControls({ id: guid(0), ...shape })).toBe(false);
		expect(read).toThrow(UnexpectedResponseError);
		expect(read).toThrow(/unknown shape: no list of controls under "data\.controls"/);
	});

	it('takes a list without controls', () => {
		expect(hasControls(template())).toBe(true);
		expect(questionsOf(template())).toEqual({ questions: [], sections: [] });
	});

	it('gives every section a column of its own, also beside a question whose field id begins like one', () => {
		const repeatable = { settings: { is_repeatable: true } };
		const { sections } = questionsOf(
			template(
				control(1, 'section', 'X', { field_id: 'x', ...repeatable }),
				control(2, 'text', 'Question', { field_id: 'section:x' }),
				control(3, 'section', 'Y', { field_id: 'section:section:x', ...repeatable }),
			),
		);
		expect(sections.map(({ columnId }) => columnId)).toEqual([
			'section:2:x',
			'section:section:section:x',
		]);
	});

	it('numbers a question whose label, path and field id are all names of others', () => {
		const names = ['Page/A', 'Page/A (f2)', 'f2', 'f2 (2)'];
		const { questions } = questionsOf(
			template(
				control(1, 'text', 'A', { path: 'Elsewhere/A' }),
				control(2, 'text', 'A', { path: 'Page/A' }),
				...names.map((name, n) => control(n + 3, 'text', name)),
			),
		);
		expect(questions.map(({ name }) => name)).toEqual(['Elsewhere/A', 'f2 (3)', ...names]);
	});

	it('knows parents by their GUIDs in any form', () => {
		const braces = `{${guid(1).replaceAll('-', '').toUpperCase()}}`;
		const { questions } = questionsOf(
			template(
				control(1, 'section', 'A', { settings: { is_repeatable: true } }),
				control(2, 'text', 'Q', { parent_id: braces, path: '' }),
			),
		);
		expect(questions[0]).toMatchObject({ path: 'A/Q', section: { name: 'A' } });
	});

	it('reads a chain of 25,000 controls, with paths that stay short', () => {
		const length = 25_000;
		const chain = Array.from({ length }, (_, n) =>
			control(n + 1, n % 2 === 0 ? 'section' : 'text', 'Level', {
				parent_id: n === 0 ? null : guid(n),
				path: '',
				settings: { is_repeatable: n === 0 },
			}),
		);
		const { questions } = questionsOf(template(...chain));
		expect(questions).toHaveLength(length / 2);
		expect(Math.max(...questions.map(({ path }) => path.length))).toBeLessThanOrEqual(2_000);
		expect(questions.at(-1)?.path).toMatch(/^…\/Level\//);
	});

	it('gives a nested question its nearest repeatable section', () => {
		const repeatable = { settings: { is_repeatable: true } };
		const { questions } = questionsOf(
			template(
				control(1, 'section', 'Outer', { ...repeatable, children: [guid(2), guid(4)] }),
				control(2, 'section', 'Plain', { parent_id: guid(1), children: [guid(3)] }),
				control(3, 'text', 'in outer', { parent_id: guid(2) }),
				control(4, 'section', 'Inner', { ...repeatable, parent_id: guid(1), children: [guid(5)] }),
				control(5, 'text', 'in inner', { parent_id: guid(4) }),
				control(6, 'text', 'outside'),
			),
		);
		expect(questions.map(({ label, section }) => [label, section?.label])).toEqual([
			['in outer', 'Outer'],
			['in inner', 'Inner'],
			['outside', undefined],
		]);
	});

	it('finds every question once under a name of its own, however the hierarchy contradicts itself', () => {
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
				const { questions, sections } = questionsOf(template(...controls));
				const texts = specs.flatMap(({ type }, n) =>
					type === 'text' ? [`f${String(n + 1)}`] : [],
				);
				expect(questions.map(({ fieldId }) => fieldId).sort()).toEqual(texts);
				const names = [...questions, ...sections].map(({ name }) => name);
				expect(new Set(names).size).toBe(names.length);
			}),
			{ numRuns: 1000 },
		);
	});

	it('takes anything for a template without falling over', () => {
		fc.assert(
			fc.property(fc.array(fc.jsonValue()), (controls) => {
				const input = JSON.parse(JSON.stringify({ data: { controls } })) as JsonRecord;
				expect(questionsOf(input).questions).toEqual([]);
			}),
		);
	});
});
