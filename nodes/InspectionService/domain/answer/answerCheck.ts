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
	/** Instance of the question's section, 1 for answers outside of any. */
	order: number;
	value: JsonValue;
}

/** The answers of one item, and everything that speaks against sending them, one sentence each. */
export interface CheckedAnswers {
	answers: SentAnswer[];
	problems: string[];
}

export interface CheckOptions extends ReadingOptions {
	/**
	 * False sends values that break a rule as they are, and leaves the rules to the service. Where a key cannot be
	 * understood, or two keys give two answers, there is no value to send: that stays a problem.
	 */
	validate: boolean;
}

interface ReadAnswer extends GivenAnswer {
	sent: JsonValue;
}

/**
 * Reads the given values and checks every rule of createInspection of docs/service.openapi.yaml: types and choices, required questions, orders
 * from 1 without gaps, each (field_id, order) once, 1000 items. Answers come in the order of the template.
 *
 * An element of a section's array without any answer is no instance: those after it move up. Numbers after
 * keys (`:3`) are taken at their word, so that a missing number before them is a problem. A required question
 * of a repeatable section needs an answer in each instance, and in the first one also where there is none,
 * because the first instance is the section itself (DataItem of docs/service.openapi.yaml: the order is 1 when left out).
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

/** What JSON makes of a value, dates included; text where JSON has no form for it. */
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
 * One section by its array and by single questions at once: which instance is the first cannot be told. Of several
 * rows each may have its own way.
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

/** The instances of each section that have an answer, by the numbers they were given, with their places from 1 on. */
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

/** Each question once per instance; the same answer by two keys is one answer, another one is a problem. */
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

/** In an array or in rows an instance's place is its number, so that one without any answer is none. */
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

/** A column called as the question may be there, and mean the inspection's own field of that name. */
function cureOf({ label, path }: Question, ownKeys: readonly string[]): string {
	const own = ownKeys.find((key) => foldName(key) === foldName(label));
	if (own === undefined) return 'give it one';
	return `the column "${own}" is taken for the inspection's own "${own}" (Additional Fields), so rename it to "${path}" for the question`;
}

/** The rows that the instances of each section stand in; empty where one row makes the inspection. */
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

/** The number of an array's element once those without any answer are taken out. */
function placeIn(instances: Instances, { question, order }: ReadAnswer): number {
	const places = question.section ? instances.get(question.section) : undefined;
	return places?.get(order) ?? order;
}
