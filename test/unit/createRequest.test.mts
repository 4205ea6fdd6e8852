import { describe, expect, it } from 'vitest';

import { createRequest, type Making } from '#connector/domain/create/createRequest.ts';
import type { Row } from '#connector/domain/create/draft.ts';
import { InputError } from '#connector/domain/inputError.ts';
import { isRecord, type JsonRecord, recordsOf } from '#connector/domain/json.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { textOfError } from './errorText.mts';
import {
	control,
	type ControlSpec,
	formWith,
	guid,
	page,
	repeatable,
	section,
	templateOf,
	text,
} from './generatedTemplate.mts';
import { MAKING, requestOf, rowOf } from './madeOfRows.mts';

/**
 * f1 page · f2 Site · f3 Visitors · f4 Name · f5 Weather · f6 Hazards · f7 Crew · f8 When · f9 Place ·
 * f10 Damage (repeatable) · f11 Type · f12 Where (plain) · f13 Floor · f14 Costs · f15 Photos (repeatable) · f16 Caption
 */
const everything = (is_required: boolean): ControlSpec[] => [
	page(
		'Page',
		text('Site', { is_required }),
		control('number', 'Visitors'),
		text('Name'),
		control('radio', 'Weather', { choices: ['Dry', 'Wet'] }),
		control('checkbox', 'Hazards', { choices: ['Fall', 'Noise, loud', 'Dust'] }),
		control('dropdown', 'Crew', { choices: ['North', 'South'] }),
		control('date', 'When', { show_time: true }),
		control('checkIn/location', 'Place'),
		repeatable(
			'Damage',
			control('radio', 'Type', { choices: ['Crack', 'Dent'], is_required }),
			section('Where', text('Floor')),
			control('number', 'Costs'),
			repeatable('Photos', text('Caption')),
		),
	),
];
const FREE = everything(false);
/** Site and Type are required. */
const STRICT = { specs: everything(true) };
const REQUIRED: JsonRecord = { f2: 'Gate 4', 'Type:1': 'Crack' };

interface Options extends Partial<Making>, Partial<Pick<Row, 'additionalFields' | 'task'>> {
	specs?: ControlSpec[];
	by?: 'columns' | 'autoMap';
}

function request(values: JsonRecord, options: Options = {}) {
	const { specs = FREE, by = 'autoMap', additionalFields = {}, task, ...making } = options;
	const row = rowOf(values, { by, additionalFields, task });
	return requestOf(formWith(...specs), [row], { timeZone: 'UTC', ...making });
}

/** What was to be sent, as `field_id` or `field_id:order` → value. */
function answers(values: JsonRecord, options: Options = {}): JsonRecord {
	const entries = request(values, options).sent.map(({ question, order, value }) => [
		question.section === null ? question.fieldId : `${question.fieldId}:${String(order)}`,
		value,
	]);
	return Object.fromEntries(entries) as JsonRecord;
}

const unmatched = (values: JsonRecord, options: Options = {}) => request(values, options).unmatched;

function problem(values: JsonRecord, options: Options = {}): string {
	try {
		request(values, options);
	} catch (error) {
		return error instanceof InputError ? textOfError(error) : String(error);
	}
	return 'no problem';
}

describe('the request for a template with everything', () => {
	const sections = {
		'section:f10': [
			{ f11: 'Crack', Where: { Floor: 2 }, Costs: '10.50' },
			{},
			{ Type: 'Dent', 'Page/Damage/Where/Floor': 'roof', [guid(14)]: 0 },
		],
		'section:f15': '[{"Caption":"left"},{"caption ":"right"}]',
	};
	const questions = {
		...{ f2: 'Gate 4', f3: '12', f4: 'Kim', f5: 'dry', f6: 'Noise, loud; Dust', f7: ['South'] },
		...{ f8: '2026-05-31T12:00:00', f9: '52.5, 13.4' },
	};
	const stored: [id: string, value: unknown, order?: number][] = [
		['f2', 'Gate 4'],
		['f3', 12],
		['f4', 'Kim'],
		['f5', 'Dry'],
		['f6', ['Noise, loud', 'Dust']],
		['f7', 'South'],
		['f8', '2026-05-31T10:00:00.000Z'],
		['f9', '52.5, 13.4'],
		['f11', 'Crack', 1],
		['f11', 'Dent', 2],
		['f13', '2', 1],
		['f13', 'roof', 2],
		['f14', 10.5, 1],
		['f14', 0, 2],
		['f16', 'left', 1],
		['f16', 'right', 2],
	];

	it('is this one', () => {
		const customField = [
			{ name: 'Order', value: 7 },
			{ name: '', value: '' },
		];
		const additionalFields = {
			...{ name: 'Walk', status: 'In_Progress', description: 'weekly', teamId: guid(77) },
			...{ createdBy: ' kim@example.com ', customFields: { customField } },
			locations: '[{"name":"Gate 4"}]',
		};
		const task = {
			...{
				title: 'Fix',
				instructions: 'soon',
				priority: 'High',
				dueDateTime: '2026-06-01T08:00:00',
			},
			assignee: ['a@example.com; b@example.com', 'A@example.com'],
		};
		const options = { by: 'columns', timeZone: 'Europe/Berlin', additionalFields, task } as const;
		expect(request({ ...questions, ...sections }, options).body).toEqual({
			...{ template_id: guid(0), team_id: guid(77), name: 'Walk', status: 'in_progress' },
			...{ description: 'weekly', created_by: 'kim@example.com' },
			custom_fields: [{ name: 'Order', value: '7' }],
			locations: [{ name: 'Gate 4' }],
			task: {
				...{ title: 'Fix', instructions: 'soon', priority: 'high' },
				due_date_time: '2026-06-01T06:00:00.000Z',
				assignee: ['a@example.com', 'b@example.com'],
			},
			data: {
				item_type: 'question_response',
				items: stored.map(([field_id, value, order]) => ({
					...{ field_id, response: { value } },
					...(order && { repeat_section_order: order }),
				})),
			},
		});
	});

	it.each([
		['has no data and no task where nothing is given', undefined, {}],
		[
			'asks for an empty task where only the task is wanted',
			{ title: '', assignee: [] },
			{ task: {} },
		],
	])('%s', (_, task, more) => {
		expect(request({}, { by: 'columns', task }).body).toEqual({ template_id: guid(0), ...more });
	});
});

describe('auto-map', () => {
	it('takes :n as instance n, and arrays by the name of the section', () => {
		const counted = { 'Costs:2': 2, Costs: 1, [`${guid(14).toUpperCase()}:3`]: 3 };
		expect(answers(counted)).toEqual({ 'f14:1': 1, 'f14:2': 2, 'f14:3': 3 });
		for (const key of ['section:f10', 'f10', 'Damage', 'Page/Damage', guid(10)]) {
			expect(answers({ [key]: { Costs: 1 } })).toEqual({ 'f14:1': 1 });
		}
	});

	it('lets a label that ends in :2 win over instance 2', () => {
		const specs = [repeatable('S', text('A')), text('A:2')];
		expect(answers({ A: 'x', 'A:2': 'y' }, { specs })).toEqual({ 'f2:1': 'x', f3: 'y' });
		expect(answers({ f2: 'x', 'f2:2': 'y' }, { specs })).toEqual({ 'f2:1': 'x', 'f2:2': 'y' });
	});

	it('never takes a key of the row for a question, also behind a byte order mark', () => {
		const specs = [text('Name'), text('status'), text('ID')];
		const own = { name: 'Walk', status: 'new', '\ufeffid': '1', row_number: 2 };
		expect(request(own, { specs })).toMatchObject({ sent: [], unmatched: [] });
		expect(answers({ Name: 'Kim', '\ufefff2': 'ok' }, { specs })).toEqual({ f1: 'Kim', f2: 'ok' });
	});

	it('says how to rename the column where a required question has the name of one of the row’s own fields', () => {
		const specs = [page('Page', text('Name', { is_required: true }))];
		expect(problem({ name: 'Gate 4', id: 'x' }, { specs })).toMatch(
			/"Name": required, but has no answer; the column "name" is taken for the inspection's own "name" \(Additional Fields\), so rename it to "Page\/Name" for the question/,
		);
	});

	it('names the columns that match no question, but not the row’s own fields', () => {
		const values = { Colour: 'red', name: 'Walk', empty: '', Damage: [{ Size: 1, Costs: 2 }] };
		expect(unmatched(values)).toEqual(['Colour', 'Damage/Size']);
	});

	it('refuses an ambiguous label: it counts all questions, and names the first six', () => {
		const pages = (count: number) =>
			Array.from({ length: count }, (_, n) => page(`P${String(n)}`, text('Note')));
		expect(problem({ Note: 'x' }, { specs: pages(2) })).toBe(
			'Two questions are called "Note". Rename the column to "P0/Note" or "P1/Note".',
		);
		expect(problem({ Note: 'x' }, { specs: pages(9) })).toMatch(
			/^9 questions are called "Note"\. Rename the column to "P0\/Note" or .* or "P5\/Note"[^"]*$/,
		);
		expect(answers({ Note: '', 'p8 /  note': 'x' }, { specs: pages(9) })).toEqual({ f18: 'x' });
	});

	it.each([
		['label', ['by label']],
		['path', ['by label', 'by path']],
		['control id', ['by label', 'by path', 'by control id']],
		['field id', ['by label', 'by path', 'by control id', 'by field id']],
	])('takes the surer kind of key first: %s', (_, kinds) => {
		const others = kinds.slice(1).map((kind) => text(kind === 'by path' ? 'X' : kind));
		const template = templateOf([page('P', text('X')), ...others]);
		const controls = recordsOf(isRecord(template.data) ? template.data.controls : undefined);
		for (const one of controls) {
			if (one.label === 'by control id') one.id = 'X';
			if (one.label === 'by field id') one.field_id = 'X';
		}
		const [meant] = requestOf(formOf(template), [rowOf({ X: 'x' })]).sent;
		const place = controls.findIndex(({ field_id: id }) => id === meant?.question.fieldId);
		expect(kinds[place - 1]).toBe(kinds.at(-1));
	});

	it.each(['Where', 'where ', 'Page/Damage/Where'])(
		'takes an object under "%s" for a part of the path',
		(name) => {
			for (const key of ['Floor', 'floor', ' Floor ']) {
				const values = { Damage: [{ [name]: { [key]: '3' } }] };
				expect(answers(values)).toEqual({ 'f13:1': '3' });
				expect(unmatched(values)).toEqual([]);
			}
		},
	);

	it('names what an object inside a section holds and no question goes by', () => {
		const values = { Damage: [{ Where: { Costs: 1, Room: 2 }, Elsewhere: { Floor: 3 } }] };
		expect(unmatched(values)).toEqual([
			'Damage/Where/Costs',
			'Damage/Where/Room',
			'Damage/Elsewhere/Floor',
		]);
	});

	it('takes an object for a plain section where a repeatable one is called the same', () => {
		const specs = [repeatable('Damage', section('Photos', text('Caption'))), repeatable('Photos')];
		const inside = { Photos: { Size: 1, Caption: 'x' } };
		expect(answers({ Damage: [inside] }, { specs })).toEqual({ 'f3:1': 'x' });
		expect(unmatched({ Damage: [inside] }, { specs })).toEqual(['Damage/Photos/Size']);
		const deeper = [
			repeatable('Damage', section('East', section('Photos', text('Caption')))),
			repeatable('Photos'),
		];
		expect(answers({ Damage: [{ East: inside }] }, { specs: deeper })).toEqual({ 'f4:1': 'x' });
	});

	it('tells apart what is called the same: questions, sections, or both', () => {
		const named = (...specs: ControlSpec[]) => problem({ Note: 'x' }, { specs });
		const note = text('Note');
		expect(named(page('A', note), page('A', note))).toBe(
			'Two questions are called "Note". Rename the column to "A/Note (f2)" or "A/Note (f4)".',
		);
		expect(named(note, repeatable('Note', text('Size')))).toMatch(/^Two questions or sections are/);
		const sections = ['A', 'B', 'C'].map((label) => page(label, repeatable('Note', text('Size'))));
		expect(named(...sections)).toMatch(/^Three sections are called "Note"/);
	});

	it('takes the instances of one section from two columns, each by its place in its own array', () => {
		const both = { Damage: [{}, { Costs: 2 }], 'section:f10': [{ Type: 'Dent' }] };
		expect(answers(both)).toEqual({ 'f11:1': 'Dent', 'f14:2': 2 });
	});

	it.each([[[{ Caption: 'x' }]], [{ Caption: 'x' }], ['x']])(
		'refuses a repeatable section inside another one: %j',
		(photos) => {
			expect(problem({ Damage: [{ Costs: 1, Photos: photos }] })).toMatch(
				/"Photos" inside "Damage" is a repeatable section of its own; give its instances under "Photos"/,
			);
		},
	);

	it('refuses instances under a label that several have, where one of them is a repeatable section', () => {
		const photos = repeatable('Photos', text('Caption'));
		const specs = [repeatable('Area', text('Room'), photos), page('End', photos)];
		expect(problem({ Area: [{ Room: 'Hall', Photos: [{ Caption: 'x' }] }] }, { specs })).toBe(
			'"Photos" inside "Area" is a repeatable section of its own; give its instances under "Area/Photos" or "End/Photos".',
		);
	});

	it('names an object that is nested deeper than any form', () => {
		const depth = 5_000;
		const controls = Array.from({ length: depth + 2 }, (_, n) => ({
			...{ id: guid(n + 1), field_id: `f${String(n + 1)}`, type: n > depth ? 'text' : 'section' },
			...{ label: n === 0 ? 'Damage' : 'Level', parent_id: n === 0 ? null : guid(n) },
			settings: { is_repeatable: n === 0 },
		}));
		let nested: JsonRecord = { [`f${String(depth + 2)}`]: 'x' };
		for (let n = depth; n > 0; n--) nested = { [`f${String(n + 1)}`]: nested };
		const form = formOf({ id: guid(0), data: { controls } });
		expect(() => requestOf(form, [rowOf({ 'section:f1': [nested] })])).toThrow(
			/nested more than 20 levels deep/,
		);
	});

	it('names an object that is no part of a path', () => {
		const where = section('Where', text('Floor'));
		const specs = [repeatable('Damage', section('East', where), section('West', where))];
		expect(unmatched({ Damage: [{ Where: { Floor: 1 } }] }, { specs })).toEqual([
			'Damage/Where/Floor',
		]);
		const values = { Damage: [{ East: { Where: { Floor: 1 } }, 'West/Where': { Floor: 2 } }] };
		expect(answers(values, { specs })).toEqual({ 'f4:1': '1', 'f7:1': '2' });
	});

	it('takes the path of an object whole', () => {
		const wing = (label: string) => section(label, text('Floor'), section('Room', text('Door')));
		const specs = [repeatable('Damage', wing('East'), text('Floor'), wing('West'))];
		const values = {
			Damage: [{ East: { Floor: 'a', 'Room / door': 'b' }, West: { Room: { Door: 'c' } } }],
		};
		expect(answers(values, { specs })).toEqual({ 'f3:1': 'a', 'f5:1': 'b', 'f10:1': 'c' });
		const outside = { Damage: [{ 'West/Room': { Door: 'd', Floor: 'e', f5: 'f' } }] };
		expect(answers(outside, { specs })).toEqual({ 'f10:1': 'd' });
		expect(unmatched(outside, { specs })).toEqual([
			'Damage/West/Room/Floor',
			'Damage/West/Room/f5',
		]);
		expect(problem({ Damage: [{ Door: 'x' }] }, { specs })).toContain(
			'Two questions are called "Door". Rename the column to "Damage/East/Room/Door" or "Damage/West/Room/Door"',
		);
	});

	it('takes a name such as constructor like any other name', () => {
		const values = JSON.parse('{"__proto__":"x","constructor":"y","toString":"z"}') as JsonRecord;
		expect(unmatched(values)).toEqual(['__proto__', 'constructor', 'toString']);
		expect(answers(values, { specs: [text('__proto__')] })).toEqual({ f1: 'x' });
	});

	it.each([true, false])(
		'sends one answer where two columns agree, and refuses two that differ: validation %s',
		(validate) => {
			expect(problem({ Visitors: 1, f3: 2 }, { validate })).toBe(
				'"Visitors": answered twice, with 1 by "Visitors" and with 2 by "f3"; keep one.',
			);
			expect(answers({ Visitors: 1, f3: '1.0' }, { validate })).toEqual({ f3: 1 });
		},
	);

	it('sends one list of choices where two columns have them in another order', () => {
		expect(answers({ Hazards: 'Fall,Dust', f6: ['Dust', 'Fall'] })).toEqual({
			f6: ['Fall', 'Dust'],
		});
	});
});

describe('dates and numbers as people write them', () => {
	const here = {
		...{ timeZone: 'Europe/Berlin', dateFormat: 'dd.MM.yyyy HH:mm' },
		decimalSeparator: 'comma',
	} as const;

	it.each<[string, JsonRecord, JsonRecord]>([
		[
			'are read with the options',
			{ When: '31.5.2026 14:30', Visitors: '1.234', 'Costs:1': '10,50' },
			{ f3: 1234, f8: '2026-05-31T12:30:00.000Z', 'f14:1': 10.5 },
		],
		[
			'are not changed by the options where they can be read in one way only',
			{ When: '2026-05-31T14:30:00Z', Visitors: 12.5 },
			{ f3: 12.5, f8: '2026-05-31T14:30:00.000Z' },
		],
	])('%s', (_, values, sent) => {
		expect(answers(values, here)).toEqual(sent);
	});

	it('are not guessed without the options, which the error names beside all other problems', () => {
		expect(problem({ When: '05/01/2026 09:00', Visitors: '1,5', Weather: 'Snow' })).toBe(
			'3 things to correct in this row\n"When": "05/01/2026 09:00" is not a date; set the option Date Format to MM/dd/yyyy HH:mm to read 2026-05-01, or to dd/MM/yyyy HH:mm to read 2026-01-05.\n"Visitors": "1,5" is not a number; set the option Decimal Separator to Comma to read 1.5.\n"Weather": "Snow" is not among its choices; possible: Dry | Wet.',
		);
	});

	it.each([
		['2026-05-31', '2026-05-31T21:59:59.999Z'],
		['31.05.2026', '2026-05-31T21:59:59.999Z'],
		['31.05.2026 14:30', '2026-05-31T12:30:00.000Z'],
		['2026-05-31T00:00:00', '2026-05-30T22:00:00.000Z'],
		[46_173, '2026-05-31T21:59:59.999Z'],
	])('give a task until the end of a day that has no time: %j', (dueDateTime, sent) => {
		expect(request({}, { ...here, task: { dueDateTime } }).body.task).toEqual({
			due_date_time: sent,
		});
	});
});

describe('rules', () => {
	it('refuses a required question without an answer, in every instance that there is', () => {
		expect(problem({}, STRICT)).toBe(
			'2 things to correct in this row\n"Site": required, but has no answer; give it one.\n"Type" of the section "Damage": required, but has no answer; give it one.',
		);
		expect(problem({ Site: 'x', Damage: [{ Costs: 1 }, { Type: 'Dent' }] }, STRICT)).toBe(
			'"Type" of the section "Damage" (instance 1): required, but has no answer; give it one.',
		);
		expect(problem(REQUIRED, STRICT)).toBe('no problem');
	});

	it.each<[JsonRecord, RegExp]>([
		[
			{ Sitte: 'Gate 4', Colour: 'red', 'Type:1': 'Crack' },
			/^"Site": required, but has no answer; give it one\. These columns match no question: "Sitte" \(did you mean "Site"\?\), "Colour"\.$/,
		],
		[
			{ ...REQUIRED, Wheather: 'Dry', Visitors: 'many' },
			/^"Visitors": "many" is not a number; write digits with a point for decimals and no thousands separator, such as 1234\.5\. The column "Wheather" \(did you mean "Weather"\?\) matches no question\.$/,
		],
		[{ ...REQUIRED, Colour: 'red' }, /^no problem$/],
	])(
		'names a column that matches nothing beside the question that it resembles: %j',
		(row, told) => {
			expect(problem(row, STRICT)).toMatch(told);
		},
	);

	it.each(['Type 2', 'type2', 'Type (2)', 'Type #2'])(
		'says how the second instance is written where a column is called %j',
		(column) => {
			const told = problem({ 'Type:1': 'Crack', [column]: 'Dent' }, STRICT);
			expect(told).toMatch(new RegExp(`did you mean "${column.slice(0, 4)}:2"\\?`));
		},
	);

	const twice =
		'"Damage": answered twice, by its array of instances and by the single question "Costs"; use one of the two.';
	it.each<[string, JsonRecord, string, Options?]>([
		[
			'a gap between instances',
			{ 'Costs:1': 1, 'Costs:3': 3 },
			'"Damage": instance 3 is answered, but instance 2 is not; instances count from 1 without gaps.',
		],
		[
			'an instance 0',
			{ 'Costs:0': 1 },
			'"Costs:0": instances of a section count from 1, not from 0.',
		],
		[
			'an instance 0 beside an instance 2',
			{ 'Costs:0': 1, 'Costs:2': 1 },
			'instance 2 is answered, but instance 1 is not',
		],
		[
			'a second instance of what does not repeat',
			{ 'Visitors:2': 1 },
			'"Visitors:2": "Visitors" is in no repeatable section and takes one answer, not instance 2.',
		],
		['an array beside a single question of it', { Damage: [{ Costs: 1 }], Costs: 1 }, twice],
		[
			'an array beside some questions of it',
			{ Damage: [{ Costs: 1 }], 'Costs:3': 1, Type: 'Dent' },
			twice,
		],
		['the same of the mapper', { 'section:f10': [{ Costs: 1 }], f14: 1 }, twice, { by: 'columns' }],
		[
			'the same without validation',
			{ Damage: [{ Costs: 1 }], Costs: 1 },
			'use one',
			{ validate: false },
		],
		[
			'what is no list of instances',
			{ 'section:f10': 'Crack' },
			'"Damage": "Crack" is no instance of the section; give an array with one object per instance, such as [{"Type": "Crack", "Floor": "…", "Costs": 1}].',
			{ by: 'columns' },
		],
		[
			'a number inside an array',
			{ Damage: [{ 'Costs:2': 1 }] },
			'"Costs:2": the place in the array of "Damage" says which instance is meant; use the name without ":2".',
		],
		[
			'one instance of a section as a whole',
			{ 'Damage:2': [{ Costs: 1 }] },
			'"Damage:2": "Damage" is a section and takes all its instances at once, without ":2".',
		],
		[
			'a column that the template no longer has',
			{ f99: 'x' },
			'"f99": "x" cannot be sent',
			{ by: 'columns' },
		],
	])('refuses %s', (_, values, told, options = {}) => {
		expect(problem(values, options)).toContain(told);
	});

	it('does not tell what the required questions of a section lack that is no list of instances', () => {
		const values = { f2: 'Gate', 'section:f10': ['Crack', 'Dent'] };
		expect(problem(values, { ...STRICT, by: 'columns' })).toMatch(
			/^"Damage": "Crack" is no instance of the section[^()]*$/,
		);
	});

	it('closes up gaps in arrays, and takes empty ones for none', () => {
		const gaps = [{}, { Costs: 1 }, null, { Costs: '', Type: null }, { Costs: 2 }];
		expect(answers({ Damage: gaps })).toEqual({ 'f14:1': 1, 'f14:2': 2 });
		expect(problem({ 'section:f10': [{}], f14: 1 }, { by: 'columns' })).toBe('no problem');
	});

	it('sends answers in the order of the template, and of a question by their instances', () => {
		const values = {
			'Costs:2': 2,
			'Costs:1': 1,
			'Type:2': 'Dent',
			Weather: 'Dry',
			'Type:1': 'Crack',
		};
		expect(Object.keys(answers(values))).toEqual(['f5', 'f11:1', 'f11:2', 'f14:1', 'f14:2']);
	});

	it('takes 1000 answers and not one more', () => {
		const many = (count: number) => ({
			Photos: Array.from({ length: count }, (_, i) => ({ Caption: String(i) })),
		});
		expect(request(many(1000)).sent).toHaveLength(1000);
		expect(problem(many(1001))).toBe(
			'1001 answers are more than the 1000 that one inspection takes; leave 1 out.',
		);
	});

	it('sends answers as they are without validation', () => {
		const given = { Visitors: '1,5', Weather: 'Snow', 'Costs:3': true };
		expect(answers(given, { validate: false })).toEqual({ f3: '1,5', f5: 'Snow', 'f14:3': true });
		const ring: Record<string, unknown> = {};
		ring['ring'] = ring;
		const odd = rowOf({ f3: ring, f5: Symbol('x') });
		const { sent } = requestOf(formWith(...FREE), [odd], { validate: false });
		expect(sent.map(({ value }) => value)).toEqual(['a value that is no JSON', 'Symbol(x)']);
	});
});

describe('what is told of a request beside its problems', () => {
	it.each([
		[{ f1: 0.87 }, [0.87]],
		[{ f1: -0.5 }, [-0.5]],
		[{ f1: 0 }, []],
		[{ f1: 1 }, []],
		[{ f1: -1 }, []],
		[{ f1: '0.87' }, []],
		[{ f2: 0.87 }, []],
		[{ f3: 0.87 }, []],
	])('a part of a hundred per cent: %j', (values, expected) => {
		const specs = [control('number', 'Done %'), control('number', 'Done'), text('Text %')];
		const { partsOfPercent } = request(values, { by: 'columns', specs });
		expect(partsOfPercent.map(({ value }) => value)).toEqual(expected);
	});

	const FORM = formWith(text('Site'));
	const site = (number: number, row: Partial<Row> = {}) =>
		rowOf({ Site: 'Gate' }, { number, ...row });

	it.each<[string, Partial<Row>, Partial<Row>, number[]]>([
		['nothing else', {}, {}, []],
		['another answer', {}, { values: { Site: 'Roof' } }, [2]],
		['a name', {}, { additionalFields: { name: 'Walk' } }, [2]],
		['a task', {}, { task: {} }, [2]],
		['the same task', { task: {} }, { task: {} }, []],
	])('rows of one unique key that say something else than the first: %s', (_, a, b, unused) => {
		const { unusedRows } = requestOf(FORM, [site(1, a), site(2, b)]);
		expect(unusedRows.map(({ number }) => number)).toEqual(unused);
	});

	it('columns for Additional Fields, and columns of the row itself that a question is called like', () => {
		const form = formWith(text('Site'), page('Header', text('Team')));
		const row = { Site: 'Gate', Status: 'new', team: 'North', Colour: 'red', Order: 7 };
		const told = { unusedDetails: ['Status {{ $json.Status }}'], unmatched: ['Status', 'Colour'] };
		const ownColumns = ['"team" (rename it to "Header/Team")'];
		const isOfUse = (key: string) => key === 'Order';
		expect(requestOf(form, [rowOf(row)], { isOfUse })).toMatchObject({ ...told, ownColumns });
		const byHand = requestOf(form, [rowOf({ f1: 'Gate' }, { by: 'columns' })]);
		expect(byHand).toMatchObject({ unusedDetails: [], unmatched: [], ownColumns: [] });
	});

	it('rows of one group are all used', () => {
		const rows = [site(1), site(2, { values: { Site: '' } })] as const;
		expect(requestOf(FORM, [...rows], { isGrouped: true }).unusedRows).toEqual([]);
	});

	const problemsOf = (...rows: [Row, ...Row[]]) => {
		try {
			return requestOf(FORM, rows);
		} catch (error) {
			return error instanceof InputError ? error.problems : error;
		}
	};

	it('rows without any question, as one kind of problem', () => {
		const wrong = expect.stringMatching(/^The column "Colour" matches no question\. Give/);
		const refused = () => createRequest(FORM, [rowOf({ Colour: 'red' })], MAKING);
		expect(refused).toThrow(
			expect.objectContaining({ problems: [{ wrong, kind: 'no question' }] }),
		);
	});

	it('the row that carries an error, with or without answers, by its number where there are several', () => {
		const wrong = expect.stringMatching(/^The item carries an error: "no"\. Take such items out/);
		const bad = rowOf({ error: 'no' }, { number: 5 });
		expect(problemsOf(bad)).toEqual([{ wrong, rows: undefined }]);
		const mapped = site(1, { values: { Site: 'Gate', error: 'no' } });
		expect(problemsOf(mapped)).toEqual([{ wrong, rows: undefined }]);
		expect(problemsOf(site(1), bad)).toEqual([{ wrong, rows: [5] }]);
		expect(problemsOf(site(1, { values: { error: false } }))).not.toBeInstanceOf(Array);
	});

	it('the columns that may have caused a problem, and what to do about garbled headers', () => {
		const specs = [text('Site', { is_required: true })];
		const LOST = { isCause: true, wrong: 'is a column that matches no question' };
		const row = rowOf({ Site: '', Sitee: 'x', __EMPTY: 'y' });
		expect(() => requestOf(formWith(...specs), [row])).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(
					/^"Site": .*\. These columns match no question: "Sitee" \(did you mean "Site"\?\), "__EMPTY"\. Some columns have no header: [^.]*\.$/,
				),
				problems: [
					expect.objectContaining({ subject: '"Site"' }),
					{ ...LOST, value: '"Sitee" (did you mean "Site"?)' },
					{ ...LOST, value: '"__EMPTY"' },
					{ isCause: true, wrong: expect.stringMatching(/^Some columns have no header: [^.]*$/) },
				],
			}),
		);
	});
});
