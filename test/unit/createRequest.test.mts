import { describe, expect, it } from 'vitest';

import { sheetFacts } from '#connector/domain/create/sheet.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { formWith } from '#harness/forms.mts';
import { control, guid, page, text } from '#harness/generatedTemplate.mts';
import { problemOf, requestOf, rowOf } from '#harness/madeOfRows.mts';
import { request } from './everyControl.mts';

describe('the create request for a template with every type', () => {
	const sections = {
		'section:f10': [
			{ f11: 'Crack', Where: { Floor: 2 }, Costs: '10.50' },
			{},
			{ Type: 'Dent', 'Page/Damage/Where/Floor': 'roof', [guid(14)]: 0 },
		],
		'section:f15': '[{"Caption":"left"},{"caption ":"right"}]',
	};
	const questions = {
		f2: 'Gate 4',
		f3: '12',
		f4: 'Kim',
		f5: 'dry',
		f6: 'Noise, loud; Dust',
		f7: ['South'],
		f8: '2026-05-31T12:00:00',
		f9: '52.5, 13.4',
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

	it('matches the expected body', () => {
		const customField = [{ name: 'Order', value: 7 }];
		const additionalFields = {
			name: 'Walk',
			status: 'In_Progress',
			description: 'weekly',
			teamId: guid(77),
			createdBy: ' kim@example.com ',
			customFields: { customField },
			locations: '[{"name":"Gate 4"}]',
		};
		const task = {
			title: 'Fix',
			instructions: 'soon',
			priority: 'High',
			dueDateTime: '2026-06-01T08:00:00',
			assignee: ['a@example.com; b@example.com', 'A@example.com'],
		};
		const options = { by: 'columns', timeZone: 'Europe/Berlin', additionalFields, task } as const;
		expect(request({ ...questions, ...sections }, options).body).toEqual({
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
				items: stored.map(([field_id, value, order]) => ({
					field_id,
					response: { value },
					...(order && { repeat_section_order: order }),
				})),
			},
		});
	});

	it('only has the parts that are given, even if that is an empty task', () => {
		const bodyOf = (task?: JsonRecord) => request({}, { by: 'columns', task }).body;
		expect(bodyOf()).toEqual({ template_id: guid(0) });
		expect(bodyOf({ title: '', assignee: [] })).toEqual({ template_id: guid(0), task: {} });
	});
});

const here = { timeZone: 'Europe/Berlin', dateFormat: 'dd.MM.yyyy HH:mm' };

it.each([
	['2026-05-31', '2026-05-31T21:59:59.999Z'],
	['31.05.2026', '2026-05-31T21:59:59.999Z'],
	['31.05.2026 14:30', '2026-05-31T12:30:00.000Z'],
	['2026-05-31T00:00:00', '2026-05-30T22:00:00.000Z'],
	[46_173, '2026-05-31T21:59:59.999Z'],
])(
	"the create request sets the task's due date to the end of a day without time: %j",
	(dueDateTime, sent) => {
		const { body } = request({}, { ...here, task: { dueDateTime } });
		expect(body.task).toEqual({ due_date_time: sent });
	},
);

describe('the report about a request', () => {
	it('lists columns that match nothing or share a name with the row itself', () => {
		const form = formWith(text('Site'), page('Header', text('Team')));
		const row = { Site: 'Gate', Status: 'new', team: 'North', Colour: 'red', Order: 7 };
		const usedColumns = new Set(['Order']);
		expect(requestOf(form, [rowOf(row)], { usedColumns }).hints).toEqual([
			`These column names are reserved for the inspection itself. To answer the questions with these names, choose 'Map Each Column Manually', or rename the columns: "team" to "Team".`,
			'Ignored: "Status", "Colour" match no question.',
		]);
		expect(requestOf(form, [rowOf({ f1: 'Gate' }, { by: 'columns' })]).hints).toEqual([]);
	});

	it('names the ignored columns after the problems, including those without a name', () => {
		const form = formWith(text('Site'), control('number', 'Visitors'));
		const problem = (row: JsonRecord) => problemOf(() => requestOf(form, [rowOf(row)]));
		expect(problem({ Visitors: 'many', __EMPTY: 'x', Nr: 'y' })).toMatch(
			/^"Visitors": "many" is not a number.* Ignored: "__EMPTY", "Nr" match no question\.$/,
		);
		expect(problem({ Visitors: 'many', Nr: 'y' })).toMatch(/^"Visitors".* Ignored: "Nr" matches/);
		expect(requestOf(form, [rowOf({ Site: 'A', 'LÃ¤nge': 'x' })]).hints).toEqual([
			'Ignored: "LÃ¤nge" matches no question.',
		]);
		expect(requestOf(form, [rowOf({ Site: 'A', __EMPTY: 'x' })]).hints).toEqual([
			'Ignored: "__EMPTY" matches no question.',
		]);
	});

	it('reports a sheet without any question once for all rows', () => {
		const message = expect.stringMatching(
			/^"Colour" matches no question\. Give the columns the names of the questions/,
		);
		const problems = [{ message, kind: 'no answers', isOfAll: true }];
		const form = formWith(text('Site'));
		const sheet = sheetFacts(form, [{ Colour: 'red' }]);
		expect(() => requestOf(form, [rowOf({ Colour: 'red' })], { sheet })).toThrow(
			expect.objectContaining({ problems }),
		);
	});
});
