import { describe, expect, it } from 'vitest';

import {
	type DataFilterFormat,
	type InspectionPageQuery,
	listQueryString,
} from '#connector/domain/list/inspectionQuery.ts';

const PAGE = { page: 2, pageSize: 100, sortBy: 'updated_at', sortOrder: 'asc' } as const;

/** Returns the decoded parameters of a query, without the four parameters that select and sort the page. */
function parametersOf(query: Partial<InspectionPageQuery>, format: DataFilterFormat = 'brackets') {
	const text = listQueryString({ ...PAGE, ...query }, format);
	const parameters = [...new URLSearchParams(text)].map((pair) => pair.join('='));
	const page = ['page=2', 'page_size=100', 'sort_by=updated_at', 'sort_order=asc'];
	expect(parameters.slice(0, 4)).toEqual(page);
	return parameters.slice(4);
}

describe('the query string of a list', () => {
	it('has a parameter for each value of a filter', () => {
		const [from, to] = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'];
		const times = { updatedAfter: from, updatedBefore: to, createdAfter: from, createdBefore: to };
		const query = { teamId: 't&1', status: ['new', 'completed'] as const, ...times };
		expect(parametersOf({ includes: ['data', 'files'], ...query })).toEqual([
			'includes=data',
			'includes=files',
			'team_id=t&1',
			'status=new',
			'status=completed',
			`updated_after=${from}`,
			`updated_before=${to}`,
			`created_after=${from}`,
			`created_before=${to}`,
		]);
	});

	it.each(['brackets', 'json'] as const)('omits unset filters (%s)', (format) => {
		const empty = { teamId: '', status: [], flaggedItemsOnly: false, templateControlIds: [] };
		expect(parametersOf(empty, format)).toEqual([]);
		expect(parametersOf({}, format)).toEqual([]);
	});

	it.each([
		[{ flaggedItemsOnly: true }, { flagged_items_only: true }],
		[{ templateControlIds: ['a', 'b'] }, { template_control_ids: ['a', 'b'] }],
		[
			{ flaggedItemsOnly: true, templateControlIds: ['a'] },
			{ flagged_items_only: true, template_control_ids: ['a'] },
		],
	])('has the data filter %j in brackets, or as one JSON object', (query, json) => {
		const brackets = Object.entries(json).flatMap(([name, values]) =>
			[values].flat().map((value) => `data_filter[${name}]=${String(value)}`),
		);
		expect(parametersOf(query)).toEqual(['includes=data', ...brackets]);
		const one = `data_filter=${JSON.stringify(json)}`;
		expect(parametersOf(query, 'json')).toEqual(['includes=data', one]);
	});
});
