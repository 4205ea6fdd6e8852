import { describe, expect, it } from 'vitest';

import {
	hasUsableId,
	inspectionPageOf,
	leftOutWarnings,
	missingParts,
} from '#connector/domain/list/inspectionPage.ts';

const inspectionsOf = (body: unknown) => inspectionPageOf(body, undefined).inspections;

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

	it.each([
		['has_more', { data: { items: rows, has_more: false } }, true],
		['has_next', { data: rows, has_next: false }, true],
		['has_next_page', { data: rows, has_next_page: false }, true],
		['no next page', { results: rows, next_page: null }, true],
		['all of them', { results: rows, next: null, total_count: 1, has_next: false }, true],
		['nothing', { data: rows }, false],
		['a bare array', rows, false],
		['a total, which might only count the page', { data: rows, total: 2, total_count: 2 }, false],
		['has_more', { data: rows, has_more: true }, false],
		['a next page', { data: rows, next: 2 }, false],
		[
			'two things that do not agree',
			{ data: rows, has_more: false, next: 'https://host?page=2' },
			false,
		],
	])('is the last one only if its envelope shows that: %s', (_, body, isLast) => {
		expect(inspectionPageOf(body, undefined).isLast).toBe(isLast);
	});

	it('has at most as many inspections as requested', () => {
		expect(inspectionPageOf(rows, undefined, 2).inspections).toEqual(rows);
		expect(() => inspectionPageOf(rows, undefined, 1)).toThrow(
			'The service sent 2 inspections, but the request allowed at most 1 (page_size)',
		);
	});

	it.each([
		['no id', { name: 'Walk', updated_at: '2026-03-01' }, '"Walk" of 2026-03-01'],
		['a numeric id', { id: 5, created_at: '2026-03-02' }, '"without a name" of 2026-03-02'],
		['an empty id', { id: '' }, 'of an unknown time'],
		['a blank id', { id: ' ' }, 'of an unknown time'],
		['the id ".."', { id: '..' }, 'of an unknown time'],
		['an id of 201 characters', { id: 'a'.repeat(201) }, 'of an unknown time'],
		['no fields at all', null, 'of an unknown time'],
	])('keeps the place of an inspection with %s, with a warning', (_, item, named) => {
		const inspections = inspectionsOf([{ id: 'a'.repeat(200) }, item]);
		expect(inspections.map(hasUsableId)).toEqual([true, false]);
		expect(leftOutWarnings(inspections).join()).toContain(
			`left out: ${named.startsWith('"') ? named : '"without a name" '.concat(named)}.`,
		);
		expect(inspectionsOf([{ id: 'a'.repeat(200) }, item])).toEqual(inspections);
	});

	it('can be empty', () => {
		expect(inspectionsOf([])).toEqual([]);
		expect(inspectionsOf({ data: { items: [] }, total: 9_999 })).toEqual([]);
	});

	it.each([
		['no content', null],
		['null in place of the array', { data: null, total: 7 }],
		['null in place of the inner array', { data: { items: null } }],
	])('is empty for %s', (_, body) => {
		expect(inspectionsOf(body)).toEqual([]);
	});

	it('prefers the nearest array', () => {
		expect(inspectionsOf({ data: { items: [{ id: 'far' }] }, results: rows })).toEqual(rows);
	});

	it('is passed on unchanged, whatever else an inspection contains', () => {
		const odd = [JSON.parse('{"id":"a","__proto__":{"x":1},"data":{"items":[]}}')];
		expect(inspectionsOf({ inspections: odd })[0]).toBe(odd[0]);
	});

	it.each([
		['other names', { payload: [], count: 0 }, /the keys payload, count/],
		['two levels down', { data: { page: { items: [] } } }, /data \{page\}/],
		['an error body', { code: 200, message: 'maintenance' }, /the keys code, message/],
		['nothing at all', undefined, /an empty response/],
		['null next to an error', { data: null, message: 'maintenance' }, /the keys data, message/],
		['a web page', '<html></html>', /a string/],
		['an empty object', {}, /no keys/],
		['no inspection before more of them', { data: [], has_more: true }, /more pages\. Continuing/],
	])('is rejected for %s with the response in the message', (_, body, message) => {
		expect(() => inspectionsOf(body)).toThrow(message);
	});

	it('is rejected if none of its elements is an inspection', () => {
		expect(() => inspectionsOf(['text', 5])).toThrow(/without inspections.*a string/);
	});
});

const WITH_DATA = { id: 'a', data: {}, files: null };
const WITH_FILES = { id: 'b', files: [] };

it.each([
	['answers and files that came', [WITH_DATA, WITH_FILES], ['data', 'files'], []],
	[
		'answers that no inspection has',
		[WITH_FILES, { id: 'c' }],
		['data', 'files'],
		['answers ("data")'],
	],
	[
		'files that no inspection has, or null',
		[WITH_DATA, { id: 'c' }],
		['files'],
		['files ("files")'],
	],
	["nothing that wasn't requested", [{ id: 'c' }], ['shared_with_users'], []],
	['an empty list', [], ['data', 'files'], []],
] as const)('requested parts that are missing are reported: %s', (_, inspections, asked, told) => {
	const sentences = missingParts(inspections, [...asked]);
	expect(sentences).toEqual(
		told.map((part) =>
			expect.stringContaining(`The service sent all inspections without ${part}, although`),
		),
	);
});
