import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createdInspection } from '#connector/domain/create/createdInspection.ts';
import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { type Form, formOf } from '#connector/domain/template/form.ts';
import type { Question } from '#connector/domain/template/questions.ts';
import { problemOf } from './errorText.mts';
import { asColumns, legalAnswers, type Planned, sorted } from './generatedAnswers.mts';
import { anyTemplate, guid } from './generatedTemplate.mts';
import { requestOf, rowOf } from './madeOfRows.mts';

const filledTemplate = anyTemplate.chain((template) => {
	const form = formOf(template);
	return legalAnswers(form).map((planned) => ({ template, form, planned }));
});

const byColumns = (form: Form, planned: readonly Planned[]) =>
	requestOf(form, [rowOf(asColumns(planned), { by: 'columns' })]);

describe('any legal set of answers of any template', () => {
	it('survives the mapper’s columns', () => {
		fc.assert(
			fc.property(filledTemplate, ({ form, planned }) => {
				const { sent } = byColumns(form, planned);
				expect(sorted(sent)).toEqual(sorted(planned));
			}),
			{ numRuns: 300 },
		);
	});

	it('is found again in an answer that holds it, and missed in one that does not', () => {
		fc.assert(
			fc.property(filledTemplate, fc.nat(), ({ form, planned }, drawn) => {
				const { body, sent } = byColumns(form, planned);
				const stored: JsonRecord = { id: guid(1), data: body.data };
				expect(createdInspection(stored, sent).unstored_responses).toEqual([]);
				if (sent.length === 0) return;
				const lost = drawn % sent.length;
				const items = sent
					.filter((_, index) => index !== lost)
					.map(({ question: { fieldId }, order, value }) => ({
						...{ field_id: fieldId, repeat_section_order: order, response: { value } },
					}));
				const { question, order, value } = sent[lost] ?? {};
				expect(createdInspection({ data: { items } }, sent).unstored_responses).toEqual([
					expect.objectContaining({ path: question?.path, repeat_section_order: order, value }),
				]);
			}),
			{ numRuns: 200 },
		);
	});
});

/** Values that are illegal for a type; those of questions with choices are in CHOICES. */
const ILLEGAL: Record<string, JsonValue[]> = {
	number: ['1,5', 'many', true, '0x1f', '1 000'],
	date: ['05/01/2026', 'soon', 2026, true, '2026-02-30'],
};
const CHOICES = ['no such choice', 'never, ever'];

const illegal = ({ type, choices }: Question): fc.Arbitrary<JsonValue> =>
	/radio|checkbox|dropdown/.test(type)
		? fc.constantFrom(...CHOICES).filter((value) => !choices.includes(value))
		: fc.constantFrom(...(ILLEGAL[type] ?? [['a'], { a: 1 }]));

describe('any illegal answer', () => {
	it('is refused, with a message that names question and value', () => {
		const broken = filledTemplate
			.filter(({ planned }) => planned.length > 0)
			.chain((filled) =>
				fc
					.constantFrom(...filled.planned)
					.chain((answer) => illegal(answer.question).map((value) => ({ ...answer, value })))
					.map((bad) => ({ ...filled, bad })),
			);
		fc.assert(
			fc.property(broken, ({ form, planned, bad }) => {
				const answers = planned.map((answer) =>
					answer.question === bad.question && answer.order === bad.order ? bad : answer,
				);
				const told = problemOf(() => byColumns(form, answers));
				expect(told).toContain(bad.question.name);
				const shown = typeof bad.value === 'string' ? bad.value.split(',')[0] : bad.value;
				expect(told).toContain(typeof shown === 'string' ? shown : JSON.stringify(shown));
			}),
			{ numRuns: 300 },
		);
	});
});
