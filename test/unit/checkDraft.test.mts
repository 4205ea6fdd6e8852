import { describe, expect, it } from 'vitest';

import { draftOf, sectionExample } from '#connector/domain/create/draft.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { formWith } from '#harness/forms.mts';
import { control, type ControlSpec, section, text } from '#harness/generatedTemplate.mts';
import { problemOf, requestOf, rowOf } from '#harness/madeOfRows.mts';
import {
	answers,
	FREE,
	type Options,
	problem,
	request,
	REQUIRED,
	STRICT,
} from './everyControl.mts';

describe('checkDraft', () => {
	it('rejects a required question without an answer in every existing instance', () => {
		expect(problem({}, STRICT)).toBe(
			'2 problems in this row\n"Site": required, but has no answer. Fill it in.\n"Type" of the section "Damage": required, but has no answer. Fill it in.',
		);
		expect(problem({ Site: 'x', Damage: [{ Costs: 1 }, { Type: 'Dent' }] }, STRICT)).toBe(
			'"Type" of the section "Damage" (instance 1): required, but has no answer. Fill it in.',
		);
		expect(problem(REQUIRED, STRICT)).toBe('no problem');
	});

	it.each<[JsonRecord, RegExp]>([
		[
			{ Sitte: 'Gate 4', Colour: 'red', 'Type:1': 'Crack' },
			/^2 problems in this row\n"Sitte" matches no question, but it resembles "Site", .*\n"Site": required, but has no answer. Fill it in\.\nIgnored: "Colour" matches no question\.$/,
		],
		[
			{ ...REQUIRED, Wheather: 'Dry', Visitors: 'many' },
			/^2 problems in this row\n"Wheather" matches no question, but it resembles "Weather", .*\n"Visitors": "many" is not a number\./,
		],
		[{ ...REQUIRED, Colour: 'red' }, /^no problem$/],
	])(
		'rejects a column that matches nothing, but resembles an unanswered question: %j',
		(row, told) => {
			expect(problem(row, STRICT)).toMatch(told);
		},
	);

	it.each<[JsonRecord, string, Options?]>([
		[
			{ 'Costs:1': 1, 'Costs:3': 3 },
			'"Damage": instance 3 is answered, but instance 2 is not. Close the gap: rename the columns with ":3" to ":2".',
		],
		[{ 'Costs:0': 1 }, '"Costs:0": instances of a section are numbered from 1, not from 0.'],
		[{ 'Costs:0': 1, 'Costs:2': 1 }, 'instance 2 is answered, but instance 1 is not'],
		[
			{ 'Visitors:2': 1 },
			`"Visitors:2": "Visitors" isn't in a repeatable section and accepts only one answer. Remove ":2" from the name.`,
		],
		[
			{ Damage: [{ Costs: 1 }], 'Costs:3': 1, Type: 'Dent' },
			'"Damage": answered by both a list of instances and the question "Costs". Use only one of the two.',
		],
		[{ 'section:f10': [{ Costs: 1 }], f14: 1 }, 'Use only one of the two.', { by: 'columns' }],
		[
			{ Damage: [{ 'Costs:2': 1 }] },
			'"Costs:2": the list of "Damage" numbers its instances by their order. Remove ":2" from the name.',
		],
		[
			{ 'Damage:2': [{ Costs: 1 }] },
			`"Damage:2": "Damage" is a section. Enter all its instances as one list in square brackets, and remove ":2" from the column's name.`,
		],
	])("rejects %j with the problem %s if it's mapped so: %j", (values, told, options = {}) => {
		expect(problem(values, options)).toContain(told);
	});

	it('reports mapper columns that the template has lost as one problem that lists their values', () => {
		const labels = new Map([['f98', 'Wind']]);
		const row = rowOf({ f98: 'NW', f99: 3, f97: '', f2: 'Gate 4' }, { labels });
		const message =
			'"Wind": "NW", "f99": 3 can\'t be sent, because the template has no such question. Remove them under \'Answers\'';
		const how = { timeZone: 'UTC', groupColumns: [] };
		expect(draftOf(formWith(...FREE), [row], how, new Map()).problems).toEqual([
			{ message, kind: 'no such question' },
		]);
	});

	it("doesn't report required questions of a section that isn't a list of instances", () => {
		const values = { f2: 'Gate', 'section:f10': ['Crack', 'Dent'] };
		expect(problem(values, { ...STRICT, by: 'columns' })).toBe(
			`"Damage": "Crack" isn't an instance of the section. Enter a list in square brackets with one instance in each pair of braces, such as [{"Type": "Crack", "Floor": "…", "Costs": 1}].`,
		);
	});

	it("doesn't count gaps or empty arrays as instances", () => {
		const gaps = [{}, { Costs: 1 }, null, { Costs: '', Type: null }, { Costs: 2 }];
		expect(answers({ Damage: gaps })).toEqual({ 'f14:1': 1, 'f14:2': 2 });
		expect(problem({ 'section:f10': [{}], f14: 1 }, { by: 'columns' })).toBe('no problem');
	});

	it('sorts answers by their question in the template, then by instance', () => {
		const types = { 'Type:2': 'Dent', Weather: 'Dry', 'Type:1': 'Crack' };
		const order = ['f5', 'f11:1', 'f11:2', 'f14:1', 'f14:2'];
		expect(Object.keys(answers({ 'Costs:2': 2, 'Costs:1': 1, ...types }))).toEqual(order);
	});

	it('accepts 1,000 answers at most', () => {
		const many = (count: number) => ({ Photos: Array(count).fill({ Caption: 'x' }) });
		expect(request(many(1000)).sent).toHaveLength(1000);
		expect(problem(many(1001))).toBe(
			'1,001 answers, but an inspection accepts 1,000. Remove at least 1 of them.',
		);
	});

	it('only checks existing answers with Allow Missing Answers', () => {
		const allowed = { ...STRICT, allowMissing: true };
		expect(answers({ 'Costs:1': 1, 'Costs:2': 2 }, allowed)).toEqual({ 'f14:1': 1, 'f14:2': 2 });
		expect(problem({ Weather: 'Snow', 'Costs:2': 1 }, allowed)).toMatch(
			/^2 problems in this row\n"Weather": "Snow" .*\n"Damage": instance 2 is answered, but instance 1 is not/,
		);
	});

	it('rejects a value that JSON cannot store', () => {
		const ring: Record<string, unknown> = {};
		ring['ring'] = ring;
		const odd = rowOf({ f3: ring, f5: Symbol('x') });
		expect(problemOf(() => requestOf(formWith(...FREE), [odd]))).toMatch(/^2 problems in this row/);
	});
});

it('the example of a section has its first three questions by unique names, each with an answer of its type', () => {
	const example = (...children: ControlSpec[]) => sectionExample(formWith(...children).questions);
	const type = control('radio', 'Type', { choices: ['Crack', 'Dent'] });
	expect(example(type, control('number', 'Costs'), control('date', 'Day'), text('Note'))).toBe(
		'[{"Type": "Crack", "Costs": 1, "Day": "2026-05-31"}]',
	);
	const floors = ['East', 'West'].map((label) => section(label, text('Floor')));
	expect(example(control('date', 'When', { show_time: true }), ...floors)).toBe(
		'[{"When": "2026-05-31T14:30:00Z", "East/Floor": "…", "West/Floor": "…"}]',
	);
});
