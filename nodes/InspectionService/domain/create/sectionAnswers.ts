import { shownValue } from '../answer/shownValue';
import { isRecord, type JsonRecord, parseJson } from '../json';
import { nameAndMeant } from '../nearestName';
import { isBlank } from '../plainText';
import type { Problem } from '../problem';
import { listText } from '../shownText';
import {
	type Column,
	isQuestion,
	type Question,
	type RepeatableSection,
} from '../template/questions';
import type { RowReader } from './rowAnswers';

/** Levels of objects inside each other. Forms have a handful of levels. */
const MAX_LEVELS = 20;
/** Questions that an example names: enough to show the form of an instance. */
const EXAMPLE_QUESTIONS = 3;
/** Columns that a message names. A person needs one of them. */
const SHOWN_COLUMNS = 6;

/** Reads the array of a section. One object alone is one instance. Text is read as JSON. */
export function readSection(reader: RowReader, section: RepeatableSection, given: unknown): void {
	const value = typeof given === 'string' ? (parseJson(given) ?? given) : given;
	const elements: unknown[] = Array.isArray(value) ? value : [value];
	const unread = elements.find((element) => !isBlank(element) && !isRecord(element));
	if (unread !== undefined) {
		const example = sectionExample(reader.form.questionsIn(section));
		reader.draft.unread.add(section);
		reader.draft.problems.push({
			subject: `"${section.name}"`,
			value: shownValue(unread),
			wrong: `is no instance of the section; give an array with one object per instance, such as ${example}`,
		});
		return;
	}
	const { answers, problems, unknownKeys } = reader.draft;
	const before = { said: answers.length + problems.length, unknown: unknownKeys.length };
	elements.forEach((element, index) => {
		if (isRecord(element)) readElement({ reader, section, order: index + 1, names: [] }, element);
	});
	if (answers.length + problems.length > before.said) return;
	const unknown = [...new Set(unknownKeys.splice(before.unknown))];
	if (unknown.length > 0) refuseUnknown(reader, section, unknown);
}

/** A problem for a list in which nothing is an answer: without it the inspection would be made without its instances. */
function refuseUnknown({ form, draft }: RowReader, section: RepeatableSection, keys: string[]) {
	const named = keys.slice(0, SHOWN_COLUMNS).map((key) => nameAndMeant(key, form.nearest(key)));
	draft.unread.add(section);
	draft.problems.push({
		subject: `"${section.name}"`,
		wrong: `no question of the section goes by ${listText(named, keys.length)}; give an array with one object per instance, such as ${sectionExample(form.questionsIn(section))}`,
	});
}

/** An element of a section's array, or an object inside it. */
interface Element {
	reader: RowReader;
	section: RepeatableSection;
	/** The number of the element, from 1. */
	order: number;
	/** The names from the element to the object inside it: an object continues the path (docs/create.md). */
	names: readonly string[];
}

function readElement(element: Element, values: JsonRecord): void {
	for (const [name, value] of Object.entries(values)) {
		if (!isBlank(value)) readMember(element, name, value);
	}
}

function readMember(element: Element, name: string, value: unknown): void {
	const { reader, section, order, names } = element;
	const { form, draft } = reader;
	const key = [...names, name].join('/');
	const { columns, instance } = form.keysIn(section).find(key);
	const [question, another] = columns;
	if (another !== undefined) {
		draft.problems.push(ambiguousKey(key, columns));
	} else if (question !== undefined && isQuestion(question)) {
		if (instance === undefined) {
			reader.add({ question, order, given: value, key, inArray: true });
		} else {
			draft.problems.push({
				subject: `"${key}"`,
				wrong: `the place in the array of "${section.name}" says which instance is meant; use the name without ":${String(instance)}"`,
			});
		}
	} else if (isOtherSection(element, name, value)) {
		draft.problems.push(otherSection(element, name));
	} else if (isRecord(value)) {
		readInside(element, name, value);
	} else {
		draft.unknownKeys.push(`${section.name}/${key}`);
	}
}

/** An object continues the path: `{"Where": {"Floor": 2}}` is `Where/Floor`. */
function readInside(element: Element, name: string, values: JsonRecord): void {
	const names = [...element.names, name];
	if (names.length < MAX_LEVELS) {
		readElement({ ...element, names }, values);
		return;
	}
	element.reader.draft.problems.push({
		wrong: `"${name}" inside "${element.section.name}" is nested more than ${String(MAX_LEVELS)} levels deep; give the questions in the element of the array itself, each under its field ID`,
	});
}

/**
 * Whether a name in an element is another repeatable section, and no plain one with a question inside. Its answers would
 * be lost in silence, because the service numbers the instances of each section by itself.
 */
function isOtherSection({ reader, section, names }: Element, name: string, value: unknown) {
	const { form } = reader;
	if (form.sectionKeys.find(name).columns.length === 0) return false;
	const keys = form.keysIn(section);
	const isInside = (inner: string) =>
		keys.find([...names, name, inner].join('/')).columns.length > 0;
	return !(isRecord(value) && Object.keys(value).some(isInside));
}

function otherSection({ reader, section }: Element, name: string): Problem {
	const sections = reader.form.sectionKeys.find(name).columns.slice(0, SHOWN_COLUMNS);
	const [only = section] = sections;
	const names = sections.map((column) => `"${column.name}"`);
	return {
		wrong: `"${sections.length === 1 ? only.name : name}" inside "${section.name}" is a repeatable section of its own; give its instances under ${names.join(' or ')}`,
	};
}

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five'];

/** The problem that several questions or sections go by a key. A user can only rename the column. */
export function ambiguousKey(key: string, columns: readonly Column[]): Problem {
	const shown = columns.slice(0, SHOWN_COLUMNS);
	const paths = shown.map(({ path }) => path);
	const areEnough = new Set(paths).size === paths.length;
	const names = (areEnough ? paths : shown.map(({ name }) => name)).map((name) => `"${name}"`);
	const count = COUNTS[columns.length] ?? String(columns.length);
	const wrong = `${count} ${kindOf(shown)} are called "${key}". Rename the column to ${names.join(' or ')}`;
	return { wrong };
}

function kindOf(columns: readonly Column[]): string {
	if (columns.every(isQuestion)) return 'questions';
	return columns.some(isQuestion) ? 'questions or sections' : 'sections';
}

/**
 * An example of what a section's column takes, with the section's own labels: `[{"Name": "…", "Size": 1}]`. The path
 * replaces a label that is not unique in the example.
 */
export function sectionExample(inside: readonly Question[]): string {
	const named = inside.slice(0, EXAMPLE_QUESTIONS);
	const members = named.map((question) => {
		const isUnique = named.filter(({ label }) => label === question.label).length === 1;
		const key = isUnique ? question.label : question.path;
		return `${JSON.stringify(key)}: ${JSON.stringify(exampleAnswer(question))}`;
	});
	return `[{${members.join(', ')}}]`;
}

function exampleAnswer({ type, choices, showTime }: Question): string | number {
	if (type === 'number') return 1;
	if (type === 'date') return showTime ? '2026-05-31T14:30:00Z' : '2026-05-31';
	return choices[0] ?? '…';
}
