import { type ReadingOptions, shownValue } from '../answer/answer';
import { type AnswerMapping, type GivenAnswer, mapItem } from '../answer/answerMapping';
import { meansSame } from '../answer/sameAnswer';
import type { TemplateForm } from '../answer/templateForm';
import { isBlank } from '../columnName';
import type { Question, RepeatableSection } from '../template/question';
import { rowNumber, type SheetRow } from './groupRows';
import { mergeProblems } from './mergeProblems';

/** What one row of a group means; `row` is the number by which people know it. */
export interface MappedRow {
	row: number;
	mapping: AnswerMapping;
}

/** Whether two values mean the same answer to a question. */
export type SameAnswer = (question: Question, a: unknown, b: unknown) => boolean;

/**
 * The rows of one group as the answers of one inspection (docs/create.md, Group Rows By):
 *
 * - Outside of repeatable sections the first answer counts that is more than blanks. A different one in another row is
 *   a problem that names both rows.
 * - A row with an answer to a repeatable section is the section's next instance. The instances in a section's array
 *   follow those of the rows before, too.
 * - A number after a key (`Costs:2`) is a problem, because it would count the same instances a second time.
 *
 * Linear in the number of answers.
 */
export function mergeAnswers(rows: readonly MappedRow[], isSame: SameAnswer): AnswerMapping {
	const given = rows.flatMap(({ row, mapping }) =>
		mapping.answers.filter((answer) => !isNumbered(answer)).map((answer) => ({ ...answer, row })),
	);
	const outside = firstAnswers(
		given.filter(({ question }) => question.section === null),
		isSame,
	);
	const problems = rows.map(({ row, mapping }) => {
		const numbered = mapping.answers.filter(isNumbered).map(numberedKey);
		return { row, problems: [...mapping.problems, ...numbered] };
	});
	return {
		answers: [...outside.answers, ...nextInstances(given)],
		problems: [...mergeProblems(problems), ...outside.problems],
		unknownKeys: [...new Set(rows.flatMap(({ mapping }) => mapping.unknownKeys))],
		ownKeys: [...new Set(rows.flatMap(({ mapping }) => mapping.ownKeys))],
		unreadSections: new Set(rows.flatMap(({ mapping }) => [...mapping.unreadSections])),
	};
}

/**
 * The answers of one inspection from the rows of its group, by automatic mapping as in `mapItem`. `place` is a row's
 * place in the sheet, from 0.
 */
export function mapRows(
	form: TemplateForm,
	rows: readonly { place: number; json: SheetRow }[],
	reading: ReadingOptions,
): AnswerMapping {
	return mergeAnswers(
		rows.map(({ place, json }) => ({ row: rowNumber(place), mapping: mapItem(form, json) })),
		(question, a, b) => meansSame(question, a, b, reading),
	);
}

type RowAnswer = GivenAnswer & { row: number };

function isNumbered({ order, fromArray }: GivenAnswer): boolean {
	return order !== 1 && !fromArray;
}

function numberedKey({ key, question }: GivenAnswer): string {
	return `"${key}": with Group Rows By each instance has a row of its own; put the answer into one, under "${question.name}"`;
}

/**
 * The answers to each question from one row: the first row with an answer of more than blanks, else the first row with
 * any. Two answers in one row are left to `checkAnswers`.
 */
function firstAnswers(given: readonly RowAnswer[], isSame: SameAnswer) {
	const first = new Map<Question, RowAnswer>();
	const problems = new Map<Question, string>();
	const blanksLast = given.toSorted((a, b) => Number(isBlank(a.value)) - Number(isBlank(b.value)));
	const answers = blanksLast.filter((answer) => {
		const { question, row, value } = answer;
		const known = first.get(question) ?? answer;
		first.set(question, known);
		if (known.row === row) return true;
		const isSaid = isBlank(value) || isSame(question, known.value, value);
		if (!isSaid && !problems.has(question)) {
			problems.set(
				question,
				`"${question.name}": row ${String(known.row)} says ${shownValue(known.value)} and row ${String(row)} says ${shownValue(value)}; the rows of one inspection give one answer`,
			);
		}
		return false;
	});
	return { answers, problems: [...problems.values()] };
}

/** The answers to repeatable sections. The instances of each row follow those of the rows before. */
function nextInstances(given: readonly RowAnswer[]): RowAnswer[] {
	const places = new Map<RepeatableSection, { row: number; before: number; last: number }>();
	return given.flatMap((answer) => {
		const { question, row } = answer;
		if (question.section === null) return [];
		const known = places.get(question.section) ?? { row, before: 0, last: 0 };
		const before = known.row === row ? known.before : known.last;
		const order = before + answer.order;
		places.set(question.section, { row, before, last: Math.max(known.last, order) });
		return [{ ...answer, order }];
	});
}
