import { describe, expect, it } from 'vitest';

import { problemText } from '#connector/domain/problem.ts';
import { detailsBody } from './madeOfRows.mts';

const details = (additionalFields: Record<string, unknown>) =>
	detailsBody({ additionalFields, task: undefined });

describe('fields beside the answers', () => {
	it.each(['createdBy', 'teamId', 'status'])('blanks in %s count as no value', (name) => {
		expect(details({ [name]: ' \t' })).toEqual({ body: {}, problems: [] });
	});

	it.each<[unknown, object[]]>([
		[{ customField: [{ name: 'Order', value: 'A-17' }] }, [{ name: 'Order', value: 'A-17' }]],
		[{ customField: { name: 'Order', value: 'A-17' } }, [{ name: 'Order', value: 'A-17' }]],
		[[{ name: 'Order', value: 7 }], [{ name: 'Order', value: '7' }]],
		[{ name: 'Order', value: 'A-17' }, [{ name: 'Order', value: 'A-17' }]],
		[
			{ Order: 'A-17', Floor: 2, Note: null },
			[
				{ name: 'Order', value: 'A-17' },
				{ name: 'Floor', value: '2' },
				{ name: 'Note', value: '' },
			],
		],
	])('custom fields come from %j', (customFields, expected) => {
		expect(details({ customFields })).toEqual({ body: { custom_fields: expected }, problems: [] });
	});

	it('a text that is no due date is refused with an example of one', () => {
		const task = { title: 'Look', dueDateTime: 'soon' };
		const { body, problems } = detailsBody({ additionalFields: {}, task });
		expect(body).toEqual({ task: { title: 'Look' } });
		expect(problems.map(problemText)).toEqual([
			expect.stringMatching(/"soon" is not a date; .*2026-05-31T17:00:00Z/),
		]);
	});

	it.each([
		{},
		{ customField: [] },
		[],
		'',
		null,
		undefined,
		{ customField: [{ name: '', value: '' }] },
	])('%j gives no custom field', (customFields) => {
		expect(details({ customFields })).toEqual({ body: {}, problems: [] });
	});
});
