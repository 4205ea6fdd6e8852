import { foldName } from '../columnName';
import { jsonText, type JsonValue } from '../json';
import { MAX_DATA_ITEMS } from '../limits';
import type { Question, RepeatableSection } from '../template/question';
import { readAnswer, type ReadingOptions, shownValue } from './answer';
import type { AnswerMapping, GivenAnswer } from './answerMapping';
import { isSameAnswer } from './sameAnswer';
import type { TemplateForm } from './templateForm';

/** One answer as it goes into the request. */
export interface SentAnswer {
	question: Question;
	/** Instance of the question's section; 1 where the question is in no repeatable section. */
	order: number;
	value: JsonValue;
}

/** The answers of one inspection, and the problems that forbid sending them, as sentences without their full stop. */
export interface CheckedAnswers {
	answers: SentAnswer[];
	problems: string[];
}

export interface CheckOptions extends ReadingOptions {
	/**
	 * With false, a value that breaks a rule is sent as it is, and the service judges it. A key that cannot be understood
	 * stays a problem, and so do two different answers to one question: then there is no single value to send.
	 */
	validate: boolean;
}

interface ReadAnswer extends GivenAnswer {
	sent: JsonValue;
}

/**
 * Reads the given values and checks every rule of createInspection of docs/service.openapi.yaml: types and choices,
 * required questions, orders from 1 without gaps, each (field_id, order) once, 1000 items. Answers have the template's
 * order.
 *
 * An element of a section's array that has no answer makes no instance, and the elements after it move up. Numbers
 * after keys (`:3`) stay as they are, so a missing number before them is a problem. A required question of a repeatable
 * section needs an answer in each instance that has any answer. Where no instance has one, it needs an answer in the
 * first, because that is the section itself (DataItem of docs/service.openapi.yaml: the order is 1 when left out).
 */
export function checkAnswers(
	form: TemplateForm,
	mapping: AnswerMapping,
	{ validate, ...reading }: CheckOptions,
): CheckedAnswers {
	const unreadable: string[] = [];
	const read = mapping.answers.flatMap((given) => readGiven(given, reading, unreadable));
	const mixed = mixedSections(read);
	const instances = instancesOf(read);
	const { once, repeated } = dropRepeated(read);
	const broken = () => [
		...unreadable,
		...once.flatMap(orderProblem),
		...gapProblems(once, instances),
		...requiredProblems(form, mapping, once, instances),
		...(once.length > MAX_DATA_ITEMS ? [tooMany(once.length)] : []),
	];
	return {
		answers: inTemplateOrder(form, once, instances),
		problems: [...mapping.problems, ...mixed, ...repeated, ...(validate ? broken() : [])],
	};
}

function readGiven(given: GivenAnswer, reading: ReadingOptions, problems: string[]): ReadAnswer[] {
	const read = readAnswer(given.question, given.value, reading);
	if (read.kind === 'none') return [];
	if (read.kind === 'answer') return [{ ...given, sent: read.value }];
	problems.push(`${titleOf(given)}: ${read.problem}`);
	return [{ ...given, sent: asGiven(given.value) }];
}

/** The value as JSON holds it, such as the ISO 8601 text of a date. A value that JSON cannot hold becomes text. */
function asGiven(value: unknown): JsonValue {
	const json = jsonText(value);
	if (json === undefined) return typeof value === 'object' ? shownValue(value) : String(value);
	const copy: JsonValue = JSON.parse(json);
	return copy;
}

function titleOf({ question, order, fromArray, row }: GivenAnswer): string {
	const name = `"${question.name}"`;
	if (row !== undefined) return `${name} (row ${String(row)})`;
	const isNumbered = question.section !== null && (order > 1 || fromArray);
	return isNumbered ? `${name} (instance ${String(order)})` : name;
}

/**
 * A problem for each section that one row answers both by its array and by single questions. Nothing says then which of
 * them is the first instance. Different rows may answer a section in different ways.
 */
function mixedSections(read: readonly ReadAnswer[]): string[] {
	const placeOf = ({ question, row }: ReadAnswer) =>
		`${String(row)} ${question.section?.fieldId ?? ''}`;
	const inArrays = new Set(read.filter((answer) => answer.fromArray).map(placeOf));
	const mixed = new Map<string, Question>();
	for (const single of read) {
		const place = placeOf(single);
		if (single.question.section === null || single.fromArray || !inArrays.has(place)) continue;
		if (!mixed.has(place)) mixed.set(place, single.question);
	}
	return [...mixed.values()].map(
		({ section, name }) =>
			`"${section?.name ?? name}" is answered twice, by its array of instances and by the single question "${name}"; use one of the two`,
	);
}

/** For each section: the number of each instance that has an answer, and its place among these instances, from 1. */
type Instances = ReadonlyMap<RepeatableSection, ReadonlyMap<number, number>>;

function instancesOf(read: readonly ReadAnswer[]): Instances {
	const orders = new Map<RepeatableSection, Set<number>>();
	for (const { question, order } of read) {
		const { section } = question;
		if (section === null) continue;
		const known = orders.get(section) ?? new Set();
		orders.set(section, known.add(order));
	}
	return new Map(
		[...orders].map(([section, set]) => {
			const sorted = [...set].filter((order) => order > 0).sort((a, b) => a - b);
			return [section, new Map(sorted.map((order, index) => [order, index + 1]))];
		}),
	);
}

/** Keeps one answer to each question of each instance. Two keys may give the same answer, but not different ones. */
function dropRepeated(read: readonly ReadAnswer[]): { once: ReadAnswer[]; repeated: string[] } {
	const repeated: string[] = [];
	const seen = new Map<string, ReadAnswer>();
	for (const answer of read) {
		const pair = `${String(answer.order)} ${answer.question.fieldId}`;
		const first = seen.get(pair);
		if (first === undefined) {
			seen.set(pair, answer);
		} else if (!isSameAnswer(answer.question, first.sent, answer.sent)) {
			repeated.push(
				`${titleOf(answer)} is answered twice, with ${shownValue(first.value)} by "${first.key}" and with ${shownValue(answer.value)} by "${answer.key}"; keep one`,
			);
		}
	}
	return { once: [...seen.values()], repeated };
}

function orderProblem({ question, order, key }: ReadAnswer): string[] {
	if (order === 0) return [`"${key}": instances of a section count from 1, not from 0`];
	if (question.section !== null || order === 1) return [];
	return [
		`"${key}": "${question.name}" is in no repeatable section and takes one answer, not instance ${String(order)}`,
	];
}

/**
 * True where the place in an array or among rows numbers the instance. There an instance without any answer does not
 * count.
 */
function isPlaced({ fromArray, row }: GivenAnswer): boolean {
	return fromArray || row !== undefined;
}

function gapProblems(read: readonly ReadAnswer[], instances: Instances): string[] {
	const placed = new Set(read.filter(isPlaced).map(({ question }) => question.section));
	return [...instances].flatMap(([section, places]) => {
		const gap = [...places].find(([order, place]) => order !== place);
		if (gap === undefined || placed.has(section)) return [];
		const [order, place] = gap;
		return [
			`"${section.name}": instance ${String(order)} is answered, but instance ${String(place)} is not; instances count from 1 without gaps`,
		];
	});
}

function requiredProblems(
	form: TemplateForm,
	{ unreadSections, ownKeys }: AnswerMapping,
	read: readonly ReadAnswer[],
	instances: Instances,
): string[] {
	const answered = new Set(
		read.map(({ question, order }) => `${String(order)} ${question.fieldId}`),
	);
	const rows = rowsOfInstances(read);
	return form.questions.flatMap((question) => {
		if (!question.required) return [];
		if (question.section && unreadSections.has(question.section)) return [];
		const places = question.section ? instances.get(question.section) : undefined;
		const orders = places?.size ? [...places.keys()] : [1];
		const missing = orders.filter((order) => !answered.has(`${String(order)} ${question.fieldId}`));
		return missing.map((order) => {
			const row = rows.get(question.section)?.get(order);
			const given = { question, order, value: undefined, key: '', fromArray: orders.length > 1 };
			const place = question.section ? ` of the section "${question.section.name}"` : '';
			return `${titleOf({ ...given, ...(row !== undefined && { row }) })}${place} is required, but has no answer; ${cureOf(question, ownKeys)}`;
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

/** For each section: the row that each instance stands in. Empty where one row makes the inspection. */
function rowsOfInstances(read: readonly ReadAnswer[]) {
	const rows = new Map<RepeatableSection | null, Map<number, number>>();
	for (const { question, order, row } of read) {
		if (row === undefined || question.section === null) continue;
		const known = rows.get(question.section) ?? new Map<number, number>();
		rows.set(question.section, known.set(order, row));
	}
	return rows;
}

function tooMany(count: number): string {
	return `${String(count)} answers are more than the ${String(MAX_DATA_ITEMS)} that one inspection takes; leave ${String(count - MAX_DATA_ITEMS)} out`;
}

function inTemplateOrder(
	form: TemplateForm,
	read: readonly ReadAnswer[],
	instances: Instances,
): SentAnswer[] {
	const places = new Map(form.questions.map((question, place) => [question, place]));
	const placeOf = (answer: SentAnswer) => places.get(answer.question) ?? 0;
	return read
		.map((answer) => ({
			question: answer.question,
			order: isPlaced(answer) ? placeIn(instances, answer) : answer.order,
			value: answer.sent,
		}))
		.sort((a, b) => placeOf(a) - placeOf(b) || a.order - b.order);
}

/** The number of an answer's instance, after the instances without any answer are left out. */
function placeIn(instances: Instances, { question, order }: ReadAnswer): number {
	const places = question.section ? instances.get(question.section) : undefined;
	return places?.get(order) ?? order;
}
