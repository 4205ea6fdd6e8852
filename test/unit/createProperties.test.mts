// @module-tag slow
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { groupRows } from '#connector/domain/create/groupRows.ts';
import type { SheetRow } from '#connector/domain/create/sheetRow.ts';
import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { type Form, formOf } from '#connector/domain/template/form.ts';
import type { Question } from '#connector/domain/template/questions.ts';
import { anyTemplate, guid } from '#harness/generatedTemplate.mts';
import {
	createdInspection,
	groupRequest,
	problemOf,
	requestOf,
	rowOf,
} from '#harness/madeOfRows.mts';
import { asCell, asColumns, legalAnswers, type Planned, sorted } from './generatedAnswers.mts';

/** A random form, with three valid sets of answers to its questions. */
const filledForm = anyTemplate.chain((template) => {
	const form = formOf(template);
	const planned = legalAnswers(form);
	return fc.tuple(planned, planned, planned).map((inspections) => ({ form, inspections }));
});

const byColumns = (form: Form, planned: readonly Planned[]) =>
	requestOf(form, [rowOf(asColumns(planned), { by: 'columns' })]);

it('any valid set of answers survives the mapper’s columns, so that only a response that has it matches', () => {
	fc.assert(
		fc.property(filledForm, fc.nat(), ({ form, inspections: [planned] }, drawn) => {
			const { body, sent } = byColumns(form, planned);
			expect(sorted(sent)).toEqual(sorted(planned));
			const stored: JsonRecord = { id: guid(1), data: body.data };
			expect(createdInspection(stored, sent).unstored_responses).toEqual([]);
			if (sent.length === 0) return;
			const lost = drawn % sent.length;
			const items = sent.toSpliced(lost, 1).map(({ question: { fieldId }, order, value }) => ({
				field_id: fieldId,
				repeat_section_order: order,
				response: { value },
			}));
			const { question, order, value } = sent[lost] ?? {};
			expect(createdInspection({ data: { items } }, sent).unstored_responses).toEqual([
				expect.objectContaining({ path: question?.path, repeat_section_order: order, value }),
			]);
		}),
		{ numRuns: 300 },
	);
});

/**
 * Returns an inspection as rows of a sheet, as people write it: one row per instance. `repeat` tells whether the other
 * answers are in every row or only in the first one.
 */
const asRows = (repeat: boolean) => (form: Form, planned: readonly Planned[]) => {
	const count = Math.max(1, ...planned.map(({ order }) => order));
	return Array.from({ length: count }, (_, index) => {
		const here = planned.filter(({ question, order }) =>
			question.section === null ? repeat || index === 0 : order === index + 1,
		);
		const cells = here.map((answer) => [form.keys.keyOf(answer.question), asCell(answer)] as const);
		return Object.fromEntries(cells);
	});
};

/** Returns an inspection as rows in which each section is an array with up to `size` instances. */
const asRowsOfArrays = (size: number) => (_: Form, planned: readonly Planned[]) => {
	const pieceOf = ({ order }: Planned) => Math.floor((order - 1) / size);
	const count = 1 + Math.max(0, ...planned.map(pieceOf));
	return Array.from({ length: count }, (_row, piece) => {
		const here = planned.filter((answer) => pieceOf(answer) === piece);
		return asColumns(here.map((answer) => ({ ...answer, order: ((answer.order - 1) % size) + 1 })));
	});
};

it('grouping rows recreates any inspections from rows in any order', () => {
	const anyLayout = fc.constantFrom(...[true, false].map(asRows), ...[1, 2, 3].map(asRowsOfArrays));
	const picks = fc.infiniteStream(fc.nat(2));
	fc.assert(
		fc.property(filledForm, anyLayout, picks, ({ form, inspections }, rowsOf, next) => {
			const left = inspections.map((planned, index) =>
				rowsOf(form, planned).map((row) => ({ ...row, 'My group': index })),
			);
			const rows: SheetRow[] = [];
			while (left.some((queue) => queue.length > 0)) {
				const pick: number = next.next().value ?? 0;
				const row = left[pick]?.shift() ?? left.find((queue) => queue.length > 0)?.shift();
				if (row) rows.push(row);
			}
			const groups = groupRows(rows, ['My group']);
			expect(groups).toHaveLength(3);
			for (const { rows: indexes, problem } of groups) {
				expect(problem).toBeUndefined();
				const mine = indexes.map((index) => rows[index] ?? {});
				const planned = inspections[Number(mine[0]?.['My group'])] ?? [];
				const { sent } = groupRequest(form, mine, { groupColumns: ['My group'] });
				expect(sorted(sent)).toEqual(sorted(planned));
			}
		}),
		{ numRuns: 400 },
	);
});

/** Values that aren't valid for a type of question. For questions with choices, see CHOICES. */
const ILLEGAL: Record<string, JsonValue[]> = {
	number: ['1,5', 'many', true, '0x1f', '1 000'],
	date: ['05/01/2026', 'soon', 2026, true, '2026-02-30'],
};
const CHOICES = ['no such choice', 'never, ever'];

const illegal = ({ type, choices }: Question): fc.Arbitrary<JsonValue> =>
	/radio|checkbox|dropdown/.test(type)
		? fc.constantFrom(...CHOICES).filter((value) => !choices.includes(value))
		: fc.constantFrom(...(ILLEGAL[type] ?? [['a'], { a: 1 }]));

it('any invalid answer is rejected with a message that has the question and value', () => {
	const broken = filledForm
		.filter(({ inspections: [planned] }) => planned.length > 0)
		.chain(({ form, inspections: [planned] }) =>
			fc
				.constantFrom(...planned)
				.chain((answer) => illegal(answer.question).map((value) => ({ ...answer, value })))
				.map((bad) => ({ form, planned, bad })),
		);
	fc.assert(
		fc.property(broken, ({ form, planned, bad }) => {
			const answers = planned.map((answer) =>
				answer.question === bad.question && answer.order === bad.order ? bad : answer,
			);
			const message = problemOf(() => byColumns(form, answers));
			expect(message).toContain(bad.question.name);
			const shown = typeof bad.value === 'string' ? bad.value.split(',')[0] : bad.value;
			expect(message).toContain(typeof shown === 'string' ? shown : JSON.stringify(shown));
		}),
		{ numRuns: 300 },
	);
});
