import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { isRowKey } from '#connector/domain/rowKeys.ts';
import type { Form } from '#connector/domain/template/form.ts';
import { numberAsText, type Planned } from './generatedAnswers.mts';
import { comparable, filledTemplate, inspectionOf, rowLists } from './generatedInspection.mts';
import { requestOf, rowOf } from './madeOfRows.mts';

const columnNames = fc.constantFrom('label' as const, 'path' as const, 'fieldId' as const);
const plainItemOrder = fc.constantFrom('one' as const, 'absent' as const);

const SENT_IN = 'America/New_York';

/** What Create sends for a row that is mapped automatically. */
function sentFor(item: JsonRecord, form: Form): Planned[] {
	// A row without any answer is refused: an inspection would be made of its ID and name.
	if (answersIn(item).length === 0) return [];
	const { sent, unmatched } = requestOf(form, [rowOf(item)], { timeZone: SENT_IN });
	expect(unmatched).toEqual([]);
	return [...sent];
}

function answersIn(row: JsonRecord = {}): [string, unknown][] {
	return Object.entries(row).filter(([key, value]) => !isRowKey(key) && value !== null);
}

describe('a row', () => {
	it('fed back into Create by auto-map makes the same answers, and these the same row', () => {
		fc.assert(
			fc.property(
				filledTemplate,
				plainItemOrder,
				columnNames,
				(filled, plainItemOrder, columnNames) => {
					const { template, form, inspections } = filled;
					const options = { columnNames };
					const read = inspections.map((planned, number) =>
						inspectionOf(planned, { plainItemOrder, number }),
					);
					rowLists(read, template, options).forEach(([row = {}], index) => {
						const sent = sentFor(row, form);
						expect(comparable(sent)).toEqual(comparable(inspections[index] ?? []));
						const [[again] = []] = rowLists([inspectionOf(sent)], template, options);
						expect(answersIn(again)).toEqual(answersIn(row));
					});
				},
			),
			{ numRuns: 300 },
		);
	});

	it('fed back through JSON and as text in every cell makes the same answers too', () => {
		fc.assert(
			fc.property(filledTemplate, ({ template, form, inspections: [planned = []] }) => {
				const [[row = {}] = []] = rowLists([inspectionOf(planned)], template);
				const item = Object.entries(row).map(([key, value]) => [
					key,
					typeof value === 'number' ? numberAsText(value) : value,
				]);
				const read = JSON.parse(JSON.stringify(Object.fromEntries(item)));
				expect(comparable(sentFor(read, form))).toEqual(comparable(planned));
			}),
		);
	});

	it('with local dates makes the same answers in the same zone, those of a day by their day', () => {
		const byDay = (answers: readonly Planned[]) =>
			comparable(
				answers.map((answer) => {
					const { type, showTime } = answer.question;
					if (type !== 'date' || showTime) return answer;
					return { ...answer, value: String(answer.value).slice(0, 10) };
				}),
			);
		fc.assert(
			fc.property(
				filledTemplate,
				columnNames,
				fc.boolean(),
				(filled, columnNames, isPerInstance) => {
					const { template, form, inspections } = filled;
					// A row per instance has the other sections' instances as lists in one cell.
					const [first, second] = form.sections;
					const rowPerInstanceOf = isPerInstance && second ? first?.columnId : undefined;
					const read = inspections.map((planned, number) => inspectionOf(planned, { number }));
					const options = { columnNames, localZone: SENT_IN, rowPerInstanceOf };
					rowLists(read, template, options).forEach((rows, index) => {
						if (rows.length !== 1) return;
						const sent = sentFor(rows[0] ?? {}, form);
						expect(byDay(sent)).toEqual(byDay(inspections[index] ?? []));
					});
				},
			),
			{ numRuns: 300 },
		);
	});

	it('closes up where an instance has no answer that can be given, as arrays do', () => {
		fc.assert(
			fc.property(filledTemplate, fc.integer({ min: 2, max: 4 }), (filled, step) => {
				const [planned = []] = filled.inspections;
				const inspection = inspectionOf(planned, { numberOf: (order) => order * step });
				const [[row = {}] = []] = rowLists([inspection], filled.template);
				expect(comparable(sentFor(row, filled.form))).toEqual(comparable(planned));
			}),
		);
	});
});
