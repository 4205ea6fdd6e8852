import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nameOrOf } from '#connector/domain/displayName.ts';
import { missingFields, onlyFields, simplified } from '#connector/domain/row/row.ts';
import { isRowKey, ROW_KEYS } from '#connector/domain/rowKeys.ts';
import { columnNames, filledTemplate, inspectionOf, rowLists } from './generatedInspection.mts';
import { guid, page, templateOf, text } from './generatedTemplate.mts';

const TEMPLATE = templateOf([page('Page', text('Site'))]);

describe('a row', () => {
	it('has the same keys in the same order as every other of its template: its own, then every question', () => {
		fc.assert(
			fc.property(filledTemplate, columnNames, ({ template, form, inspections }, columnNames) => {
				const read = inspections.map((planned, number) => inspectionOf(planned, { number }));
				const more = { rowPerInstanceOf: 'none', hasFiles: true, hasDownloads: true };
				const rows = rowLists(read, template, { columnNames, ...more }).flat();
				const keys = Object.keys(rows[0] ?? {});
				for (const row of rows) expect(Object.keys(row)).toEqual(keys);
				expect(keys.map(isRowKey)).toEqual(keys.map((_, place) => place < 13));
				const names = form.questions.map((question) => form.keys.keyOf(question, columnNames));
				expect(keys).toEqual(expect.arrayContaining(names));
			}),
		);
	});

	it("begins with the inspection's own values, users and team by name", () => {
		const [[row = {}] = []] = rowLists([inspectionOf([])], TEMPLATE);
		expect(Object.keys(row)).toEqual([...ROW_KEYS, 'Site']);
		expect(row).toEqual({
			...{ id: guid(1_001), name: 'Walk 1', status: 'completed', team: 'North' },
			...{ template: 'Generated', template_id: guid(0) },
			...{ created_at: '2026-03-01T08:00:00.0000001Z', created_by: 'Ana Sol' },
			...{ updated_at: '2026-03-02T08:00:00Z', updated_by: 'bo@example.com' },
			Site: null,
		});
	});

	it('takes names from the template where the inspection has ids only', () => {
		const template = { ...TEMPLATE, team: { id: guid(9), name: 'North' } };
		const inspection = { ...inspectionOf([]), template: guid(0), team: guid(9) };
		const other = { ...inspection, team: { id: guid(5) } };
		expect(rowLists([inspection, other], template)).toMatchObject([
			[{ template: 'Generated', team: 'North' }],
			[{ template: 'Generated', team: guid(5) }],
		]);
	});

	it('counts files only where they were read, and leaves room for downloads', () => {
		const inspections = [{ id: 'a', files: [{ id: 'f' }] }, { id: 'b' }];
		const rows = rowLists(inspections, undefined, { hasFiles: true, hasDownloads: true }).flat();
		expect(rows.map((row) => [row['files_count'], row['downloaded_files']])).toEqual([
			[1, null],
			[null, null],
		]);
	});
});

it('a simplified inspection has the same flat fields whatever came', () => {
	const full = simplified(inspectionOf([]));
	const keys = ROW_KEYS.filter((key) => key !== 'template_id');
	for (const one of [
		full,
		simplified({ id: 'a' }),
		simplified({ id: 'a', team: null, extra: 1 }),
	]) {
		expect(Object.keys(one)).toEqual(keys);
		expect(Object.values(one)).not.toContain(undefined);
	}
	expect(full).toMatchObject({ template: 'Generated', team: 'North', created_by: 'Ana Sol' });
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
		expect(missingFields(new Set(['Weather']), ['Wether', 'zzzzzz', 'Weather'])).toEqual([
			'Fields: no item has a field "Wether"; did you mean "Weather"?',
			'Fields: no item has a field "zzzzzz".',
		]);
		expect(missingFields(new Set(['a', 'b']), ['a', 'b'])).toEqual([]);
		expect(missingFields(new Set(), ['Weather'])).toEqual([]);
	});
});
