import fc from 'fast-check';

import { utcDateOf } from '#connector/domain/answer/dateAnswer.ts';
import { numberFromText } from '#connector/domain/answer/numbers.ts';
import { isRecord, type JsonRecord, type JsonValue, recordsOf } from '#connector/domain/json.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import { rowsOf } from '#connector/domain/row/row.ts';
import type { RowOptions } from '#connector/domain/row/rowTable.ts';
import { type Form, formOf } from '#connector/domain/template/form.ts';
import { anyTemplate, guid } from '#harness/generatedTemplate.mts';
import { legalAnswers, type Planned, sorted } from './generatedAnswers.mts';

/** Details that Inspection in docs/service.openapi.yaml leaves open, or that any list can have. */
interface InspectionShape {
	/** Makes the IDs differ. */
	number?: number;
	/** The document doesn't show whether answers outside repeatable sections have an order. */
	plainItemOrder?: 'one' | 'absent';
	/** Step between the service's instance numbers. Above 1 if other instances only have a photo. */
	step?: number;
}

/**
 * The inspection as the service would show it: paths as in StoredItem of docs/service.openapi.yaml, instances
 * numbered.
 */
export function inspectionOf(
	planned: readonly Planned[],
	{ number = 1, plainItemOrder = 'one', step = 1 }: InspectionShape = {},
): InspectionRecord {
	const items = planned.map(({ question, order, value }): JsonRecord => {
		const stored = question.section === null ? order : order * step;
		const hasOrder = question.section !== null || plainItemOrder === 'one';
		return {
			field_id: question.fieldId,
			template_control_id: question.controlId,
			path: stored === 1 ? question.path : `${question.path}:${stored}`,
			label: question.label,
			response: { value },
			...(hasOrder ? { repeat_section_order: stored } : {}),
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

/** A template in which some questions list no choices. */
const templateWithOpenChoices = fc
	.tuple(anyTemplate, fc.array(fc.nat({ max: 20 }), { maxLength: 4 }))
	.map(([template, places]) => {
		const copy = structuredClone(template);
		const controls = recordsOf(isRecord(copy.data) ? copy.data.controls : []);
		for (const control of places.map((place) => controls[place] ?? {})) {
			for (const options of Object.values(control).filter(isRecord)) {
				if (options.choices !== undefined) options.choices = [];
			}
		}
		return copy;
	});

/** Numbers as a service might store them. */
const numberText = fc.constantFrom('21.50', '0.0', '-3', '1e3', '12345678901234567890.5', '.5');

/** Ways in which a service might store a UTC date without a zone, as text ends. The last one leaves only the day. */
const withoutZone = fc.constantFrom(-1, 'yyyy-mm-ddThh:mm:ss'.length, 'yyyy-mm-dd'.length);

/** A valid answer as it might be stored: some numbers as text, some dates without a zone. */
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

export const columnNames = fc.constantFrom('label' as const, 'path' as const, 'fieldId' as const);

/** A template and the answers of one to three inspections that use it. */
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

/** Rows by inspection. Omit `template` to simulate one that can't be read. */
export function rowLists(
	inspections: readonly InspectionRecord[],
	template?: JsonRecord,
	options: Partial<RowOptions> = {},
): JsonRecord[][] {
	const known = new Map(template ? [[guid(0), formOf(template)]] : []);
	return rowsOf(inspections, known, { columnNames: 'label', ...options });
}

/** Answers by label, in instance 1 unless the label is `label#n`. */
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

/** Normalized answers for comparison: choices as a set, a number in text as the number if that loses nothing. */
export const comparable = (answers: readonly Planned[]) =>
	sorted(answers.map((answer) => ({ ...answer, value: comparableValue(answer) })));

function comparableValue({ question: { type, showTime }, value }: Planned): JsonValue {
	if (type === 'date') return utcDateOf(value, { timeZone: 'utc', showTime }) ?? null;
	if (type === 'number') return numberFromText(String(value)) ?? null;
	return (type === 'checkbox' || type === 'dropdown') && !Array.isArray(value) ? [value] : value;
}
