import { describe, expect, it } from 'vitest';

import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { type DataFilterFormat, listQueryString } from '#connector/domain/list/listQueryString.ts';

const PAGE = { page: 2, pageSize: 100, sortBy: 'updated_at', sortOrder: 'asc' } as const;
const PAGE_PARAMETERS = [
	['page', '2'],
	['page_size', '100'],
	['sort_by', 'updated_at'],
	['sort_order', 'asc'],
];

function parametersOf(query: Partial<InspectionPageQuery>, format: DataFilterFormat = 'brackets') {
	const parameters = [...new URLSearchParams(listQueryString({ ...PAGE, ...query }, format))];
	expect(parameters.slice(0, 4)).toEqual(PAGE_PARAMETERS);
	return parameters.slice(4);
}

describe('the query string of a list', () => {
	it('has a parameter for each filter that is set, and repeats those that have several values', () => {
		const [from, to] = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'];
		const times = { updatedAfter: from, updatedBefore: to, createdAfter: from, createdBefore: to };
		expect(
			parametersOf({
				...{ includes: ['data', 'files'], teamId: 't&1', status: ['new', 'completed'], ...times },
			}),
		).toEqual([
			...[
				['includes', 'data'],
				['includes', 'files'],
				['team_id', 't&1'],
			],
			...[
				['status', 'new'],
				['status', 'completed'],
			],
			...[
				['updated_after', from],
				['updated_before', to],
			],
			...[
				['created_after', from],
				['created_before', to],
			],
		]);
	});

	it.each(['brackets', 'json'] as const)('leaves out what is not set (%s)', (format) => {
		const empty = { teamId: '', status: [], flaggedItemsOnly: false, templateControlIds: [] };
		expect(parametersOf(empty, format)).toEqual([]);
		expect(parametersOf({}, format)).toEqual([]);
	});

	it('writes the data filter in brackets', () => {
		expect(parametersOf({ flaggedItemsOnly: true })).toEqual([
			['data_filter[flagged_items_only]', 'true'],
		]);
		expect(parametersOf({ templateControlIds: ['a', 'b'] })).toEqual([
			['data_filter[template_control_ids]', 'a'],
			['data_filter[template_control_ids]', 'b'],
		]);
	});

	it.each([
		[{ flaggedItemsOnly: true }, { flagged_items_only: true }],
		[{ templateControlIds: ['a'] }, { template_control_ids: ['a'] }],
		[
			{ flaggedItemsOnly: true, templateControlIds: ['a', 'b'] },
			{ flagged_items_only: true, template_control_ids: ['a', 'b'] },
		],
	])('writes the data filter %j as one JSON object', (query, filter) => {
		const [[name, text] = [], ...more] = parametersOf(query, 'json');
		expect([name, JSON.parse(text ?? ''), more]).toEqual(['data_filter', filter, []]);
	});
});
