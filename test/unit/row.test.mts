import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nameOrOf } from '#connector/domain/displayName.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import { missingFields, onlyFields, simplified } from '#connector/domain/row/row.ts';
import { ROW_KEYS } from '#connector/domain/rowKeys.ts';
import { formOf } from '#connector/domain/template/form.ts';
import type { Planned } from './generatedAnswers.mts';
import { filledTemplate, inspectionOf, plan, rowLists } from './generatedInspection.mts';
import { guid, templateOf } from './generatedTemplate.mts';
import { requestOf, rowOf } from './madeOfRows.mts';

function rows(inspections: InspectionRecord[], template?: JsonRecord): JsonRecord[] {
	return rowLists(inspections, template).flat();
}

function row(planned: readonly Planned[], template?: JsonRecord): JsonRecord {
	return rows([inspectionOf(planned)], template)[0] ?? {};
}

const form = (children: Parameters<typeof templateOf>[0]) =>
	templateOf([{ type: 'page', label: 'Page', children }]);
const text = (label: string) => ({ type: 'text', label });

describe('a row', () => {
	it('has the same keys in the same order as every other of its template, every question among them', () => {
		fc.assert(
			fc.property(filledTemplate, ({ template, form, inspections }) => {
				const made = rows(
					inspections.map((planned, number) => inspectionOf(planned, { number })),
					template,
				);
				const keys = Object.keys(made[0] ?? {});
				for (const item of made) expect(Object.keys(item)).toEqual(keys);
				for (const question of form.questions) expect(keys).toContain(form.keys.keyOf(question));
				expect(new Set(keys).size).toBe(keys.length);
			}),
		);
	});

	it("begins with the inspection's own values, users and team by name", () => {
		expect(row([], form([text('Site')]))).toEqual({
			id: guid(1_001),
			name: 'Walk 1',
			status: 'completed',
			template: 'Generated',
			template_id: guid(0),
			team: 'North',
			created_at: '2026-03-01T08:00:00.0000001Z',
			created_by: 'Ana Sol',
			updated_at: '2026-03-02T08:00:00Z',
			updated_by: 'bo@example.com',
			Site: null,
		});
		expect(Object.keys(row([], form([text('Site')])))).toEqual([...ROW_KEYS, 'Site']);
	});

	it('takes names from the template where the inspection has ids only', () => {
		const template = { ...form([text('Site')]), team: { id: guid(9), name: 'North' } };
		const inspection = { ...inspectionOf([]), template: guid(0), team: guid(9) };
		expect(rows([inspection], template)[0]).toMatchObject({ template: 'Generated', team: 'North' });
		const other = { ...inspection, team: { id: guid(5) } };
		expect(rows([other], template)[0]).toMatchObject({ template: 'Generated', team: guid(5) });
	});

	it('goes by path where a label is not unique, is a key of the row itself, or is an integer', () => {
		const template = templateOf([
			{
				type: 'page',
				label: 'One',
				children: [text('Note'), text('name'), text('Only'), text('10')],
			},
			{ type: 'page', label: 'Two', children: [text('Note')] },
		]);
		expect(Object.keys(row([], template)).slice(ROW_KEYS.length)).toEqual([
			'One/Note',
			'One/name',
			'Only',
			'One/10',
			'Two/Note',
		]);
	});

	it('has a column for each instance that is answered anywhere, after its question, in every row', () => {
		const template = form([
			text('Before'),
			{
				type: 'section',
				label: 'Room',
				options: { is_repeatable: true },
				children: [text('Floor'), text('Wall')],
			},
			text('After'),
		]);
		const { questions } = formOf(template);
		const short = inspectionOf(plan({ questions }, { Before: 'x' }));
		const answers = plan({ questions }, { Floor: 'a', 'Wall#2': 'b' });
		const long = inspectionOf(answers, { number: 2 });
		const [first, second] = rows([short, long], template);
		const columns = ['Before', 'Floor', 'Wall', 'Wall:2', 'After'];
		expect(Object.keys(first ?? {}).slice(ROW_KEYS.length)).toEqual(columns);
		expect(Object.values(second ?? {}).slice(ROW_KEYS.length)).toEqual([
			null,
			'a',
			null,
			'b',
			null,
		]);
	});

	it('has columns only for instances that occur: 1,000 of one of 200 questions make 1,199', () => {
		const labels = Array.from({ length: 200 }, (_, index) => `Question ${index}`);
		const children = labels.map(text);
		const template = form([
			{ type: 'section', label: 'Room', options: { is_repeatable: true }, children },
		]);
		const [question] = formOf(template).questions;
		if (question === undefined) throw new Error('no question');
		const orders = Array.from({ length: 1_000 }, (_, index) => index + 1);
		const made = row(
			orders.map((order) => ({ question, order, value: 'x' })),
			template,
		);
		expect(Object.keys(made)).toHaveLength(ROW_KEYS.length + 1_199);
	});

	it('joins several choices so that they can be read, also where choices hold commas', () => {
		const template = form([
			{ type: 'checkbox', label: 'Risks', options: { choices: ['Dust', 'Noise, loud', 'Heat'] } },
		]);
		const planned = plan(formOf(template), { Risks: ['Dust', 'Noise, loud'] });
		expect(row(planned, template).Risks).toBe('Dust, Noise, loud');
	});

	it('keeps questions with dangerous names as keys like any other', () => {
		const template = form([text('__proto__'), text('constructor'), text('toString')]);
		const planned = plan(formOf(template), { constructor: 'c', toString: 't' });
		const proto = formOf(template).questions[0];
		if (proto) planned.push({ question: proto, order: 1, value: 'p' });
		const made = row(planned, template);
		expect(JSON.stringify(made)).toContain('"__proto__":"p","constructor":"c","toString":"t"');
		expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
	});

	it('keeps answers to questions that the template no longer has, behind the others', () => {
		const template = form([text('Site')]);
		const inspection = inspectionOf([]);
		inspection.data = {
			items: [
				{ field_id: 'old', path: 'Page/Old', response: { value: 'kept' } },
				{
					field_id: 'old',
					path: 'Page/Old:2',
					repeat_section_order: 2,
					response: { value: 'too' },
				},
				{ field_id: 'photo', path: 'Page/Site', response: { value: [{ id: 'x' }] } },
			],
		};
		const made = rows([inspection], template)[0] ?? {};
		expect(Object.entries(made).slice(ROW_KEYS.length)).toEqual([
			['Site', null],
			['Page/Old', 'kept'],
			['Page/Old:2', 'too'],
			['Page/Site (photo)', '[{"id":"x"}]'],
		]);
		expect(requestOf(formOf(template), [rowOf(made)]).sent).toEqual([]);
	});

	it('keeps every answer under a key of its own, whatever the answers are called', () => {
		const answers = (named: readonly [label: string, id?: string][]) => {
			const inspection = inspectionOf([]);
			inspection.data = {
				items: named.map(([label, field_id], value) => ({ label, field_id, response: { value } })),
			};
			return Object.entries(rows([inspection])[0] ?? {}).slice(ROW_KEYS.length);
		};
		expect(answers([['status'], ['10'], ['Note', 'a'], ['Note', 'b']])).toEqual([
			['status (status)', 0],
			['10 (10)', 1],
			['Note', 2],
			['Note (b)', 3],
		]);
		expect(
			answers([
				['A (y)', 'p'],
				['A', 'q'],
				['y', 'r'],
				['y (2)', 's'],
				['A', 'y'],
			]).at(-1),
		).toEqual(['y (3)', 4]);
		expect(answers([['', 'f1'], ['']])).toEqual([
			['f1', 0],
			['answer', 1],
		]);
	});

	it('goes by paths alone where the template may not be read', () => {
		const template = templateOf([
			{ type: 'page', label: 'One', children: [text('Note'), text('Site')] },
			{ type: 'page', label: 'Two', children: [text('Note')] },
		]);
		const { questions } = formOf(template);
		const planned = questions.map((question) => ({ question, order: 1, value: question.fieldId }));
		expect(Object.keys(row(planned)).slice(ROW_KEYS.length)).toEqual([
			'One/Note',
			'One/Site',
			'Two/Note',
		]);
	});

	it('has no column for an instance whose answers are all empty', () => {
		const damage = {
			...{ type: 'section', label: 'Damage', options: { is_repeatable: true } },
			children: [text('Note')],
		};
		const template = form([damage]);
		const answered = (value: string, order: number) => ({
			...{ field_id: 'f3', label: 'Note', path: 'Page/Damage/Note' },
			...{ repeat_section_order: order, response: { value } },
		});
		const inspection = inspectionOf([]);
		inspection.data = { items: [answered('Crack', 1), answered('', 2)] };
		const [made = {}] = rows([inspection], template);
		expect(Object.keys(made).slice(ROW_KEYS.length)).toEqual(['Note']);
		expect(made.Note).toBe('Crack');
	});

	it('takes no answer for that of a question where neither has a control id', () => {
		const template = form([text('Site')]);
		for (const control of Object(template.data).controls) control.id = '';
		const inspection = inspectionOf([]);
		inspection.data = { items: [{ label: 'Other', response: { value: 'x' } }] };
		expect(rows([inspection], template)[0]).toMatchObject({ Site: null, Other: 'x' });
	});

	it('reads paths that leave the label out', () => {
		const inspection = inspectionOf([]);
		inspection.data = {
			items: [
				{ field_id: 'a', label: 'Floor', path: 'Page/Room/', response: { value: 1 } },
				{
					field_id: 'a',
					label: 'Floor',
					path: 'Page/Room/:2',
					repeat_section_order: 2,
					response: { value: 2 },
				},
				{ field_id: 'b', path: 'Page/Room/', response: { value: 3 } },
				{ field_id: 'c', path: 'Page/Room/', response: { value: 4 } },
			],
		};
		expect(Object.keys(rows([inspection])[0] ?? {}).slice(ROW_KEYS.length)).toEqual([
			'Page/Room/Floor',
			'Page/Room/Floor:2',
			'Page/Room',
			'Page/Room (c)',
		]);
	});

	it.each([undefined, null, {}, { items: null }, { item_type: 'question_response', items: [] }])(
		'has empty columns where an inspection comes without answers (%j)',
		(data) => {
			const inspection = { ...inspectionOf([]), data };
			const [made = {}] = rows([inspection], form([text('Site')]));
			expect(Object.entries(made).slice(ROW_KEYS.length)).toEqual([['Site', null]]);
		},
	);

	it('shows nested values as JSON', () => {
		const inspection = inspectionOf([]);
		inspection.data = { items: [{ label: 'Place', response: { value: { lat: 52.5 } } }] };
		expect(rows([inspection])[0]).toMatchObject({ Place: '{"lat":52.5}' });
	});

	it('shows an instance with nothing but a photo behind those with an answer', () => {
		const damage = {
			...{ type: 'section', label: 'Damage', options: { is_repeatable: true } },
			children: [text('Note')],
		};
		const stored = (label: string, order: number, value: string) => ({
			...{ label, path: `Page/Damage/${label}`, repeat_section_order: order },
			...{ field_id: label === 'Note' ? 'f3' : 'photo', response: { value } },
		});
		const inspection = inspectionOf([]);
		inspection.data = {
			items: [stored('Note', 1, 'Crack'), stored('Photo', 2, 'x.jpg'), stored('Note', 3, 'Hole')],
		};
		const [made = {}] = rows([inspection], form([damage]));
		expect(Object.entries(made).slice(ROW_KEYS.length)).toEqual([
			['Note', 'Crack'],
			['Note:2', 'Hole'],
			['Page/Damage/Photo:3', 'x.jpg'],
		]);
	});
});

describe('a simplified inspection', () => {
	it('has the same flat fields whatever came', () => {
		const full = simplified(inspectionOf([]));
		const keys = Object.keys(full);
		expect(keys).toEqual(ROW_KEYS.filter((key) => key !== 'template_id'));
		expect(Object.keys(simplified({ id: 'a' }))).toEqual(keys);
		expect(Object.keys(simplified({ id: 'a', template: 'x', team: null, extra: 1 }))).toEqual(keys);
		for (const value of Object.values(full)) expect(typeof value).not.toBe('undefined');
		expect(full).toMatchObject({ template: 'Generated', team: 'North', created_by: 'Ana Sol' });
	});
});

it.each([
	[{ id: 'a', name: 'Own' }, { id: 'a', name: 'Known' }, 'Own'],
	[{ id: 'a' }, { id: 'a', name: 'Known' }, 'Known'],
	[{ id: 'a' }, { id: 'b', name: 'Known' }, 'a'],
	[{ id: 'a', name: 'b' }, { id: 'b', name: 'Known' }, 'b'],
	[null, { name: 'Known' }, null],
	[undefined, undefined, null],
])('the name of %j, where %j is known, is %j', (value, known, name) => {
	expect(nameOrOf(value, known)).toBe(name);
});

describe('the fields that were chosen', () => {
	it('come in the order chosen, null where there is none', () => {
		const record = JSON.parse('{"a":1,"b":null,"__proto__":2}');
		expect(Object.entries(onlyFields(record, ['b', '__proto__', 'toString', 'a']))).toEqual([
			['b', null],
			['__proto__', 2],
			['toString', null],
			['a', 1],
		]);
	});

	it('are named where no item has them, with the nearest one', () => {
		expect(missingFields([{ Weather: 1 }], ['Wether', 'zzzzzz', 'Weather'])).toEqual([
			'Fields: no item has a field "Wether"; did you mean "Weather"?',
			'Fields: no item has a field "zzzzzz".',
		]);
		expect(missingFields([{ a: 1 }, { b: 1 }], ['a', 'b'])).toEqual([]);
	});

	it('are not missed where there are no items', () => {
		expect(missingFields([], ['Weather'])).toEqual([]);
	});
});
