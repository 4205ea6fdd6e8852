import { describe, expect, it } from 'vitest';

import type { DecimalSeparator } from '#connector/domain/answer/numbers.ts';
import { createdInspection } from '#connector/domain/create/createdInspection.ts';
import type { Row } from '#connector/domain/create/draft.ts';
import { asControlId } from '#connector/domain/id.ts';
import { InputError } from '#connector/domain/inputError.ts';
import { isRecord, type JsonRecord, type JsonValue, recordsOf } from '#connector/domain/json.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { textOfError } from './errorText.mts';
import { type ControlSpec, guid, templateOf } from './generatedTemplate.mts';
import { requestOf, rowOf } from './madeOfRows.mts';

type DetailFields = Pick<Row, 'additionalFields' | 'task'>;

/** f1 page · f2 Site · f3 Visitors · f4 Inspector · f5 Weather · f6 Hazards · f7 Crew · f8 When · f9 Place ·
 * f10 Damage (repeatable) · f11 Type · f12 Where (plain) · f13 Floor · f14 Costs · f15 Photos (repeatable) · f16 Caption */
const EVERYTHING: ControlSpec[] = [
	{
		type: 'page',
		label: 'Page',
		children: [
			{ type: 'text', label: 'Site', options: { is_required: true } },
			{ type: 'number', label: 'Visitors' },
			{ type: 'text', label: 'Name' },
			{ type: 'radio', label: 'Weather', options: { choices: ['Dry', 'Wet'] } },
			{ type: 'checkbox', label: 'Hazards', options: { choices: ['Fall', 'Noise, loud', 'Dust'] } },
			{ type: 'dropdown', label: 'Crew', options: { choices: ['North', 'South'] } },
			{ type: 'date', label: 'When', options: { show_time: true } },
			{ type: 'checkIn/location', label: 'Place' },
			{
				type: 'section',
				label: 'Damage',
				options: { is_repeatable: true },
				children: [
					{
						type: 'radio',
						label: 'Type',
						options: { choices: ['Crack', 'Dent'], is_required: true },
					},
					{ type: 'section', label: 'Where', children: [{ type: 'text', label: 'Floor' }] },
					{ type: 'number', label: 'Costs' },
					{
						type: 'section',
						label: 'Photos',
						options: { is_repeatable: true },
						children: [{ type: 'text', label: 'Caption' }],
					},
				],
			},
		],
	},
];

const NO_DETAILS: DetailFields = { additionalFields: {}, task: undefined };

interface Options {
	specs?: ControlSpec[];
	details?: DetailFields;
	timeZone?: string;
	dateFormat?: string;
	decimalSeparator?: DecimalSeparator;
	validate?: boolean;
}

function request(values: JsonRecord, by: 'columns' | 'autoMap', options: Options = {}) {
	const form = formOf(templateOf(options.specs ?? EVERYTHING));
	const row = rowOf(values, { by, ...(options.details ?? NO_DETAILS) });
	const made = requestOf(form, [row], {
		timeZone: options.timeZone ?? 'UTC',
		dateFormat: options.dateFormat,
		decimalSeparator: options.decimalSeparator,
		validate: options.validate ?? true,
	});
	return { ...made, unknownKeys: made.unmatched };
}

/** What was to be sent, as `field_id` or `field_id:order` → value. */
function answers(values: JsonRecord, by: 'columns' | 'autoMap' = 'autoMap', options: Options = {}) {
	const entries = request(values, by, options).sent.map(({ question, order, value }) => [
		question.section === null ? question.fieldId : `${question.fieldId}:${String(order)}`,
		value,
	]);
	return Object.fromEntries(entries) as JsonRecord;
}

function problem(values: JsonRecord, by: 'columns' | 'autoMap' = 'autoMap', options: Options = {}) {
	try {
		request(values, by, options);
	} catch (error) {
		return error instanceof InputError ? textOfError(error) : String(error);
	}
	return 'no problem';
}

/** A repeatable section with plain ones in it, each in the one before, and a question in the inmost. */
function sectionsInOneAnother(depth: number): JsonRecord {
	const controls = Array.from({ length: depth + 2 }, (_, n) => ({
		id: guid(n + 1),
		field_id: `f${String(n + 1)}`,
		type: n > depth ? 'text' : 'section',
		label: n === 0 ? 'Damage' : 'Level',
		parent_id: n === 0 ? null : guid(n),
		settings: { is_repeatable: n === 0 },
	}));
	return { id: guid(0), data: { controls } };
}

function nestedList(depth: number): JsonValue {
	let value: JsonValue = 'x';
	for (let level = 0; level < depth; level++) value = [value];
	return value;
}

const REQUIRED: JsonRecord = { f2: 'Gate 4', 'Type:1': 'Crack' };
const FREE = EVERYTHING.map((page) => ({
	...page,
	children: page.children?.map((spec) => ({
		...spec,
		options: { ...spec.options, is_required: false },
		...(spec.children && {
			children: spec.children.map((child) => ({
				...child,
				options: { ...child.options, is_required: false },
			})),
		}),
	})),
}));
const free: Options = { specs: FREE };

describe('the request for a template with everything', () => {
	it('is this one', () => {
		const { body } = request(
			{
				f2: 'Gate 4',
				f3: '12',
				f4: 'Kim',
				f5: 'dry',
				f6: 'Noise, loud; Dust',
				f7: ['South'],
				f8: '2026-05-31T12:00:00',
				f9: '52.5, 13.4',
				'section:f10': [
					{ f11: 'Crack', Where: { Floor: 2 }, Costs: '10.50' },
					{},
					{ Type: 'Dent', 'Page/Damage/Where/Floor': 'roof', [guid(14)]: 0 },
				],
				'section:f15': '[{"Caption":"left"},{"caption ":"right"}]',
			},
			'columns',
			{
				timeZone: 'Europe/Berlin',
				details: {
					additionalFields: {
						name: 'Walk',
						status: 'In_Progress',
						description: 'weekly',
						teamId: guid(77),
						createdBy: ' kim@example.com ',
						customFields: {
							customField: [
								{ name: 'Order', value: 7 },
								{ name: '', value: '' },
							],
						},
						locations: '[{"name":"Gate 4"}]',
					},
					task: {
						title: 'Fix',
						instructions: 'soon',
						priority: 'High',
						dueDateTime: '2026-06-01T08:00:00',
						assignee: ['a@example.com; b@example.com', 'A@example.com'],
					},
				},
			},
		);
		expect(body).toEqual({
			template_id: guid(0),
			team_id: guid(77),
			name: 'Walk',
			status: 'in_progress',
			description: 'weekly',
			created_by: 'kim@example.com',
			custom_fields: [{ name: 'Order', value: '7' }],
			locations: [{ name: 'Gate 4' }],
			task: {
				title: 'Fix',
				instructions: 'soon',
				priority: 'high',
				due_date_time: '2026-06-01T06:00:00.000Z',
				assignee: ['a@example.com', 'b@example.com'],
			},
			data: {
				item_type: 'question_response',
				items: [
					{ field_id: 'f2', response: { value: 'Gate 4' } },
					{ field_id: 'f3', response: { value: 12 } },
					{ field_id: 'f4', response: { value: 'Kim' } },
					{ field_id: 'f5', response: { value: 'Dry' } },
					{ field_id: 'f6', response: { value: ['Noise, loud', 'Dust'] } },
					{ field_id: 'f7', response: { value: 'South' } },
					{ field_id: 'f8', response: { value: '2026-05-31T10:00:00.000Z' } },
					{ field_id: 'f9', response: { value: '52.5, 13.4' } },
					{ field_id: 'f11', response: { value: 'Crack' }, repeat_section_order: 1 },
					{ field_id: 'f11', response: { value: 'Dent' }, repeat_section_order: 2 },
					{ field_id: 'f13', response: { value: '2' }, repeat_section_order: 1 },
					{ field_id: 'f13', response: { value: 'roof' }, repeat_section_order: 2 },
					{ field_id: 'f14', response: { value: 10.5 }, repeat_section_order: 1 },
					{ field_id: 'f14', response: { value: 0 }, repeat_section_order: 2 },
					{ field_id: 'f16', response: { value: 'left' }, repeat_section_order: 1 },
					{ field_id: 'f16', response: { value: 'right' }, repeat_section_order: 2 },
				],
			},
		});
	});

	it('has no data and no task where nothing is given', () => {
		expect(request({}, 'columns', free).body).toEqual({ template_id: guid(0) });
	});

	it('asks for a task with no fields where the task is wanted', () => {
		const details = { additionalFields: {}, task: { title: '', assignee: [] } };
		expect(request({}, 'columns', { ...free, details }).body).toEqual({
			template_id: guid(0),
			task: {},
		});
	});
});

describe('auto-map', () => {
	it.each([
		['field_id', 'f3'],
		['control id', guid(3)],
		['path', 'Page/Visitors'],
		['label', 'Visitors'],
		['label in another case with blanks', ' visitors '],
		['instance 1', 'Visitors:1'],
	])('takes a key as %s', (_, key) => {
		expect(answers({ [key]: 5 }, 'autoMap', free)).toEqual({ f3: 5 });
	});

	it('takes :n as instance n, and arrays by the name of the section', () => {
		expect(answers({ 'Costs:2': 2, Costs: 1, 'f14:3': 3 }, 'autoMap', free)).toEqual({
			'f14:1': 1,
			'f14:2': 2,
			'f14:3': 3,
		});
		for (const key of ['section:f10', 'f10', 'Damage', 'Page/Damage', guid(10)]) {
			expect(answers({ [key]: { Costs: 1 } }, 'autoMap', free)).toEqual({ 'f14:1': 1 });
		}
	});

	it('lets a label that ends in :2 win over instance 2', () => {
		const specs: ControlSpec[] = [
			{
				type: 'section',
				label: 'S',
				options: { is_repeatable: true },
				children: [{ type: 'text', label: 'A' }],
			},
			{ type: 'text', label: 'A:2' },
		];
		expect(answers({ A: 'x', 'A:2': 'y' }, 'autoMap', { specs })).toEqual({ 'f2:1': 'x', f3: 'y' });
		expect(answers({ f2: 'x', 'f2:2': 'y' }, 'autoMap', { specs })).toEqual({
			'f2:1': 'x',
			'f2:2': 'y',
		});
	});

	it('never takes a key of the row for a question', () => {
		const specs: ControlSpec[] = [
			{ type: 'text', label: 'Name' },
			{ type: 'text', label: 'status' },
		];
		const own = { name: 'Walk', status: 'new', id: '1' };
		expect(answers(own, 'autoMap', { specs })).toEqual({});
		expect(answers({ Name: 'Kim', f2: 'ok' }, 'autoMap', { specs })).toEqual({
			f1: 'Kim',
			f2: 'ok',
		});
	});

	it('says how to rename the column where a required question has the name of one of the row’s own fields', () => {
		const name: ControlSpec = { type: 'text', label: 'Name', options: { is_required: true } };
		const specs: ControlSpec[] = [{ type: 'page', label: 'Page', children: [name] }];
		expect(() => request({ name: 'Gate 4', id: 'x' }, 'autoMap', { specs })).toThrow(
			/"Name": required, but has no answer; the column "name" is taken for the inspection's own "name" \(Additional Fields\), so rename it to "Page\/Name" for the question/,
		);
	});

	it('names the columns that match no question, but not the row’s own fields', () => {
		const values = { Colour: 'red', name: 'Walk', empty: '', Damage: [{ Size: 1, Costs: 2 }] };
		expect(request(values, 'autoMap', free).unknownKeys).toEqual(['Colour', 'Damage/Size']);
	});

	it('refuses an ambiguous label, naming both paths', () => {
		const specs: ControlSpec[] = ['P', 'Q'].map((label) => ({
			type: 'page',
			label,
			children: [{ type: 'text', label: 'Site' }],
		}));
		expect(problem({ Site: 'x' }, 'autoMap', { specs })).toBe(
			'Two questions are called "Site". Rename the column to "P/Site" or "Q/Site".',
		);
		expect(answers({ Site: '', 'P/Site': 'x' }, 'autoMap', { specs })).toEqual({ f2: 'x' });
	});

	it.each([
		['label', ['by label']],
		['path', ['by label', 'by path']],
		['control id', ['by label', 'by path', 'by control id']],
		['field id', ['by label', 'by path', 'by control id', 'by field id']],
	])('takes the surer kind of key first: %s', (_, kinds) => {
		const specs: ControlSpec[] = [
			{ type: 'page', label: 'P', children: [{ type: 'text', label: 'X' }] },
			...kinds.slice(1).map((kind) => ({ type: 'text', label: kind === 'by path' ? 'X' : kind })),
		];
		const template = templateOf(specs);
		const controls = recordsOf(isRecord(template.data) ? template.data.controls : undefined);
		for (const control of controls) {
			if (control.label === 'by control id') control.id = 'X';
			if (control.label === 'by field id') control.field_id = 'X';
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
				expect(answers(values, 'autoMap', free)).toEqual({ 'f13:1': '3' });
				expect(request(values, 'autoMap', free).unknownKeys).toEqual([]);
			}
		},
	);

	it('names what an object inside a section holds and no question goes by', () => {
		const values = { Damage: [{ Where: { Costs: 1, Room: 2 }, Elsewhere: { Floor: 3 } }] };
		expect(request(values, 'autoMap', free).unknownKeys).toEqual([
			'Damage/Where/Costs',
			'Damage/Where/Room',
			'Damage/Elsewhere/Floor',
		]);
	});

	it.each([[[{ Caption: 'x' }]], [{ Caption: 'x' }], ['x']])(
		'refuses a repeatable section inside another one: %j',
		(photos) => {
			expect(problem({ Damage: [{ Costs: 1, Photos: photos }] }, 'autoMap', free)).toContain(
				'"Photos" inside "Damage" is a repeatable section of its own',
			);
		},
	);

	it('refuses instances under a label that several have, where one of them is a repeatable section', () => {
		const inner = (label: string): ControlSpec => ({
			type: 'section',
			label,
			options: { is_repeatable: true },
			children: [{ type: 'text', label: 'Caption' }],
		});
		const area = { ...inner('Area'), children: [{ type: 'text', label: 'Room' }, inner('Photos')] };
		const specs: ControlSpec[] = [
			area,
			{ type: 'page', label: 'End', children: [inner('Photos')] },
		];
		const values = { Area: [{ Room: 'Hall', Photos: [{ Caption: 'x' }] }] };
		expect(problem(values, 'autoMap', { specs })).toBe(
			'"Photos" inside "Area" is a repeatable section of its own; give its instances under "Area/Photos" or "End/Photos".',
		);
	});

	it.each([
		guid(3).toUpperCase(),
		`{${guid(3)}}`,
		guid(3).replaceAll('-', ''),
		` {${guid(3).replaceAll('-', '')}} `,
		`${guid(14).toUpperCase()}:2`,
	])('takes a control id in any form of a GUID: %j', (key) => {
		const given = key.endsWith(':2') ? { [guid(14)]: 1, [key]: 1 } : { [key]: 1 };
		expect(Object.values(answers(given, 'autoMap', free))).toContain(1);
	});

	it('names an object that is nested deeper than any form', () => {
		const depth = 5_000;
		const form = formOf(sectionsInOneAnother(depth));
		let nested: JsonRecord = { [`f${String(depth + 2)}`]: 'x' };
		for (let n = depth; n > 0; n--) nested = { [`f${String(n + 1)}`]: nested };
		expect(() => requestOf(form, [rowOf({ 'section:f1': [nested] })])).toThrow(
			/nested more than 20 levels deep/,
		);
	});

	it('names an object that is no part of a path', () => {
		const wing = (label: string): ControlSpec => ({
			type: 'section',
			label,
			children: [{ type: 'section', label: 'Where', children: [{ type: 'text', label: 'Floor' }] }],
		});
		const specs: ControlSpec[] = [
			{
				type: 'section',
				label: 'Damage',
				options: { is_repeatable: true },
				children: [wing('East'), wing('West')],
			},
		];
		expect(
			request({ Damage: [{ Where: { Floor: 1 } }] }, 'autoMap', { specs }).unknownKeys,
		).toEqual(['Damage/Where/Floor']);
		const values = { Damage: [{ East: { Where: { Floor: 1 } }, 'West/Where': { Floor: 2 } }] };
		expect(answers(values, 'autoMap', { specs })).toEqual({ 'f4:1': '1', 'f7:1': '2' });
	});

	it('takes the path of an object whole', () => {
		const wing = (label: string): ControlSpec => ({
			type: 'section',
			label,
			children: [
				{ type: 'text', label: 'Floor' },
				{ type: 'section', label: 'Room', children: [{ type: 'text', label: 'Door' }] },
			],
		});
		const specs: ControlSpec[] = [
			{
				type: 'section',
				label: 'Damage',
				options: { is_repeatable: true },
				children: [wing('East'), { type: 'text', label: 'Floor' }, wing('West')],
			},
		];
		const values = {
			Damage: [{ East: { Floor: 'a', 'Room / door': 'b' }, West: { Room: { Door: 'c' } } }],
		};
		expect(answers(values, 'autoMap', { specs })).toEqual({
			'f3:1': 'a',
			'f5:1': 'b',
			'f10:1': 'c',
		});
		const outside = { Damage: [{ 'West/Room': { Door: 'd', Floor: 'e', f5: 'f' } }] };
		expect(answers(outside, 'autoMap', { specs })).toEqual({ 'f10:1': 'd' });
		expect(request(outside, 'autoMap', { specs }).unknownKeys).toEqual([
			'Damage/West/Room/Floor',
			'Damage/West/Room/f5',
		]);
		expect(problem({ Damage: [{ Door: 'x' }] }, 'autoMap', { specs })).toContain(
			'Two questions are called "Door". Rename the column to "Damage/East/Room/Door" or "Damage/West/Room/Door"',
		);
	});

	it('counts all questions of one label, and names the first six', () => {
		const specs = Array.from(
			{ length: 9 },
			(_, n): ControlSpec => ({
				type: 'page',
				label: `Page ${String(n)}`,
				children: [{ type: 'text', label: 'Note' }],
			}),
		);
		expect(problem({ Note: 'x' }, 'autoMap', { specs })).toContain(
			'9 questions are called "Note". Rename the column to "Page 0/Note" or "Page 1/Note" or "Page 2/Note" or "Page 3/Note" or "Page 4/Note" or "Page 5/Note"',
		);
		expect(answers({ 'page 8 /  note': 'x' }, 'autoMap', { specs })).toEqual({ f18: 'x' });
	});

	it('takes a name such as constructor like any other name', () => {
		const values = JSON.parse(
			'{"__proto__": "x", "constructor": "y", "toString": "z"}',
		) as JsonRecord;
		expect(request(values, 'autoMap', free).unknownKeys).toEqual([
			'__proto__',
			'constructor',
			'toString',
		]);
		const specs: ControlSpec[] = [{ type: 'text', label: '__proto__' }];
		expect(answers(values, 'autoMap', { specs })).toEqual({ f1: 'x' });
	});

	it.each([
		['Gro\u0308\u00dfe', 'Gr\u00f6\u00dfe'],
		['Gr\u00f6\u00dfe', 'Gro\u0308\u00dfe'],
		['Site\u00a0visit', 'Site visit'],
		['Site  visit ', 'Site visit'],
		['\ufeffSite visit', 'Site visit'],
		['\ufefff1', 'Anything'],
		['section a/site VISIT', 'Section A/Site visit'],
	])('takes %j for %j, however Unicode writes it', (key, path) => {
		const labels = path.split('/');
		const specs = labels.reduceRight<ControlSpec[]>(
			(children, label) => [{ type: children.length > 0 ? 'page' : 'text', label, children }],
			[],
		);
		expect(Object.values(answers({ [key]: 'x' }, 'autoMap', { specs }))).toEqual(['x']);
	});

	it('never takes a key of the row for a question, also behind a byte order mark', () => {
		const specs: ControlSpec[] = [{ type: 'text', label: 'ID' }];
		const row = { '\ufeffid': '1', row_number: 2 };
		expect(request(row, 'autoMap', { specs })).toMatchObject({ sent: [], unknownKeys: [] });
	});

	it('refuses two keys that answer one question differently', () => {
		expect(problem({ Visitors: 1, f3: 2 }, 'autoMap', free)).toBe(
			'"Visitors": answered twice, with 1 by "Visitors" and with 2 by "f3"; keep one.',
		);
		expect(answers({ Visitors: 1, f3: '1.0' }, 'autoMap', free)).toEqual({ f3: 1 });
		expect(answers({ Hazards: 'Fall,Dust', f6: ['Dust', 'Fall'] }, 'autoMap', free)).toEqual({
			f6: ['Fall', 'Dust'],
		});
	});
});

describe('dates and numbers as people write them', () => {
	const here: Options = {
		...free,
		timeZone: 'Europe/Berlin',
		dateFormat: 'dd.MM.yyyy HH:mm',
		decimalSeparator: 'comma',
	};

	it('are read with the options', () => {
		const row = { When: '31.5.2026 14:30', Visitors: '1.234', 'Costs:1': '10,50' };
		expect(answers(row, 'autoMap', here)).toEqual({
			f3: 1234,
			f8: '2026-05-31T12:30:00.000Z',
			'f14:1': 10.5,
		});
	});

	it('are not changed by the options where they can be read in one way only', () => {
		const row = { When: '2026-05-31T14:30:00Z', Visitors: 12.5 };
		expect(answers(row, 'autoMap', here)).toEqual({ f3: 12.5, f8: '2026-05-31T14:30:00.000Z' });
	});

	it('are not guessed without the options, which the error names', () => {
		expect(problem({ When: '05/01/2026 09:00', Visitors: '1,5' }, 'autoMap', free)).toBe(
			'2 problems with this row\n"When": "05/01/2026 09:00" is not a date; set the option Date Format to MM/dd/yyyy HH:mm to read 2026-05-01, or to dd/MM/yyyy HH:mm to read 2026-01-05.\n"Visitors": "1,5" is not a number; set the option Decimal Separator to Comma to read 1.5.',
		);
	});

	it.each([
		['2026-05-31', '2026-05-31T21:59:59.999Z'],
		['31.05.2026', '2026-05-31T21:59:59.999Z'],
		['31.05.2026 14:30', '2026-05-31T12:30:00.000Z'],
		['2026-05-31T00:00:00', '2026-05-30T22:00:00.000Z'],
		[46_173, '2026-05-31T21:59:59.999Z'],
	])('give a task until the end of a day that has no time: %j', (dueDateTime, sent) => {
		const isDay = dueDateTime === '31.05.2026';
		const dateFormat = isDay ? 'dd.MM.yyyy' : 'dd.MM.yyyy HH:mm';
		const details = { additionalFields: {}, task: { dueDateTime } };
		expect(request({}, 'autoMap', { ...here, dateFormat, details }).body.task).toEqual({
			due_date_time: sent,
		});
	});
});

describe('rules', () => {
	it('refuses a required question without an answer, in every instance that there is', () => {
		expect(problem({})).toBe(
			'2 problems with this row\n"Site": required, but has no answer; give it one.\n"Type" of the section "Damage": required, but has no answer; give it one.',
		);
		expect(problem({ Site: 'x', Damage: [{ Costs: 1 }, { Type: 'Dent' }] })).toBe(
			'"Type" of the section "Damage" (instance 1): required, but has no answer; give it one.',
		);
		expect(problem(REQUIRED)).toBe('no problem');
	});

	it('names a column that matches nothing beside the question that it resembles', () => {
		expect(problem({ Sitte: 'Gate 4', Colour: 'red', 'Type:1': 'Crack' })).toBe(
			'"Site": required, but has no answer; give it one. These columns match no question: "Sitte" (did you mean "Site"?), "Colour".',
		);
		expect(problem({ ...REQUIRED, Wheather: 'Dry', Visitors: 'many' })).toBe(
			'"Visitors": "many" is not a number; write digits with a point for decimals and no thousands separator, such as 1234.5. The column "Wheather" (did you mean "Weather"?) matches no question.',
		);
		expect(problem({ __EMPTY: 'Gate 4', 'Type:1': 'Crack' })).toMatch(
			/The column "__EMPTY" matches no question\. Some columns have no header: [^.]*above it[^.]*\.$/,
		);
		expect(problem({ ...REQUIRED, Colour: 'red' })).toBe('no problem');
		expect(problem({ Damage: [{ Cotss: 1, Type: 'Crack' }] })).toContain(
			'The column "Damage/Cotss" (did you mean "Costs"?) matches no question.',
		);
	});

	it.each(['Type 2', 'type2', 'Type (2)', 'Type #2'])(
		'says how the second instance is written where a column is called %j',
		(column) => {
			const told = problem({ 'Type:1': 'Crack', [column]: 'Dent' });
			expect(told).toMatch(new RegExp(`did you mean "${column.slice(0, 4)}:2"\\?`));
		},
	);

	it('puts all problems into one message, each with its value', () => {
		const message = problem({ ...REQUIRED, Visitors: '1,5', Weather: 'Snow', When: 'soon' });
		expect(message).toMatch(/^3 problems with this row\n"Visitors": "1,5" is not a number/);
		expect(message).toContain('\n"Weather": "Snow" is not among its choices; possible: Dry | Wet');
		expect(message).toContain('\n"When": "soon" is not a date');
	});

	it('refuses a gap between instances, and closes up arrays', () => {
		expect(problem({ 'Costs:1': 1, 'Costs:3': 3 }, 'autoMap', free)).toBe(
			'"Damage": instance 3 is answered, but instance 2 is not; instances count from 1 without gaps.',
		);
		expect(problem({ 'Costs:0': 1 }, 'autoMap', free)).toContain('count from 1, not from 0');
		const gaps = [{}, { Costs: 1 }, null, { Costs: '', Type: null }, { Costs: 2 }];
		expect(answers({ Damage: gaps }, 'autoMap', free)).toEqual({ 'f14:1': 1, 'f14:2': 2 });
	});

	it('refuses a second instance of a question that does not repeat', () => {
		expect(problem({ 'Visitors:2': 1 }, 'autoMap', free)).toContain('in no repeatable section');
	});

	it('refuses a section that is answered by its array and by its columns', () => {
		const message =
			'"Damage": answered twice, by its array of instances and by the single question "Costs"; use one of the two.';
		expect(problem({ Damage: [{ Costs: 1 }], Costs: 1 }, 'autoMap', free)).toBe(message);
		expect(problem({ 'section:f10': [{ Costs: 1 }], f14: 1 }, 'columns', free)).toBe(message);
		expect(problem({ 'section:f10': [{}], f14: 1 }, 'columns', free)).toBe('no problem');
	});

	it('refuses what is no list of instances', () => {
		expect(problem({ 'section:f10': 'Crack' }, 'columns', free)).toBe(
			'"Damage": "Crack" is no instance of the section; give an array with one object per instance, such as [{"Type": "Crack", "Floor": "…", "Costs": 1}].',
		);
		// What the section's required questions lack follows from it, and is not told beside it.
		expect(problem({ f2: 'Gate', 'section:f10': ['Crack', 'Dent'] }, 'columns')).toMatch(
			/^"Damage": "Crack" is no instance of the section[^()]*$/,
		);
		expect(problem({ Damage: [{ 'Costs:2': 1 }] }, 'autoMap', free)).toContain('without ":2"');
		expect(problem({ Damage: [{ Photos: [{ Caption: 'x' }] }] }, 'autoMap', free)).toContain(
			'give its instances under "Photos"',
		);
	});

	it('refuses one instance of a section as a whole', () => {
		expect(problem({ 'Damage:2': [{ Costs: 1 }] }, 'autoMap', free)).toBe(
			'"Damage:2": "Damage" is a section and takes all its instances at once, without ":2".',
		);
	});

	it('refuses a column that the template no longer has', () => {
		expect(problem({ f99: 'x' }, 'columns', free)).toContain('"f99": "x" cannot be sent');
	});

	it('takes 1000 answers and not one more', () => {
		const many = (count: number) => ({
			Photos: Array.from({ length: count }, (_, i) => ({ Caption: String(i) })),
		});
		expect(request(many(1000), 'autoMap', free).sent).toHaveLength(1000);
		expect(problem(many(1001), 'autoMap', free)).toBe(
			'1001 answers are more than the 1000 that one inspection takes; leave 1 out.',
		);
	});

	it.each<[string, DetailFields, string]>([
		[
			'status',
			{ additionalFields: { status: 'done' }, task: undefined },
			'Status: "done" is none of',
		],
		[
			'team',
			{ additionalFields: { teamId: 'north' }, task: undefined },
			'Team ID: "north" is not a GUID',
		],
		[
			'locations',
			{ additionalFields: { locations: '{' }, task: undefined },
			'Locations: "{" is not',
		],
		[
			'custom field',
			{ additionalFields: { customFields: { customField: [{ value: 'x' }] } }, task: undefined },
			'Custom Fields: {"value":"x"} has no name',
		],
		[
			'priority',
			{ additionalFields: {}, task: { priority: 'urgent' } },
			'Task priority: "urgent" is none',
		],
		['due date', { additionalFields: {}, task: { dueDateTime: 'soon' } }, 'Task due date: "soon"'],
		[
			'assignees',
			{
				additionalFields: {},
				task: { assignee: Array.from({ length: 51 }, (_, i) => `${String(i)}@x.io`) },
			},
			'Task assignees: 51 emails are more than the 50',
		],
	])('checks the %s', (_, details, message) => {
		expect(problem({}, 'autoMap', { ...free, details })).toContain(message);
	});

	it('sends one answer where two columns agree, and refuses two that differ, also without validation', () => {
		const unchecked = { ...free, validate: false };
		expect(
			request({ Visitors: 1, f3: '1.0' }, 'autoMap', unchecked).sent.map(({ value }) => value),
		).toEqual([1]);
		expect(problem({ Visitors: 1, f3: 2 }, 'autoMap', unchecked)).toBe(
			'"Visitors": answered twice, with 1 by "Visitors" and with 2 by "f3"; keep one.',
		);
	});

	it('sends answers as they are without validation, but never guesses what a key means', () => {
		const unchecked = { validate: false };
		expect(
			answers({ Visitors: '1,5', Weather: 'Snow', 'Costs:3': true }, 'autoMap', unchecked),
		).toEqual({ f3: '1,5', f5: 'Snow', 'f14:3': true });
		expect(problem({ Damage: [{ Costs: 1 }], Costs: 1 }, 'autoMap', unchecked)).toContain(
			'use one',
		);
	});
});

describe('what was stored', () => {
	const { sent } = request(
		{ f2: 'Gate 4', f3: '12', f6: ['Dust', 'Fall'], 'section:f10': [{ Costs: 1 }, { Costs: 2 }] },
		'columns',
		free,
	);
	const stored = (items: JsonRecord[]): JsonRecord => ({ id: 'i', name: 'Walk', data: { items } });
	const all: JsonRecord[] = [
		{ field_id: 'f2', response: { value: 'Gate 4' } },
		{ template_control_id: guid(3).toUpperCase(), response: { value: '12.0' } },
		{ field_id: 'f6', response: { value: ['Fall', 'Dust'] }, repeat_section_order: 1 },
		{ field_id: 'f14', path: 'Page/Damage/Costs', response: { value: 1 } },
		{ field_id: 'f14', path: 'Page/Damage/Costs:2', response: { value: 2 } },
	];

	it('has one shape, whichever shape the response has', () => {
		const inspection = stored(all);
		const tail = {
			task_id: null,
			warnings: [],
			unstored_responses: [],
			already_existed: false,
		};
		expect(createdInspection(inspection, sent)).toEqual({ ...inspection, ...tail });
		expect(createdInspection({ inspection, task_id: 't', warnings: null }, sent)).toEqual({
			...inspection,
			...tail,
			task_id: 't',
		});
		expect(
			createdInspection({ inspection, task_id: null, warnings: ['w'] }, sent).warnings,
		).toEqual(['w']);
	});

	it('lists what is missing or different', () => {
		const changed = [
			...all.slice(1, 4),
			{ field_id: 'f14', response: { value: 3 }, repeat_section_order: 2 },
		];
		expect(createdInspection(stored(changed), sent).unstored_responses).toEqual([
			{ label: 'Site', path: 'Page/Site', repeat_section_order: 1, value: 'Gate 4' },
			{ label: 'Costs', path: 'Page/Damage/Costs', repeat_section_order: 2, value: 2 },
		]);
	});

	it('does not take one stored answer for that of another question where neither has a control id', () => {
		const withoutId = sent.map((answer) => ({
			...answer,
			question: { ...answer.question, controlId: asControlId('') },
		}));
		const [, ...others] = all.map(({ field_id, response }) => ({ field_id, response }));
		const another = { field_id: 'other', response: { value: 'Gate 4' } };
		const { unstored_responses: unstored } = createdInspection(
			stored([...others, another]),
			withoutId,
		);
		expect(unstored).toContainEqual(expect.objectContaining({ label: 'Site', value: 'Gate 4' }));
	});

	it.each<[string, JsonValue]>([
		['an object with its own toString', { toString: null, valueOf: null }],
		['a list of such', [{ toString: null }]],
		['5,000 lists in one another', nestedList(5_000)],
		['100,000 lists in one another', nestedList(100_000)],
		['an object with its own toJSON', { toJSON: 'x' }],
	])('lists what cannot be compared, and the id comes out: %s', (_, value) => {
		const items = all.map((item) => ({ ...item, response: { value } }));
		const answer = { ...stored(items), warnings: [value] };
		const created = createdInspection({ inspection: answer, warnings: [value] }, sent);
		expect(created.id).toBe('i');
		expect(created.unstored_responses).toHaveLength(5);
		expect(created.warnings).toHaveLength(1);
		// n8n writes every output as JSON.
		expect(() => JSON.stringify(created)).not.toThrow();
	});

	it('counts answers as not stored where data is null, and as unknown where data is missing', () => {
		expect(createdInspection({ id: 'i', data: null }, sent).unstored_responses).toHaveLength(5);
		expect(createdInspection(stored([]), sent).unstored_responses).toHaveLength(5);
		expect(createdInspection({ id: 'i' }, sent).unstored_responses).toBeNull();
		expect(createdInspection({ id: 'i' }, []).unstored_responses).toEqual([]);
	});
});

describe('what is told of a request beside its problems', () => {
	const SHARE: ControlSpec[] = [
		{ type: 'number', label: 'Done %' },
		{ type: 'number', label: 'Done' },
		{ type: 'text', label: 'Text %' },
	];
	const parts = (values: JsonRecord) =>
		request(values, 'columns', { specs: SHARE }).partsOfPercent.map(({ value }) => value);

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
		expect(parts(values)).toEqual(expected);
	});

	const FORM = formOf(templateOf([{ type: 'text', label: 'Site' }]));
	const unused = (first: Partial<Row>, second: Partial<Row>) =>
		requestOf(FORM, [
			rowOf({ Site: 'Gate' }, { number: 1, ...first }),
			rowOf({ Site: 'Gate' }, { number: 2, ...second }),
		]).unusedRows.map(({ number }) => number);

	it('rows of one unique key that say something else than the first', () => {
		expect(unused({}, {})).toEqual([]);
		expect(unused({}, { values: { Site: 'Roof' } })).toEqual([2]);
		expect(unused({}, { additionalFields: { name: 'Walk' } })).toEqual([2]);
		expect(unused({}, { task: {} })).toEqual([2]);
		expect(unused({ task: {} }, { task: {} })).toEqual([]);
	});

	it('rows of one group are all used', () => {
		const rows = [rowOf({ Site: 'Gate' }), rowOf({ Site: '' }, { number: 2 })] as const;
		expect(requestOf(FORM, [...rows], { isGrouped: true }).unusedRows).toEqual([]);
	});

	const problemsOf = (rows: readonly [Row, ...Row[]]) => {
		try {
			return requestOf(FORM, rows);
		} catch (error) {
			return error instanceof InputError ? error.problems : error;
		}
	};

	it('the row that carries an error, by its number where there are several', () => {
		const wrong = expect.stringMatching(/^The item carries an error: "no"\. Take such items out/);
		const bad = rowOf({ error: 'no' }, { number: 5 });
		expect(problemsOf([bad])).toEqual([{ wrong, rows: undefined }]);
		expect(problemsOf([rowOf({ Site: 'a' }), bad])).toEqual([{ wrong, rows: [5] }]);
		expect(problemsOf([rowOf({ Site: 'a', error: false })])).not.toBeInstanceOf(Array);
	});

	it('the columns that may have caused a problem, and what to do about garbled headers', () => {
		const form = formOf(
			templateOf([{ type: 'text', label: 'Site', options: { is_required: true } }]),
		);
		const told = (values: JsonRecord) => {
			try {
				return requestOf(form, [rowOf(values)]);
			} catch (error) {
				return error instanceof InputError ? [error.message, error.problems] : error;
			}
		};
		const LOST = { isCause: true, wrong: 'is a column that matches no question' };
		expect(told({ Site: '', Sitee: 'x', __EMPTY: 'y' })).toEqual([
			expect.stringMatching(
				/^"Site": .*\. These columns match no question: "Sitee" \(did you mean "Site"\?\), "__EMPTY"\. Some columns have no header: [^.]*\.$/,
			),
			[
				expect.objectContaining({ subject: '"Site"' }),
				{ ...LOST, value: '"Sitee" (did you mean "Site"?)' },
				{ ...LOST, value: '"__EMPTY"' },
				{ isCause: true, wrong: expect.stringMatching(/^Some columns have no header: [^.]*$/) },
			],
		]);
	});
});
