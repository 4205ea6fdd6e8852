// @module-tag slow
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { dayOfInstant, utcDateOf } from '#connector/domain/answer/dateAnswer.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { isRowKey } from '#connector/domain/rowKeys.ts';
import type { Form } from '#connector/domain/template/form.ts';
import { groupRequest } from '#harness/madeOfRows.mts';
import { numberAsText, type Planned } from './generatedAnswers.mts';
import {
	columnNames,
	comparable,
	filledTemplate,
	inspectionOf,
	type InspectionShape,
	rowLists,
} from './generatedInspection.mts';

const SENT_IN = 'America/New_York';

/** Returns the answers that Create sends for the rows of one inspection, if they are mapped automatically. */
function sentFor(
	rows: readonly JsonRecord[],
	form: Form,
	groupColumns: readonly string[] = [],
): readonly Planned[] {
	// Create rejects rows without any answer, because the inspection would have only an ID and a name.
	if (rows.flatMap(answersIn).length === 0) return [];
	const { sent, unmatched } = groupRequest(form, rows, { timeZone: SENT_IN, groupColumns });
	expect(unmatched).toEqual([]);
	return sent;
}

const answersIn = (row: JsonRecord) =>
	Object.entries(row).filter(([key, value]) => !isRowKey(key) && value !== '');

/** Returns a row in which every cell is text, after conversion to JSON and back. */
function asTexts(row: JsonRecord): JsonRecord {
	const cells = Object.entries(row).map(([key, value]) => [
		key,
		typeof value === 'number' ? numberAsText(value) : value,
	]);
	return JSON.parse(JSON.stringify(Object.fromEntries(cells)));
}

/**
 * Returns answers as texts for comparison. For questions without a time, only the day counts with local dates, and for
 * the first instant of a day in the workflow's zone.
 */
function compared(answers: readonly Planned[] = [], isLocal: boolean): string[] {
	const byDay = answers.map((answer) => {
		const { type, showTime } = answer.question;
		if (type !== 'date' || showTime) return answer;
		if (isLocal) return { ...answer, value: String(answer.value).slice(0, 10) };
		const utc = utcDateOf(answer.value, { timeZone: 'utc', showTime: true }) ?? '';
		return { ...answer, value: dayOfInstant(Date.parse(utc), SENT_IN) ?? answer.value };
	});
	return comparable(byDay);
}

/** The settings of a round trip: how an inspection is stored, output as rows, and written into a sheet. */
const roundTrips = fc.record({
	plainItemOrder: fc.constantFrom('one' as const, 'absent' as const),
	itemForm: fc.constantFrom<Pick<InspectionShape, 'itemOrder' | 'itemNames'>>(
		{},
		{ itemOrder: 'text', itemNames: 'none' },
		{ itemOrder: 'absent', itemNames: 'path' },
		{ itemOrder: 'absent', itemNames: 'both' },
		{ itemOrder: 'number', itemNames: 'label' },
	),
	step: fc.constantFrom(1, 1, 1, 2, 3, 4),
	columnNames,
	section: fc.nat(),
	isText: fc.boolean(),
});

it.each([
	['rows', undefined, false],
	['rows with local dates', SENT_IN, false],
	['rows per instance, grouped by id', undefined, true],
	['rows per instance with local dates, grouped by id', SENT_IN, true],
])(
	'%s: rows fed back into Create by auto-map recreate the answers, which yield the same rows',
	(_, localZone, isPerInstance) => {
		fc.assert(
			fc.property(filledTemplate, roundTrips, ({ template, form, inspections }, how) => {
				const { columnNames, isText } = how;
				const section = form.sections[how.section % Math.max(1, form.sections.length)];
				const rowPerInstanceOf = isPerInstance ? (section?.fieldId ?? 'none') : undefined;
				const options = { columnNames, localZone, rowPerInstanceOf };
				const read = inspections.map((planned, number) =>
					inspectionOf(planned, { ...how, ...how.itemForm, number }),
				);
				rowLists(read, template, options).forEach((rows, index) => {
					const given = isText ? rows.map(asTexts) : rows;
					const sent = sentFor(given, form, isPerInstance ? ['id'] : []);
					const isLocal = localZone !== undefined;
					expect(compared(sent, isLocal)).toEqual(compared(inspections[index], isLocal));
					const [again = []] = rowLists([inspectionOf(sent)], template, options);
					expect(again.map(answersIn)).toEqual(rows.map(answersIn));
				});
			}),
			{ numRuns: 300 },
		);
	},
);
