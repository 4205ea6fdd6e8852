import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import { answerRecordsOf } from '#connector/domain/row/placedAnswer.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { filledTemplate, inspectionOf, plan } from './generatedInspection.mts';
import { control, guid, page, repeatable, templateOf } from './generatedTemplate.mts';

const known = (template: JsonRecord) => new Map([[guid(0), formOf(template)]]);

/** The data items that the records stand for. */
function rebuilt(records: readonly JsonRecord[]): unknown[] {
	return records.map((record) => ({
		field_id: record.field_id,
		template_control_id: record.template_control_id,
		path: record.instance === 1 ? record.path : `${String(record.path)}:${String(record.instance)}`,
		label: record.label,
		response: record.response,
		repeat_section_order: record.instance,
	}));
}

function itemsOf(inspection: InspectionRecord): unknown {
	const { data } = inspection;
	return typeof data === 'object' && data !== null && 'items' in data ? data.items : [];
}

const template = templateOf([
	page(
		'Page',
		control('number', 'Height'),
		repeatable('Room', control('checkbox', 'Risks', { choices: ['Dust', 'Heat'] })),
	),
]);

describe('answers', () => {
	it('are all that is stored: the inspection’s data can be made of them again', () => {
		fc.assert(
			fc.property(filledTemplate, ({ template, inspections }) => {
				const read = inspections.map((planned, number) => inspectionOf(planned, { number }));
				answerRecordsOf(read, known(template)).forEach((records, index) => {
					expect(rebuilt(records)).toEqual(itemsOf(read[index] ?? { id: '' }));
				});
			}),
			{ numRuns: 300 },
		);
	});

	it('have null for what the service leaves out', () => {
		const data = { items: [{ response: { value: 'x' } }] };
		const [[record] = []] = answerRecordsOf([{ ...inspectionOf([]), data }], new Map());
		expect(record).toMatchObject({
			...{ label: null, path: null, type: null, section: null, value: 'x' },
			...{ field_id: null, template_control_id: null },
		});
	});

	it('have the same keys, the value as in a cell and the response as stored', () => {
		const planned = plan(formOf(template), { Height: '21.50', 'Risks#2': ['Dust', 'Heat'] });
		const [records] = answerRecordsOf([inspectionOf(planned)], known(template));
		const inspection = {
			...{ inspection_id: guid(1_001), inspection_name: 'Walk 1', inspection_status: 'completed' },
			...{ template: 'Generated', updated_at: '2026-03-02T08:00:00Z' },
		};
		expect(records).toEqual([
			{
				...{ ...inspection, section: null, instance: 1, label: 'Height', path: 'Page/Height' },
				...{ type: 'number', field_id: 'f2', template_control_id: guid(2) },
				...{ value: 21.5, response: { value: '21.50' } },
			},
			{
				...{ ...inspection, section: 'Room', instance: 2, label: 'Risks', path: 'Page/Room/Risks' },
				...{ type: 'checkbox', field_id: 'f4', template_control_id: guid(4) },
				...{ value: 'Dust, Heat', response: { value: ['Dust', 'Heat'] } },
			},
		]);
		expect(Object.keys(records?.[0] ?? {})).toEqual(Object.keys(records?.[1] ?? {}));
	});

	it('have the type and path that the service sends, where the template may not be read', () => {
		const data = { items: [{ field_id: 'a', type: 'number', path: 'P/A', response: null }] };
		const [records] = answerRecordsOf([{ ...inspectionOf([]), data }], new Map());
		expect(records).toMatchObject([{ type: 'number', path: 'P/A', value: null, response: null }]);
	});
});
