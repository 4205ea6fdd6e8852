import { type Answer, shownAnswer, subjectOf } from '../answer/answer';
import { differOnlyInTimestamps, meansSame } from '../answer/sameAnswer';
import { shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import { jsonText } from '../json';
import { isBlank, isSameText } from '../normalizeText';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import type { Detail } from './details';
import type { Draft } from './draft';
import { rowConflicts } from './groupRows';

/** Maximum data items in one create request (`CreateInspection` in docs/service.openapi.yaml). */
const MAX_DATA_ITEMS = 1000;
/** The `kind` of the problem that a required question has no answer. */
export const NO_ANSWER = 'no answer';

/**
 * Returns an inspection's answers in the template's order, its details, and the problems that block sending them. Checks
 * every rule of createInspection in docs/service.openapi.yaml. With `allowMissing`, required questions can stay
 * unanswered.
 */
export function checkDraft(
	form: Form,
	draft: Draft,
	allowMissing: boolean,
): { answers: Answer[]; details: Detail[]; problems: Problem[] } {
	const answers = agreed(
		draft.answers,
		({ question, order }) => `${String(form.positionOf(question))} ${String(order)}`,
		answerConflicts,
	);
	const details = agreed(
		draft.details,
		({ part, name, index }) => `${part} ${String(index)} ${name}`,
		detailConflicts,
	);
	const once = answers.kept;
	const missing = allowMissing ? [] : missingAnswers(form, draft, once);
	const problems = [
		...mixedSections(draft.answers),
		...answers.problems,
		...refusedAnswers(once),
		...instanceProblems(once),
		...missing,
		...tooManyAnswers(once),
		...draft.problems,
		...details.problems,
	];
	const inOrder = once.toSorted(
		(a, b) => form.positionOf(a.question) - form.positionOf(b.question) || a.order - b.order,
	);
	return { answers: inOrder, details: details.kept, problems };
}

/** A value that a row gives for one place of the request. */
type Entry = Pick<Answer, 'row' | 'value'> & Partial<Pick<Answer, 'problem'>>;

/**
 * Keeps one entry per place of the request: the first one that isn't blank. `conflicts` returns the problems of the
 * other entries that aren't blank.
 */
function agreed<AnEntry extends Entry>(
	entries: readonly AnEntry[],
	placeOf: (entry: AnEntry) => string,
	conflicts: (given: readonly [AnEntry, ...AnEntry[]]) => Problem[],
): { kept: AnEntry[]; problems: Problem[] } {
	const kept: AnEntry[] = [];
	const problems: Problem[] = [];
	for (const ofPlace of groupBy(entries, placeOf).values()) {
		const given = ofPlace.filter(({ value, problem }) => problem !== undefined || !isBlank(value));
		const [first, ...others] = given.length === 0 ? ofPlace.slice(0, 1) : given;
		if (first === undefined) continue;
		kept.push(first);
		if (others.length > 0) problems.push(...conflicts([first, ...others]));
	}
	return { kept, problems };
}

/** Two columns of a row, or two rows, can contain the same answer. Different answers are a problem. */
function answerConflicts(answers: readonly [Answer, ...Answer[]]): Problem[] {
	const [first] = answers;
	const values = answers.map((answer) => ({ ...answer, shown: shownAnswer(answer) }));
	const shown = shownAnswer(first);
	const twice = values.filter((other) => other.row === first.row && !meansSame(first, other));
	return [
		...twice.map((other) => {
			const message = `answered twice, with ${shown} in "${first.key}" and with ${other.shown} in "${other.key}". Keep only one`;
			return { ...subjectOf(other), kind: 'answered twice', message };
		}),
		...rowConflicts(`"${first.question.name}"`, 'answer', values, meansSame),
	];
}

function detailConflicts(details: readonly [Detail, ...Detail[]]): Problem[] {
	const [{ label, part }] = details;
	const values = details.map((detail) => ({ ...detail, shown: shownValue(detail.value) }));
	const thing = part === 'task' ? 'value, because an inspection has one task' : 'value';
	return rowConflicts(label, thing, values, ({ value: first }, { value: other }) => {
		const [one, another] = [jsonText(first), jsonText(other)];
		const isJson = one !== undefined && another !== undefined;
		return isSameText(first, other) || (isJson && differOnlyInTimestamps(one, another));
	});
}

/**
 * Returns a problem for each section that one row answers twice: by an array of instances, and by columns of single
 * questions. The order of these instances would be unknown.
 */
function mixedSections(answers: readonly Answer[]): Problem[] {
	const inSections = answers.filter(({ question }) => question.section !== null);
	const bySection = groupBy(inSections, ({ question, row }) => {
		return `${String(row)} ${question.section?.fieldId ?? ''}`;
	});
	return [...bySection.values()].flatMap((ofSection) => {
		const single = ofSection.find(({ inArray }) => !inArray);
		if (single === undefined || ofSection.every(({ inArray }) => !inArray)) return [];
		const { section, name } = single.question;
		const message = `answered by both a list of instances and the question "${name}". Use only one of the two`;
		return [{ subject: `"${section?.name ?? name}"`, message }];
	});
}

function refusedAnswers(answers: readonly Answer[]): Problem[] {
	return answers.flatMap((answer) =>
		answer.problem === undefined ? [] : [{ ...subjectOf(answer), ...answer.problem }],
	);
}

function tooManyAnswers({ length }: readonly Answer[]): Problem[] {
	if (length <= MAX_DATA_ITEMS) return [];
	const message = `${length.toLocaleString('en')} answers, but an inspection accepts ${MAX_DATA_ITEMS.toLocaleString('en')}. Remove at least ${String(length - MAX_DATA_ITEMS)} of them`;
	return [{ message, kind: 'too many answers' }];
}

/**
 * Finds wrong instance numbers in column names: `Kind:0`, or `Kind:3` without `Kind:2`. Array elements can't have wrong
 * numbers, because their position is the number.
 */
function* instanceProblems(once: readonly Answer[]): Generator<Problem> {
	for (const { question, order, key } of once) {
		const subject = `"${key}"`;
		if (order === 0) {
			yield { subject, message: 'instances of a section are numbered from 1, not from 0' };
		} else if (question.section === null && order !== 1) {
			const message = `"${question.name}" isn't in a repeatable section and accepts only one answer. Remove ":${String(order)}" from the name`;
			yield { subject, message };
		}
	}
	for (const [section, answers] of groupBy(once, ({ question }) => question.section)) {
		if (section === null || answers.some(({ inArray }) => inArray)) continue;
		const orders = [...instancesOf(answers).keys()];
		const gap = orders.findIndex((order, index) => order !== index + 1);
		if (gap === -1) continue;
		const message = `instance ${String(orders[gap])} is answered, but instance ${String(gap + 1)} is not. Close the gap: rename the columns with ":${String(orders[gap])}" to ":${String(gap + 1)}"`;
		yield { subject: `"${section.name}"`, message };
	}
}

/** Groups the answers by instance number, in ascending order. */
function instancesOf(answers: readonly Answer[]): Map<number, Answer[]> {
	const numbered = answers.filter(({ order }) => order > 0).sort((a, b) => a.order - b.order);
	return groupBy(numbered, ({ order }) => order);
}

/**
 * A required question of a repeatable section needs an answer in each instance that has any answer. If no instance has
 * an answer, the first instance needs one, because an answer without an instance number belongs to instance 1 (DataItem
 * of docs/service.openapi.yaml).
 */
function* missingAnswers(
	form: Form,
	{ unread }: Draft,
	once: readonly Answer[],
): Generator<Problem> {
	const byQuestion = groupBy(once, ({ question }) => question);
	const bySection = groupBy(once, ({ question }) => question.section);
	const required = form.questions.filter((question) => question.required);
	for (const [section, questions] of groupBy(required, (question) => question.section)) {
		if (section !== null && unread.has(section)) continue;
		const instances = section === null ? undefined : instancesOf(bySection.get(section) ?? []);
		const orders = instances?.size ? [...instances.keys()] : [1];
		for (const question of questions) {
			const answered = new Set(byQuestion.get(question)?.map(({ order }) => order));
			for (const order of orders.filter((number) => !answered.has(number))) {
				const { element = 1, row } = instances?.get(order)?.[0] ?? {};
				const ofSection = section === null ? '' : ` of the section "${section.name}"`;
				const about = subjectOf({ question, element, row, inArray: orders.length > 1 });
				const message = 'required, but has no answer. Fill it in';
				yield { ...about, subject: `"${question.name}"${ofSection}`, message, kind: NO_ANSWER };
			}
		}
	}
}
