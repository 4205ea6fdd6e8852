import { type Answer, subjectOf } from '../answer/answer';
import { isSameAnswer } from '../answer/sameAnswer';
import { shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import type { Question } from '../template/questions';
import type { Draft } from './sheetRow';
import { reservedColumnsFix, reservedFor } from './unusedColumns';

/** Maximum data items in one create request (`CreateInspection` in docs/service.openapi.yaml). */
const MAX_DATA_ITEMS = 1000;
/** The `kind` of the problem that a required question has no answer. */
export const NO_ANSWER = 'no answer';

/**
 * Returns an inspection's answers in the template's order, and the problems that block sending them. Checks every rule
 * of createInspection in docs/service.openapi.yaml. With `allowMissing`, required questions can stay unanswered.
 */
export function checkDraft(
	form: Form,
	draft: Draft,
	allowMissing: boolean,
): { answers: Answer[]; problems: Problem[] } {
	const { once, repeated } = withoutRepeated(draft.answers);
	const missing = allowMissing ? [] : missingAnswers(form, draft, once);
	const problems = [
		...mixedSections(draft.answers),
		...repeated,
		...refusedAnswers(draft.answers),
		...instanceProblems(once),
		...missing,
		...tooManyAnswers(once),
		...draft.problems,
	];
	const answers = once.toSorted(
		(a, b) => form.positionOf(a.question) - form.positionOf(b.question) || a.order - b.order,
	);
	return { answers, problems };
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
		const message = `answered twice, by a list of instances and by the separate question "${name}"; use only one of the two`;
		return [{ subject: `"${section?.name ?? name}"`, message }];
	});
}

/** Whether two cells of one row give the same answer. Refused values are the same if they're written the same way. */
function isSame(one: Answer, other: Answer): boolean {
	if (one.problem === undefined && other.problem === undefined) {
		return isSameAnswer(one.question, one.value, other.value);
	}
	return shownValue(one.given) === shownValue(other.given);
}

/**
 * Keeps one answer per question and instance. Two columns can contain the same answer to a question. Different answers
 * are a problem.
 */
function withoutRepeated(answers: readonly Answer[]): { once: Answer[]; repeated: Problem[] } {
	const once: Answer[] = [];
	const repeated: Problem[] = [];
	for (const ofQuestion of groupBy(answers, (answer) => answer.question).values()) {
		for (const [first, ...others] of groupBy(ofQuestion, ({ order }) => order).values()) {
			if (first === undefined) continue;
			once.push(first);
			for (const other of others) {
				if (isSame(first, other)) continue;
				const message = `answered twice, with ${shownValue(first.given)} in "${first.key}" and with ${shownValue(other.given)} in "${other.key}"; keep only one`;
				repeated.push({ ...subjectOf(other), kind: 'answered twice', message });
			}
		}
	}
	return { once, repeated };
}

function refusedAnswers(answers: readonly Answer[]): Problem[] {
	return answers.flatMap((answer) =>
		answer.problem === undefined ? [] : [{ ...subjectOf(answer), ...answer.problem }],
	);
}

function tooManyAnswers({ length }: readonly Answer[]): Problem[] {
	if (length <= MAX_DATA_ITEMS) return [];
	const message = `${String(length)} answers are more than the ${String(MAX_DATA_ITEMS)} that one inspection accepts; remove at least ${String(length - MAX_DATA_ITEMS)} of them`;
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
			const message = `"${question.name}" isn't in a repeatable section and accepts only one answer; remove ":${String(order)}" from the name`;
			yield { subject, message };
		}
	}
	for (const [section, answers] of groupBy(once, ({ question }) => question.section)) {
		if (section === null || answers.some(({ inArray }) => inArray)) continue;
		const orders = [...instancesOf(answers).keys()];
		const gap = orders.findIndex((order, index) => order !== index + 1);
		if (gap === -1) continue;
		const message = `instance ${String(orders[gap])} is answered, but instance ${String(gap + 1)} is not; instances are numbered from 1 without gaps`;
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
	{ unread, ownKeys }: Draft,
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
			const message = withoutAnswer(form, question, ownKeys);
			const answered = new Set(byQuestion.get(question)?.map(({ order }) => order));
			for (const order of orders.filter((number) => !answered.has(number))) {
				const { element = 1, row } = instances?.get(order)?.[0] ?? {};
				const ofSection = section === null ? '' : ` of the section "${section.name}"`;
				const about = subjectOf({ question, element, row, inArray: orders.length > 1 });
				yield { ...about, subject: `"${question.name}"${ofSection}`, message, kind: NO_ANSWER };
			}
		}
	}
}

/**
 * Returns the message for a required question without an answer. The answer may be in a column with a reserved name.
 */
function withoutAnswer(form: Form, question: Question, ownKeys: readonly string[]): string {
	const reserved = reservedFor(form, question, ownKeys);
	if (reserved.length === 0) return 'required, but has no answer; fill it in';
	return `required, but has no answer. ${reservedColumnsFix(form, reserved)}`;
}
