import { describe, expect, it } from 'vitest';

import { inspectionsOf } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';

const rows = [{ id: 'a', name: 'first' }, { id: 'b' }];

describe("a page of the service's list", () => {
	it.each([
		['a bare array', rows],
		['data', { data: rows }],
		['items', { items: rows, total: 7 }],
		['inspections', { page: 1, inspections: rows }],
		['results', { results: rows, next: null }],
		['data.items', { data: { items: rows, page: 1 } }],
		['data.inspections', { code: 200, data: { inspections: rows } }],
		['result under data.data', { data: { data: rows } }],
	])('is found as %s', (_, body) => {
		expect(inspectionsOf(body)).toEqual(rows);
	});

	it('may be empty', () => {
		expect(inspectionsOf([])).toEqual([]);
		expect(inspectionsOf({ data: { items: [] }, total: 9_999 })).toEqual([]);
	});

	it('prefers the array that is nearer', () => {
		expect(inspectionsOf({ data: { items: [{ id: 'far' }] }, results: rows })).toEqual(rows);
	});

	it('is handed on untouched, whatever else an inspection carries', () => {
		const odd = [JSON.parse('{"id":"a","__proto__":{"x":1},"data":{"items":[]}}')];
		expect(inspectionsOf({ inspections: odd })[0]).toBe(odd[0]);
	});

	it.each([
		['other names', { payload: [], count: 0 }, /the keys payload, count/],
		['two levels down', { data: { page: { items: [] } } }, /data \{page\}/],
		['an error body', { code: 200, message: 'maintenance' }, /the keys code, message/],
		['nothing at all', undefined, /an empty response/],
		['null', null, /null/],
		['a web page', '<html></html>', /a string/],
		['an empty object', {}, /no keys/],
	])('is refused for %s, and the message shows what came', (_, body, message) => {
		expect(() => inspectionsOf(body)).toThrow(message);
	});

	it.each([
		['no id', { name: 'x' }, /Item 2.*the keys name/],
		['a numeric id', { id: 5 }, /Item 2.*the keys id/],
		['an empty id', { id: '' }, /Item 2/],
		['no object', 'text', /Item 2.*a string/],
	])(
		'is refused when an item has %s: it could not be told apart from others',
		(_, item, message) => {
			expect(() => inspectionsOf([{ id: 'a' }, item])).toThrow(message);
		},
	);
});
