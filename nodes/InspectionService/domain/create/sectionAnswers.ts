import { isRecord, type JsonRecord, parseJson } from '../json';
import { nameAndMeant } from '../nearestName';
import { isBlank } from '../plainText';
import type { Problem } from '../problem';
import { listText, shownValue } from '../shownText';
import {
	type Column,
	isQuestion,
	type Question,
	type RepeatableSection,
} from '../template/questions';
import { type Finding, type ReadRow, readValue } from './rowAnswers';

/** Levels of objects inside each other. Forms have a handful of levels. */
const MAX_LEVELS = 20;
/** Questions that an example names, and columns that a message names. */
const [EXAMPLE_QUESTIONS, SHOWN_COLUMNS] = [3, 6];

/** Reads the array of a section. One object alone is one instance. Text is read as JSON. */
export function* readSection(
	reading: ReadRow,
	section: RepeatableSection,
	given: unknown,
): Generator<Finding> {
	const { form } = reading;
	const subject = `"${section.name}"`;
	const cure = () =>
		`give an array with one object per instance, such as ${sectionExample(form.questionsIn(section))}`;
	const value = typeof given === 'string' ? (parseJson(given) ?? given) : given;
	const elements: unknown[] = Array.isArray(value) ? value : [value];
	const odd = elements.find((element) => !isBlank(element) && !isRecord(element));
	if (odd !== undefined) {
		const wrong = `is no instance of the section; ${cure()}`;
		yield { unread: section, problem: { subject, value: shownValue(odd), wrong } };
		return;
	}
	const found = elements.flatMap((element, index) => {
		const place = { reading, section, order: index + 1, names: [] };
		return isRecord(element) ? [...readElement(place, element)] : [];
	});
	const keys = [...new Set(found.flatMap(({ unknownKey }) => unknownKey ?? []))];
	if (keys.length === 0 || found.some(({ unknownKey }) => unknownKey === undefined)) {
		yield* found;
		return;
	}
	// Without this the inspection would be made without its instances.
	const named = keys.slice(0, SHOWN_COLUMNS).map((key) => nameAndMeant(key, form.nearest(key)));
	const wrong = `no question of the section goes by ${listText(named, keys.length)}; ${cure()}`;
	yield { unread: section, problem: { subject, wrong } };
}

/** An element of a section's array, or with `names` from it an object inside of it, which continues the path. */
interface Element {
	reading: ReadRow;
	section: RepeatableSection;
	order: number;
	names: readonly string[];
}

function* readElement(element: Element, values: JsonRecord): Generator<Finding> {
	for (const [name, value] of Object.entries(values)) {
		if (!isBlank(value)) yield* readMember(element, name, value);
	}
}

function* readMember(element: Element, name: string, value: unknown): Generator<Finding> {
	const { reading, section, order } = element;
	const names = [...element.names, name];
	const key = names.join('/');
	const { columns, instance } = reading.form.keysIn(section).find(key);
	const [question, another] = columns;
	if (another !== undefined) {
		yield { problem: ambiguousKey(key, columns) };
	} else if (question !== undefined && isQuestion(question)) {
		if (instance === undefined) {
			yield* readValue(reading, { question, order, given: value, key, inArray: true });
		} else {
			const wrong = `the place in the array of "${section.name}" says which instance is meant; use the name without ":${String(instance)}"`;
			yield { problem: { subject: `"${key}"`, wrong } };
		}
	} else if (isOtherSection(element, name, value)) {
		yield { problem: otherSection(element, name) };
	} else if (!isRecord(value)) {
		yield { unknownKey: `${section.name}/${key}` };
	} else if (names.length < MAX_LEVELS) {
		yield* readElement({ ...element, names }, value);
	} else {
		const wrong = `"${name}" inside "${section.name}" is nested more than ${String(MAX_LEVELS)} levels deep; give the questions in the element of the array itself, each under its field ID`;
		yield { problem: { wrong } };
	}
}

/** Whether a name in an element is another repeatable section, and no plain one with a question inside. */
function isOtherSection({ reading, section, names }: Element, name: string, value: unknown) {
	if (reading.form.sectionKeys.find(name).columns.length === 0) return false;
	const keys = reading.form.keysIn(section);
	const isInside = (inner: string) =>
		keys.find([...names, name, inner].join('/')).columns.length > 0;
	return !(isRecord(value) && Object.keys(value).some(isInside));
}

function otherSection({ reading, section }: Element, name: string): Problem {
	const names = namesOf(reading.form.sectionKeys.find(name).columns);
	const wrong = `"${name}" inside "${section.name}" is a repeatable section of its own; give its instances under ${names}`;
	return { wrong };
}

/** The problem that several questions or sections go by a key. */
export function ambiguousKey(key: string, columns: readonly Column[]): Problem {
	const isQuestions = columns.slice(0, SHOWN_COLUMNS).every(isQuestion);
	const kind = isQuestions ? 'questions' : 'questions or sections';
	const wrong = `${String(columns.length)} ${kind} are called "${key}". Rename the column to ${namesOf(columns)}`;
	return { wrong };
}

function namesOf(columns: readonly Column[]): string {
	const shown = columns.slice(0, SHOWN_COLUMNS).map(({ name }) => `"${name}"`);
	return shown.join(' or ');
}

/** `[{"Name": "…", "Size": 1}]` */
export function sectionExample(inside: readonly Question[]): string {
	const members = inside
		.slice(0, EXAMPLE_QUESTIONS)
		.map((question) => `${JSON.stringify(question.name)}: ${JSON.stringify(exampleOf(question))}`);
	return `[{${members.join(', ')}}]`;
}

function exampleOf({ type, choices, showTime }: Question): string | number {
	if (type === 'number') return 1;
	if (type === 'date') return showTime ? '2026-05-31T14:30:00Z' : '2026-05-31';
	return choices[0] ?? '…';
}
