import { describe, expect, it } from 'vitest';

import { isRecord, type JsonRecord, recordsOf } from '#connector/domain/json.ts';
import { formOf } from '#connector/domain/template/form.ts';
import {
	type ControlSpec,
	guid,
	page,
	repeatable,
	section,
	templateOf,
	text,
} from '#harness/generatedTemplate.mts';
import { requestOf, rowOf } from '#harness/madeOfRows.mts';
import { answers, problem, unmatched } from './everyControl.mts';

const RESERVED =
	"These column names are reserved for the inspection itself. To answer the questions with these names, choose 'Map Each Column Manually', or rename the columns";

describe('auto-map', () => {
	it("reads an instance's number from :n, or from its place in an array", () => {
		const counted = { 'Costs:2': 2, Costs: 1, [`${guid(14).toUpperCase()}:3`]: 3 };
		expect(answers(counted)).toEqual({ 'f14:1': 1, 'f14:2': 2, 'f14:3': 3 });
		for (const key of ['section:f10', 'f10', 'Damage', 'Page/Damage', guid(10)]) {
			expect(answers({ [key]: { Costs: 1 } })).toEqual({ 'f14:1': 1 });
		}
	});

	it('prefers a label that ends in :2 to instance 2', () => {
		const specs = [repeatable('S', text('A')), text('A:2')];
		expect(answers({ A: 'x', 'A:2': 'y' }, { specs })).toEqual({ 'f2:1': 'x', f3: 'y' });
		expect(answers({ f2: 'x', 'f2:2': 'y' }, { specs })).toEqual({ 'f2:1': 'x', 'f2:2': 'y' });
	});

	it('never uses a row key as a question', () => {
		const specs = [text('Name'), text('status'), text('ID')];
		const own = { name: 'Walk', status: 'new', id: '1', row_number: 2 };
		expect(answers({ ...own, Name: 'Kim' }, { specs })).toEqual({ f1: 'Kim' });
		expect(problem(own, { specs })).toBe(
			`${RESERVED}: "name" to "Name", "status" to "f2", "id" to "ID". "name", "status", "id" match no question, and no other cell has a value. Fill in an answer, or remove the row with a Filter node before this one.`,
		);
		expect(answers({ Name: 'Kim', f2: 'ok' }, { specs })).toEqual({ f1: 'Kim', f2: 'ok' });
	});

	it("suggests the question's full name if the row itself reserves its column", () => {
		const specs = [text('Site'), text('name', { is_required: true })];
		const team = repeatable('team', text('Member', { is_required: true }));
		expect(problem({ Site: 'Gate', name: 'Walk' }, { specs })).toBe(
			`${RESERVED}: "name" to "f2". "name": required, but has no answer. Fill it in.`,
		);
		expect(answers({ Site: 'Gate', name: 'Walk', f2: 'Kim' }, { specs })).toEqual({
			f1: 'Gate',
			f2: 'Kim',
		});
		expect(problem({ Site: 'Gate', team: 'x' }, { specs: [text('Site'), team] })).toContain(
			`${RESERVED}: "team" to "section:f2". "Member" of the section "team": required,`,
		);
	});

	it('lists names that match no question, including within a section, but not the row’s own fields', () => {
		const inside = { Where: { Costs: 1, Room: 2 }, Elsewhere: { Floor: 3 } };
		const row = { Colour: 'red', name: 'Walk', empty: '' };
		const found = unmatched({ ...row, Damage: [{ Size: 1, Costs: 2, ...inside }] });
		expect(found.toSorted()).toEqual([
			'Colour',
			'Damage/Elsewhere/Floor',
			'Damage/Size',
			'Damage/Where/Costs',
			'Damage/Where/Room',
		]);
	});

	it.each([
		['label', ['by label']],
		['path', ['by label', 'by path']],
		['control id', ['by label', 'by path', 'by control id']],
		['field id', ['by label', 'by path', 'by control id', 'by field id']],
	])('prefers the more specific kind of key: %s', (_, kinds) => {
		const others = kinds.slice(1).map((kind) => text(kind === 'by path' ? 'X' : kind));
		const template = templateOf([page('P', text('X')), ...others]);
		const controls = recordsOf(isRecord(template.data) ? template.data.controls : undefined);
		for (const one of controls) {
			if (one.label === 'by control id') one.id = 'X';
			if (one.label === 'by field id') one.field_id = 'X';
		}
		const [meant] = requestOf(formOf(template), [rowOf({ X: 'y' })]).sent;
		const index = controls.findIndex(({ field_id: id }) => id === meant?.question.fieldId);
		expect(kinds[index - 1]).toBe(kinds.at(-1));
	});

	it.each(['Where', 'where ', 'Page/Damage/Where'])(
		'reads an object under "%s" as part of the path',
		(name) => {
			for (const key of ['Floor', 'floor', ' Floor ']) {
				const values = { Damage: [{ [name]: { [key]: '3' } }] };
				expect(answers(values)).toEqual({ 'f13:1': '3' });
				expect(unmatched(values)).toEqual([]);
			}
		},
	);

	it('prefers a plain section to a repeatable one with the same name for an object', () => {
		const inside = { Photos: { Size: 1, Caption: 'x' } };
		const photos = section('Photos', text('Caption'));
		const specs = [repeatable('Damage', photos), repeatable('Photos')];
		expect(answers({ Damage: [inside] }, { specs })).toEqual({ 'f3:1': 'x' });
		expect(unmatched({ Damage: [inside] }, { specs })).toEqual(['Damage/Photos/Size']);
		const deeper = { specs: [repeatable('Damage', section('East', photos)), repeatable('Photos')] };
		expect(answers({ Damage: [{ East: inside }] }, deeper)).toEqual({ 'f4:1': 'x' });
	});

	it('rejects an ambiguous name with its first twelve matches', () => {
		const named = (...specs: ControlSpec[]) => problem({ Note: 'x' }, { specs });
		const note = text('Note');
		expect(named(page('A', note), page('A', note))).toBe(
			'2 questions are named "Note". Rename the column to "A/Note (f2)" or "A/Note (f4)".',
		);
		expect(named(note, repeatable('Note', text('Size')))).toMatch(/^2 questions or sections are/);
		const specs = [...'ABCDEFGHIJKLMN'].map((label) => page(label, note));
		expect(named(...specs)).toMatch(
			/^14 questions are named "Note"\. Rename the column to "A\/Note" or .* or "L\/Note"[^"]*$/,
		);
		expect(answers({ Note: '', 'i /  note': 'x' }, { specs })).toEqual({ f18: 'x' });
	});

	it('combines the instances of a section from two columns, each by its index in its own array', () => {
		const both = { Damage: [{}, { Costs: 2 }], 'section:f10': [{ Type: 'Dent' }] };
		expect(answers(both)).toEqual({ 'f11:1': 'Dent', 'f14:2': 2 });
	});

	it.each([[[{ Caption: 'x' }]], [{ Caption: 'x' }], ['x']])(
		'rejects a repeatable section within a repeatable section, with all of that name: %j',
		(photos) => {
			const inner = repeatable('Photos', text('Caption'));
			const specs = [repeatable('Area', text('Room'), inner), page('End', inner)];
			expect(problem({ Area: [{ Room: 'Hall', Photos: photos }] }, { specs })).toBe(
				'"Photos" inside "Area" is a separate repeatable section. Enter its instances under "Area/Photos" or "End/Photos".',
			);
		},
	);

	it('reports an object that is nested deeper than any form', () => {
		const nested = (levels: number): Parameters<typeof problem> => {
			let [spec, value]: [ControlSpec, JsonRecord] = [text('Last'), { Last: 'x' }];
			for (let level = 0; level < levels; level++) {
				[spec, value] = [section('Level', spec), { Level: value }];
			}
			return [{ Damage: [value] }, { specs: [repeatable('Damage', spec)] }];
		};
		expect(answers(...nested(19))).toEqual({ 'f21:1': 'x' });
		const unknown = /^"Damage": no question in the section is named "Damage\/Level\/Level/;
		expect(problem(...nested(20))).toMatch(unknown);
		expect(problem(...nested(1_000))).toMatch(unknown);
	});

	it("reports an object that isn't part of a path", () => {
		const where = section('Where', text('Floor'));
		const specs = [repeatable('Damage', section('East', where), section('West', where))];
		expect(problem({ Damage: [{ Where: { Floor: 1 } }] }, { specs })).toMatch(
			/^"Damage": no question in the section is named "Damage\/Where\/Floor"/,
		);
		const values = { Damage: [{ East: { Where: { Floor: 1 } }, 'West/Where': { Floor: 2 } }] };
		expect(answers(values, { specs })).toEqual({ 'f4:1': '1', 'f7:1': '2' });
	});

	it('reads the whole path of an object', () => {
		const wing = (label: string) => section(label, text('Floor'), section('Room', text('Door')));
		const specs = [repeatable('Damage', wing('East'), text('Floor'), wing('West'))];
		const values = {
			Damage: [{ East: { Floor: 'a', 'Room / door': 'b' }, West: { Room: { Door: 'c' } } }],
		};
		expect(answers(values, { specs })).toEqual({ 'f3:1': 'a', 'f5:1': 'b', 'f10:1': 'c' });
		const outside = { Damage: [{ 'West/Room': { Door: 'd', Floor: 'e', f5: 'f' } }] };
		expect(answers(outside, { specs })).toEqual({ 'f10:1': 'd' });
		const unknown = ['Floor', 'f5'].map((name) => `Damage/West/Room/${name}`);
		expect(unmatched(outside, { specs })).toEqual(unknown);
		expect(problem({ Damage: [{ Door: 'x' }] }, { specs })).toContain(
			'2 questions are named "Door". Rename the column to "Damage/East/Room/Door" or "Damage/West/Room/Door"',
		);
	});

	it('treats a name such as constructor like any other name', () => {
		const values = JSON.parse('{"__proto__":"x","constructor":"y","toString":"z"}') as JsonRecord;
		const answered = JSON.parse('{"__proto__":"x","constructor":"y","toString":"z","Visitors":1}');
		expect(unmatched(answered as JsonRecord)).toEqual(['__proto__', 'constructor', 'toString']);
		expect(answers(values, { specs: [text('__proto__')] })).toEqual({ f1: 'x' });
	});

	it('sends one answer for two columns only if they agree', () => {
		expect(problem({ Visitors: 1, f3: 2 })).toBe(
			'"Visitors": answered twice, with 1 in "Visitors" and with 2 in "f3". Keep only one.',
		);
		expect(answers({ Visitors: 1, f3: '1.0' })).toEqual({ f3: 1 });
	});

	it('reports a rejected value once if two columns have it', () => {
		expect(problem({ Visitors: 'many', f3: 'many' })).toMatch(
			/^"Visitors": "many" is not a number/,
		);
	});

	it('reports a question as answered twice if one of its two answers is rejected', () => {
		expect(problem({ Visitors: 'many', f3: 2 })).toMatch(
			/answered twice, with "many".* and with 2/,
		);
	});
});
