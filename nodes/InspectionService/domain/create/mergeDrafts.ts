import type { Answer } from '../answer/answer';
import { differOnlyInTimestamps, meansSame } from '../answer/sameAnswer';
import { shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import { jsonText } from '../json';
import { isBlank, isSameText } from '../normalizeText';
import { conflictOf, type Problem, problemText } from '../problem';
import type { RepeatableSection } from '../template/questions';
import { type Detail, type Draft } from './sheetRow';

/**
 * Merges the drafts from the rows of one group into the draft of one inspection
 * (docs/create/groups-and-merged-cells.md), in linear time.
 */
export function mergeDrafts(drafts: readonly [Draft, ...Draft[]]): Draft {
	const answers = firstOf(drafts.flatMap(answersOutside), meansSame);
	const details = firstOf(drafts.flatMap(namedDetails), isSameDetail);
	return {
		row: drafts[0].row,
		answers: [...answers.kept, ...nextInstances(drafts)],
		details: details.kept,
		hasTask: drafts.some(({ hasTask }) => hasTask),
		problems: [...mergeProblems(drafts), ...answers.problems, ...details.problems],
		unknownKeys: [...new Set(drafts.flatMap(({ unknownKeys }) => unknownKeys))],
		ownKeys: [...new Set(drafts.flatMap(({ ownKeys }) => ownKeys))],
		unread: new Set(drafts.flatMap(({ unread }) => [...unread])),
	};
}

/** An answer or detail of a row. Candidates with the same `id` belong to the same question or field. */
interface Candidate<Value> {
	id: unknown;
	row: number;
	value: Value;
	/** The value as given in the row, for messages. */
	given: unknown;
	label: string;
	thing: 'answer' | 'value';
}

function answersOutside({ row, answers }: Draft): Candidate<Answer>[] {
	const outside = answers.filter(({ question }) => question.section === null);
	return outside.map((value) => {
		const { question, given } = value;
		return { id: question, row, value, given, label: `"${question.name}"`, thing: 'answer' };
	});
}

/**
 * Returns the details of a row. Numbers custom fields with the same name, so that the second one is compared with the
 * second one in other rows.
 */
function namedDetails({ row, details }: Draft): Candidate<Detail>[] {
	const members = groupBy(details, ({ part, name }) => `${part} ${name}`);
	return [...members].flatMap(([member, ofMember]) =>
		ofMember.map((value, index) => {
			const id = `${String(index)} ${member}`;
			return { id, row, value, given: value.value, label: value.label, thing: 'value' };
		}),
	);
}

/**
 * For each question or field, keeps the values of the first row with a non-blank value. If all values are blank, keeps
 * those of the first row. A row can have two values for the same question, and both are kept. Returns a problem if
 * another row has a different value.
 */
function firstOf<Value>(
	candidates: readonly Candidate<Value>[],
	isSame: (a: Value, b: Value) => boolean,
): { kept: Value[]; problems: Problem[] } {
	const kept: Value[] = [];
	const problems: Problem[] = [];
	for (const ofOne of groupBy(candidates, ({ id }) => id).values()) {
		const first = ofOne.find(({ given }) => !isBlank(given)) ?? ofOne[0];
		if (first === undefined) continue;
		kept.push(...ofOne.filter(({ row }) => row === first.row).map(({ value }) => value));
		const other = ofOne.find(({ row, given, value }) => {
			return row !== first.row && !isBlank(given) && !isSame(first.value, value);
		});
		if (other === undefined) continue;
		problems.push(conflictOf(first.label, rowValueOf(first), rowValueOf(other), first.thing));
	}
	return { kept, problems };
}

function rowValueOf({ row, given }: Candidate<unknown>) {
	return { row, shown: shownValue(given) };
}

function isSameDetail({ value: a }: Detail, { value: b }: Detail): boolean {
	if (isSameText(a, b)) return true;
	const [first, second] = [jsonText(a), jsonText(b)];
	return first !== undefined && second !== undefined && differOnlyInTimestamps(first, second);
}

/**
 * Returns the answers to repeatable sections, with new instance numbers: each row's instances come after those of the
 * previous rows.
 */
function nextInstances(drafts: readonly Draft[]): Answer[] {
	const counts = new Map<RepeatableSection, number>();
	return drafts.flatMap(({ answers }) =>
		[...groupBy(answers, ({ question }) => question.section)].flatMap(([section, ofSection]) => {
			if (section === null) return [];
			const before = counts.get(section) ?? 0;
			const most = ofSection.reduce((highest, { order }) => Math.max(highest, order), 0);
			counts.set(section, before + most);
			return ofSection.map((answer) => ({ ...answer, order: before + answer.order }));
		}),
	);
}

/**
 * Returns each problem once. A problem that several rows have in common has no row number, because its cause is in the
 * columns.
 */
function mergeProblems(drafts: readonly Draft[]): Problem[] {
	const all = drafts.flatMap(({ row, problems }) =>
		problems.map((problem) => ({ ...problem, rows: [row] })),
	);
	const same = groupBy(all, (problem) => problemText({ ...problem, rows: undefined }));
	return [...same.values()].flatMap(([first, ...others]) => {
		if (first === undefined) return [];
		const isAlone = others.every(({ rows: [row] }) => row === first.rows[0]);
		return [isAlone ? first : { ...first, rows: undefined }];
	});
}
