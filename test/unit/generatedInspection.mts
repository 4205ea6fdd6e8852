import fc from 'fast-check';

import { utcDateOf } from '#connector/domain/answer/dateAnswer.ts';
import { numberFromText } from '#connector/domain/answer/numbers.ts';
import { isRecord, type JsonRecord, type JsonValue, recordsOf } from '#connector/domain/json.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import { rowsOf } from '#connector/domain/row/row.ts';
import type { RowOptions } from '#connector/domain/row/rowOptions.ts';
import { type Form, formOf } from '#connector/domain/template/form.ts';
import { anyTemplate, guid } from '#harness/generatedTemplate.mts';
import { legalAnswers, type Planned, sorted } from './generatedAnswers.mts';

/** The details in which inspections can differ, as far as docs/service.openapi.yaml allows it. */
export interface InspectionShape {
	/** A number for the inspection's ID, so that inspections in a list have different IDs. */
	number?: number;
	/** Whether answers outside of repeatable sections have an order. The OpenAPI document doesn't specify it. */
	plainItemOrder?: 'one' | 'absent';
	/** How answers in repeatable sections have an order. If it's absent, the answers need a path. */
	itemOrder?: 'number' | 'text' | 'absent';
	itemNames?: 'both' | 'path' | 'label' | 'none';
	/**
	 * The difference between the numbers of two instances. It's above 1 if the instances in between have only photos,
	 * which aren't answers.
	 */
	step?: number;
}

/**
 * Returns an inspection with these answers as the service returns it. Paths have the form of StoredItem in
 * docs/service.openapi.yaml, with the numbers of instances.
 */
export function inspectionOf(
	planned: readonly Planned[],
	{
		number = 1,
		plainItemOrder = 'one',
		itemOrder = 'number',
		itemNames = 'both',
		step = 1,
	}: InspectionShape = {},
): InspectionRecord {
	const items = planned.map(({ question, order, value }): JsonRecord => {
		const stored = question.section === null ? order : order * step;
		const hasOrder = question.section !== null || plainItemOrder === 'one';
		const path = stored === 1 ? question.path : `${question.path}:${stored}`;
		return {
			field_id: question.fieldId,
			template_control_id: question.controlId,
			...(itemNames === 'both' || itemNames === 'path' ? { path } : {}),
			...(itemNames === 'both' || itemNames === 'label' ? { label: question.label } : {}),
			response: { value },
			...(hasOrder && itemOrder !== 'absent'
				? { repeat_section_order: itemOrder === 'text' ? String(stored) : stored }
				: {}),
		};
	});
	return {
		id: guid(1_000 + number),
		name: `Walk ${number}`,
		status: 'completed',
		created_at: '2026-03-01T08:00:00.0000001Z',
		created_by: { id: guid(7), name: 'Ana Sol', email: 'ana@example.com' },
		updated_at: '2026-03-02T08:00:00Z',
		updated_by: { id: guid(8), name: '', email: 'bo@example.com' },
		team: { id: guid(9), name: 'North' },
		template: { id: guid(0), name: 'Generated' },
		data: { item_type: 'question_response', items },
	};
}

/** A random template in which some of the questions with choices have an empty list of choices. */
const templateWithOpenChoices = fc
	.tuple(anyTemplate, fc.array(fc.nat({ max: 20 }), { maxLength: 4 }))
	.map(([template, indexes]) => {
		const copy = structuredClone(template);
		const controls = recordsOf(isRecord(copy.data) ? copy.data.controls : []);
		for (const control of indexes.map((index) => controls[index] ?? {})) {
			for (const options of Object.values(control).filter(isRecord)) {
				if (options.choices !== undefined) options.choices = [];
			}
		}
		return copy;
	});

/** Numbers as text, in the forms in which a service might store them. */
const numberText = fc.constantFrom('21.50', '0.0', '-3', '1e3', '12345678901234567890.5', '.5');

/** Lengths to which a service might cut a date in UTC: without its `Z`, without the milliseconds, or only the day. */
const withoutZone = fc.constantFrom(-1, 'yyyy-mm-ddThh:mm:ss'.length, 'yyyy-mm-dd'.length);

/** Returns a valid answer as a service might store it. Some numbers become text, and some dates have no zone. */
function storedForm(answer: Planned): fc.Arbitrary<Planned> {
	const { type, showTime } = answer.question;
	const { value } = answer;
	if (type === 'number')
		return fc.option(numberText).map((text) => ({ ...answer, value: text ?? value }));
	if (type !== 'date') return fc.constant(answer);
	return fc.option(withoutZone).map((end) => {
		const isDay = end === 'yyyy-mm-dd'.length;
		const isKept = end === null || (isDay && !showTime);
		return isKept ? answer : { ...answer, value: String(value).slice(0, end) };
	});
}

export const columnNames = fc.constantFrom('label' as const, 'fieldId' as const);

/** A random template, with the answers of one to three inspections that use it. */
export const filledTemplate = templateWithOpenChoices.chain((template) => {
	const form = formOf(template);
	return fc.record({
		template: fc.constant(template),
		form: fc.constant(form),
		inspections: fc.array(
			legalAnswers(form).chain((planned) => fc.tuple(...planned.map(storedForm))),
			{ minLength: 1, maxLength: 3 },
		),
	});
});

/** Returns the rows of each inspection. Without `template`, the template of the inspections can't be read. */
export function rowLists(
	inspections: readonly InspectionRecord[],
	template?: JsonRecord,
	options: Partial<RowOptions> = {},
): JsonRecord[][] {
	const known = new Map(template ? [[guid(0), formOf(template)]] : []);
	return rowsOf(inspections, known, { columnNames: 'label', ...options });
}

/** Returns answers by label. The label `label#n` means instance n. */
export function plan(
	{ questions }: Pick<Form, 'questions'>,
	answers: Record<string, Planned['value']>,
): Planned[] {
	return Object.entries(answers).map(([key, value]) => {
		const [label, order = '1'] = key.split('#');
		const question = questions.find((candidate) => candidate.label === label);
		if (question === undefined) throw new Error(`no question ${key}`);
		return { question, order: Number(order), value };
	});
}

/**
 * Returns answers as sorted strings for comparison. Different forms of the same date, number, or list of choices become
 * equal.
 */
export const comparable = (answers: readonly Planned[]) =>
	sorted(answers.map((answer) => ({ ...answer, value: comparableValue(answer) })));

function comparableValue({ question: { type, showTime }, value }: Planned): JsonValue {
	if (type === 'date') return utcDateOf(value, { timeZone: 'utc', showTime }) ?? null;
	if (type === 'number') return numberFromText(String(value)) ?? null;
	return (type === 'checkbox' || type === 'dropdown') && !Array.isArray(value) ? [value] : value;
}
