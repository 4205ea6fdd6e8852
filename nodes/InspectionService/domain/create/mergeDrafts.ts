import { type Answer } from '../answer/answer';
import { isSameButForNow, meansSame } from '../answer/sameAnswer';
import { shownValue } from '../answer/shownValue';
import { groupBy } from '../groupBy';
import { jsonText } from '../json';
import { isBlank, isSameText } from '../plainText';
import { conflictOf, type Problem, problemText } from '../problem';
import type { Question, RepeatableSection } from '../template/questions';
import type { Detail, Draft } from './draft';

/** What one row of a group says; `row` is the number by which people know it. */
interface RowDraft {
	row: number;
	draft: Draft;
}

/**
 * The rows of one group as one inspection (docs/create.md, Group Rows By):
 *
 * - Outside of repeatable sections, and of the details, the first that is more than blanks counts. Another one in another
 *   row is a problem that names both rows.
 * - The instances of a section in each row follow those of the rows before.
 * - There is a task where any row wants one.
 *
 * Linear in the number of answers and details.
 */
export function mergeDrafts(rows: readonly RowDraft[]): Draft {
	const drafts = rows.map(({ draft }) => draft);
	const answers = firstOf(rows.flatMap(answersOutside), meansSame);
	const details = firstOf(rows.flatMap(namedDetails), isSameDetail);
	return {
		answers: [...answers.kept, ...nextInstances(drafts)],
		details: details.kept,
		hasTask: drafts.some(({ hasTask }) => hasTask),
		problems: [
			...mergeProblems(rows.map(({ row, draft }) => ({ row, problems: draft.problems }))),
			...answers.problems,
		],
		detailProblems: [
			...mergeProblems(rows.map(({ row, draft }) => ({ row, problems: draft.detailProblems }))),
			...details.problems,
		],
		unknownKeys: [...new Set(drafts.flatMap(({ unknownKeys }) => unknownKeys))],
		ownKeys: [...new Set(drafts.flatMap(({ ownKeys }) => ownKeys))],
		unread: new Set(drafts.flatMap(({ unread }) => [...unread])),
	};
}

/** An answer or detail of a row. Those with one `id` say the same thing. */
interface Said<Value> {
	id: Question | string;
	row: number;
	value: Value;
	/** The value itself, as messages show it. */
	given: unknown;
	/** What it is called, and what the rows give one of: an answer or a value. */
	label: string;
	kind: 'answer' | 'value';
}

function answersOutside({ row, draft }: RowDraft): Said<Answer>[] {
	const outside = draft.answers.filter(({ question }) => question.section === null);
	return outside.map((value) => {
		const { question, given } = value;
		return { id: question, row, value, given, label: `"${question.name}"`, kind: 'answer' };
	});
}

/** A row may have several custom fields of one name: the second is compared with the second of another row. */
function namedDetails({ row, draft }: RowDraft): Said<Detail>[] {
	const counts = new Map<string, number>();
	return draft.details.map((value) => {
		const { part, name, label } = value;
		const member = `${part} ${name}`;
		const count = (counts.get(member) ?? 0) + 1;
		counts.set(member, count);
		return {
			id: `${String(count)} ${member}`,
			row,
			value,
			given: value.value,
			label,
			kind: 'value',
		};
	});
}

/**
 * Of each thing that is said, what the first row says that says more than blanks, else the first row at all. Two answers
 * in one row are left to `checkDraft`.
 */
function firstOf<Value>(
	said: readonly Said<Value>[],
	isSame: (a: Value, b: Value) => boolean,
): { kept: Value[]; problems: Problem[] } {
	const kept: Value[] = [];
	const problems: Problem[] = [];
	for (const ofOne of groupBy(said, ({ id }) => id).values()) {
		const [any] = ofOne;
		const first = ofOne.find(({ given }) => !isBlank(given)) ?? any;
		if (first === undefined) continue;
		kept.push(...ofOne.filter(({ row }) => row === first.row).map(({ value }) => value));
		const other = ofOne.find(({ row, given, value }) => {
			return row !== first.row && !isBlank(given) && !isSame(first.value, value);
		});
		if (other === undefined) continue;
		const [one, another] = [saidBy(first), saidBy(other)];
		problems.push(conflictOf(first.label, one, another, first.kind));
	}
	return { kept, problems };
}

function saidBy({ row, given }: Said<unknown>) {
	return { row, says: shownValue(given) };
}

function isSameDetail({ value: a }: Detail, { value: b }: Detail): boolean {
	if (isSameText(a, b)) return true;
	const [first, second] = [jsonText(a), jsonText(b)];
	return first !== undefined && second !== undefined && isSameButForNow(first, second);
}

/** The answers to repeatable sections. The instances of each row follow those of the rows before. */
function nextInstances(drafts: readonly Draft[]): Answer[] {
	const counts = new Map<RepeatableSection, number>();
	return drafts.flatMap(({ answers }) => {
		const inSections = groupBy(answers, ({ question }) => question.section);
		return [...inSections].flatMap(([section, ofSection]) => {
			if (section === null) return [];
			const before = counts.get(section) ?? 0;
			const numbers = ofSection.map(({ order }) => order);
			counts.set(section, before + numbers.reduce((most, order) => Math.max(most, order), 0));
			return ofSection.map((answer) => ({ ...answer, order: before + answer.order }));
		});
	});
}

/** The problems of one row of a group; `row` is the number by which people know it. */
interface RowProblems {
	row: number;
	problems: readonly Problem[];
}

/**
 * The problems of a group's rows, each once. A problem has its row. It has none where several rows have the same
 * problem, because then the cause lies in the columns that they share.
 */
function mergeProblems(rows: readonly RowProblems[]): Problem[] {
	const all = rows.flatMap(({ row, problems }) => problems.map((problem) => ({ row, problem })));
	return [...groupBy(all, ({ problem }) => problemText(problem)).values()].flatMap((same) => {
		const [first, ...others] = same;
		if (first === undefined) return [];
		const isAlone = others.every(({ row }) => row === first.row);
		return [{ ...first.problem, rows: isAlone ? [first.row] : undefined }];
	});
}
