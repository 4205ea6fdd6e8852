import type { Answer } from '../answer/answer';
import { isSameButForNow, meansSame } from '../answer/sameAnswer';
import { groupBy } from '../groupBy';
import { jsonText } from '../json';
import { isBlank, isSameText } from '../plainText';
import { conflictOf, type Problem, problemText } from '../problem';
import { shownValue } from '../shownText';
import type { RepeatableSection } from '../template/questions';
import { type Detail, type Draft } from './sheetRow';

/** The rows of one group as one inspection (docs/create/groups-and-merged-cells.md); linear in their answers. */
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

/** An answer or detail of a row. Those with one `id` are about the same thing. */
interface Said<Value> {
	id: unknown;
	row: number;
	value: Value;
	/** As messages show it. */
	given: unknown;
	label: string;
	thing: 'answer' | 'value';
}

function answersOutside({ row, answers }: Draft): Said<Answer>[] {
	const outside = answers.filter(({ question }) => question.section === null);
	return outside.map((value) => {
		const { question, given } = value;
		return { id: question, row, value, given, label: `"${question.name}"`, thing: 'answer' };
	});
}

/** A row may have several custom fields of one name: the second is compared with the second of another row. */
function namedDetails({ row, details }: Draft): Said<Detail>[] {
	const members = groupBy(details, ({ part, name }) => `${part} ${name}`);
	return [...members].flatMap(([member, ofMember]) =>
		ofMember.map((value, place) => {
			const id = `${String(place)} ${member}`;
			return { id, row, value, given: value.value, label: value.label, thing: 'value' };
		}),
	);
}

/** What the first row says that says more than blanks, else the first at all. Two answers in one row stay both. */
function firstOf<Value>(
	said: readonly Said<Value>[],
	isSame: (a: Value, b: Value) => boolean,
): { kept: Value[]; problems: Problem[] } {
	const kept: Value[] = [];
	const problems: Problem[] = [];
	for (const ofOne of groupBy(said, ({ id }) => id).values()) {
		const first = ofOne.find(({ given }) => !isBlank(given)) ?? ofOne[0];
		if (first === undefined) continue;
		kept.push(...ofOne.filter(({ row }) => row === first.row).map(({ value }) => value));
		const other = ofOne.find(({ row, given, value }) => {
			return row !== first.row && !isBlank(given) && !isSame(first.value, value);
		});
		if (other === undefined) continue;
		problems.push(conflictOf(first.label, saidBy(first), saidBy(other), first.thing));
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

/** Each problem once. One that several rows have is told without a row: its cause lies in the columns that they share. */
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
