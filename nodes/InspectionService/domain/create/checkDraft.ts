import { type Answer, subjectOf } from '../answer/answer';
import { isSameAnswer } from '../answer/sameAnswer';
import { shownValue } from '../answer/shownValue';
import { groupBy } from '../groupBy';
import { foldName } from '../plainText';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import type { Question, RepeatableSection } from '../template/questions';
import { type Draft, MAX_DATA_ITEMS } from './draft';
import { NO_ANSWER } from './groupAdvice';

/** The answers of one inspection in the template's order, and the problems that forbid sending them. */
export interface CheckedDraft {
	answers: Answer[];
	problems: Problem[];
}

/**
 * Checks every rule of createInspection of docs/service.openapi.yaml: types and choices, required questions, orders from
 * 1 without gaps, each (field_id, order) once, 1000 items.
 *
 * Numbers after keys (`:3`) stay as they are, so a missing number before them is a problem. A required question of a
 * repeatable section needs an answer in each instance that has any answer. Where no instance has one, it needs an answer
 * in the first, because that is the section itself (DataItem of docs/service.openapi.yaml: the order is 1 when left
 * out).
 *
 * With `validate` false, a value that breaks a rule is sent as it is, and the service judges it. A key that cannot be
 * understood stays a problem, and so do two different answers to one question: then there is no single value to send.
 */
export function checkDraft(form: Form, draft: Draft, validate: boolean): CheckedDraft {
	const mixed = mixedSections(draft.answers);
	const { once, repeated } = dropRepeated(draft.answers);
	const sections = bySection(once);
	const broken = () => [
		...draft.answers.flatMap(valueProblem),
		...once.flatMap(orderProblem),
		...gapProblems(sections),
		...requiredProblems(form, draft, { once, sections }),
		...(once.length > MAX_DATA_ITEMS ? [tooMany(once.length)] : []),
	];
	return {
		answers: inTemplateOrder(form, once),
		problems: [
			...draft.problems,
			...mixed,
			...repeated,
			...(validate ? broken() : []),
			...draft.detailProblems,
		],
	};
}

function valueProblem(answer: Answer): Problem[] {
	return answer.problem === undefined ? [] : [{ ...subjectOf(answer), ...answer.problem }];
}

/**
 * A problem for each section that one row answers both by its array and by single questions. Nothing says then which of
 * them is the first instance. Different rows may answer a section in different ways.
 */
function mixedSections(answers: readonly Answer[]): Problem[] {
	const placeOf = ({ question, row }: Answer) =>
		`${String(row)} ${question.section?.fieldId ?? ''}`;
	const inArrays = new Set(answers.filter((answer) => answer.inArray).map(placeOf));
	if (inArrays.size === 0) return [];
	const mixed = new Map<string, Question>();
	for (const single of answers) {
		const place = placeOf(single);
		if (single.question.section === null || single.inArray || !inArrays.has(place)) continue;
		if (!mixed.has(place)) mixed.set(place, single.question);
	}
	return [...mixed.values()].map(({ section, name }) => ({
		subject: `"${section?.name ?? name}"`,
		wrong: `answered twice, by its array of instances and by the single question "${name}"; use one of the two`,
	}));
}

/** Keeps one answer to each question of each instance. Two keys may give the same answer, but not different ones. */
function dropRepeated(answers: readonly Answer[]): { once: Answer[]; repeated: Problem[] } {
	const repeated: Problem[] = [];
	const seen = new Map<Question, Map<number, Answer>>();
	for (const answer of answers) {
		const { question, order } = answer;
		const ofQuestion = seen.get(question) ?? new Map<number, Answer>();
		const first = ofQuestion.get(order);
		if (first === undefined) {
			seen.set(question, ofQuestion.set(order, answer));
		} else if (!isSameAnswer(question, first.value, answer.value)) {
			repeated.push({
				...subjectOf(answer),
				kind: 'answered twice',
				wrong: `answered twice, with ${shownValue(first.given)} by "${first.key}" and with ${shownValue(answer.given)} by "${answer.key}"; keep one`,
			});
		}
	}
	return { once: [...seen.values()].flatMap((ofQuestion) => [...ofQuestion.values()]), repeated };
}

function orderProblem({ question, order, key }: Answer): Problem[] {
	const subject = `"${key}"`;
	if (order === 0) return [{ subject, wrong: 'instances of a section count from 1, not from 0' }];
	if (question.section !== null || order === 1) return [];
	const wrong = `"${question.name}" is in no repeatable section and takes one answer, not instance ${String(order)}`;
	return [{ subject, wrong }];
}

/** The answers to each section, and the first answer of each of its instances by the instance's number, rising. */
interface SectionAnswers {
	answers: Answer[];
	instances: Map<number, Answer>;
}

/** Null stands for the questions outside of any repeatable section. */
type Sections = ReadonlyMap<RepeatableSection | null, SectionAnswers>;

function bySection(once: readonly Answer[]): Sections {
	const sections = new Map<RepeatableSection | null, SectionAnswers>();
	for (const [section, answers] of groupBy(once, ({ question }) => question.section)) {
		const instances = new Map<number, Answer>();
		for (const answer of answers.toSorted((a, b) => a.order - b.order)) {
			if (answer.order > 0 && !instances.has(answer.order)) instances.set(answer.order, answer);
		}
		sections.set(section, { answers, instances });
	}
	return sections;
}

/** Only keys number instances. In an array the place does: an array beside numbered keys is told by `mixedSections`. */
function gapProblems(sections: Sections): Problem[] {
	return [...sections].flatMap(([section, { answers: ofSection, instances }]) => {
		if (ofSection.some(({ inArray }) => inArray)) return [];
		const orders = [...instances.keys()];
		const gap = orders.findIndex((order, place) => order !== place + 1);
		if (section === null || gap === -1) return [];
		const wrong = `instance ${String(orders[gap])} is answered, but instance ${String(gap + 1)} is not; instances count from 1 without gaps`;
		return [{ subject: `"${section.name}"`, wrong }];
	});
}

function requiredProblems(
	form: Form,
	{ unread, ownKeys }: Draft,
	{ once, sections }: { once: readonly Answer[]; sections: Sections },
): Problem[] {
	const byQuestion = groupBy(once, ({ question }) => question);
	return form.questions.flatMap((question) => {
		const { section } = question;
		if (!question.required || (section !== null && unread.has(section))) return [];
		const instances = section === null ? undefined : sections.get(section)?.instances;
		const orders = instances?.size ? [...instances.keys()] : [1];
		const answered = new Set(byQuestion.get(question)?.map(({ order }) => order));
		const place = section === null ? '' : ` of the section "${section.name}"`;
		return orders
			.filter((order) => !answered.has(order))
			.map((order) => {
				const { element = order, row } = instances?.get(order) ?? {};
				const about = subjectOf({ question, element, row, inArray: orders.length > 1 });
				const wrong = `required, but has no answer; ${cureOf(question, ownKeys)}`;
				return { ...about, subject: `"${question.name}"${place}`, wrong, kind: NO_ANSWER };
			});
	});
}

/**
 * What to do about a question without an answer. A column with the question's name may be taken for the inspection's
 * own field, such as `name`; then it needs another name.
 */
function cureOf({ label, path }: Question, ownKeys: readonly string[]): string {
	const own = ownKeys.find((key) => foldName(key) === foldName(label));
	if (own === undefined) return 'give it one';
	return `the column "${own}" is taken for the inspection's own "${own}" (Additional Fields), so rename it to "${path}" for the question`;
}

function tooMany(count: number): Problem {
	return {
		wrong: `${String(count)} answers are more than the ${String(MAX_DATA_ITEMS)} that one inspection takes; leave ${String(count - MAX_DATA_ITEMS)} out`,
		kind: 'too many answers',
	};
}

function inTemplateOrder(form: Form, answers: readonly Answer[]): Answer[] {
	return answers.toSorted(
		(a, b) => form.placeOf(a.question) - form.placeOf(b.question) || a.order - b.order,
	);
}
