// Row gives every inspection a cell for every column of its template. So a few inspections with answers that no other
// inspection has multiply the cells: rows × columns.
import { stringify } from 'flatted';
import { expect, test } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import { Notices } from '#connector/domain/notices.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { valuesOf } from '#connector/fields/field.ts';
import { OUTPUT, OUTPUT_OPTIONS } from '#connector/fields/output.ts';
import { type loadInspections, renderInspections } from '#connector/output/inspectionOutput.ts';
import type { OutputChoice } from '#connector/output/outputChoice.ts';

const TEMPLATE = '00000000-0000-4000-8000-000000000000';
const preset = valuesOf({ output: OUTPUT, ...OUTPUT_OPTIONS }, (_, given) => given, 'UTC');

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const inspection = (n: number, items: JsonRecord[]): InspectionRecord => ({
	id: `inspection ${String(n)}`,
	name: `Inspection ${String(n)}`,
	template: { id: TEMPLATE },
	data: { items },
});

/** A template with a repeatable section of `count` questions. */
const formWith = (count: number) => {
	const section = { id: 's', field_id: 's', type: 'section', label: 'Finding', path: 'Finding' };
	const questions = numbers(count).map((n) => ({
		id: `q${String(n)}`,
		field_id: `q${String(n)}`,
		type: 'text',
		label: `Question ${String(n)}`,
		path: `Finding/Question ${String(n)}`,
		parent_id: 's',
	}));
	const controls = [{ ...section, settings: { is_repeatable: true } }, ...questions];
	return formOf({ id: TEMPLATE, data: { controls } });
};
const answered = (questions: number, instances: number): JsonRecord[] =>
	numbers(instances).flatMap((instance) =>
		numbers(questions).map((n) => ({
			field_id: `q${String(n)}`,
			repeat_section_order: instance + 1,
			response: { value: 'x' },
		})),
	);

/** Returns the time that it takes to make the rows, in ms, and what came of it. */
function rowsOfRun(
	inspections: InspectionRecord[],
	form = formWith(10),
	choice: Partial<OutputChoice> = {},
	isPoll = false,
) {
	const loaded = {
		inspections,
		choice: { ...preset, output: 'row' as const, ...choice },
		service: {} as Parameters<typeof loadInspections>[2]['service'],
		forms: new Map([[TEMPLATE, form]]),
		unread: [],
		files: [],
		localZone: undefined,
		isPoll,
	};
	const started = performance.now();
	let outcome: string;
	let items: ReturnType<typeof renderInspections>[number] = [];
	try {
		[items = []] = renderInspections([loaded], new Notices());
		outcome = `${String(items.length)} rows`;
	} catch (error) {
		outcome = String(error);
	}
	return { outcome, items, ms: performance.now() - started };
}

const ownQuestions = (count: number) =>
	numbers(count).map((n) => {
		const own = numbers(130).map((i) => ({
			field_id: `${String(n)} ${String(i)}`,
			response: { value: 'x' },
		}));
		return inspection(n, own);
	});
const oneLong = (instances: number) =>
	numbers(3_000).map((n) => inspection(n, answered(10, n === 7 ? instances : 2)));

test('the error for 500 inspections with 130 different questions names one of them', () => {
	const { outcome, ms } = rowsOfRun(ownQuestions(500));
	expect(outcome).toMatch(/^InputError: The rows would have 32,505,000 cells, .* 10,000,000/);
	expect(outcome).toContain('The inspection "Inspection 0" alone has 130 answers');
	expect(ms).toBeLessThan(20_000);
});

test('the error for one inspection with 400 instances among 3,000 names it and the ways out', () => {
	const { outcome, ms } = rowsOfRun(oneLong(400));
	expect(outcome).toMatch(/12,000,000 cells.*"Inspection 7" alone has 4,000 answers/);
	expect(outcome).toMatch(/'Field Names or IDs'.*'Row per Instance Of'.*'Answers'/);
	expect(ms).toBeLessThan(20_000);
});

test.each([
	['Fields', { fields: ['id', 'Question 1'] }],
	['Row per Instance Of', { rowPerInstanceOf: 'Finding' }],
	['Output', { output: 'answers' as const }],
])('the way out that the error names works: %s', (_, choice) => {
	expect(rowsOfRun(oneLong(400), formWith(10), choice).outcome).toBe('3000 rows');
});

test('a poll gets the rows without their empty cells instead of an error', () => {
	const { outcome, items } = rowsOfRun(ownQuestions(500), formWith(10), {}, true);
	expect(outcome).toBe('500 rows');
	expect(Object.keys(items[9]?.[0]?.json ?? {})).toContain('9 129');
	expect(Object.keys(items[9]?.[0]?.json ?? {}).length).toBeLessThan(150);
});

test.each([
	['1,000', numbers(10_000).map((n) => inspection(n, answered(20, 1))), 990],
	['4,000', oneLong(400).slice(0, 2_400), 10],
	['35,000', ownQuestions(270), 10],
])(
	'rows of %s columns take less than twice the time that n8n takes to save them',
	(_, inspections, questions) => {
		const { items, ms } = rowsOfRun(inspections, formWith(questions));
		const saved = items.flat();
		const started = performance.now();
		stringify(saved);
		const savingMs = performance.now() - started;
		expect(ms).toBeLessThan(2 * savingMs);
	},
);
