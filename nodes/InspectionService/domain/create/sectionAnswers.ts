import { listText, shownValue } from '../formatting';
import { isRecord, type JsonRecord, parseJson } from '../json';
import { nameAndMeant } from '../nearestName';
import { isBlank } from '../normalizeText';
import type { Problem } from '../problem';
import {
	type Column,
	isQuestion,
	type Question,
	type RepeatableSection,
} from '../template/questions';
import { readGiven, type ReadRow } from './sheetRow';

/** Maximum nesting of objects. Forms have a handful of levels. */
const MAX_LEVELS = 20;
/** Maximum questions in an example, and columns in a message. */
const [EXAMPLE_QUESTIONS, SHOWN_COLUMNS] = [3, 6];

/** Reads the array of a section. A single object is one instance. Text is parsed as JSON. */
export function readSection(reading: ReadRow, section: RepeatableSection, given: unknown): void {
	const { form, draft } = reading;
	const { answers, problems, unknownKeys } = draft;
	const refuse = (problem: Problem) => {
		const example = sectionExample(form.questionsIn(section));
		const fix = `enter an array with one object per instance, such as ${example}`;
		problems.push({
			subject: `"${section.name}"`,
			...problem,
			message: `${problem.message}; ${fix}`,
		});
		draft.unread.add(section);
	};
	const value = typeof given === 'string' ? (parseJson(given) ?? given) : given;
	const elements: unknown[] = Array.isArray(value) ? value : [value];
	const odd = elements.find((element) => !isBlank(element) && !isRecord(element));
	if (odd !== undefined) {
		refuse({ value: shownValue(odd), message: "isn't an instance of the section" });
		return;
	}
	const [before, firstKey] = [answers.length + problems.length, unknownKeys.length];
	for (const [index, element] of elements.entries()) {
		if (isRecord(element)) readElement({ reading, section, order: index + 1, names: [] }, element);
	}
	const hasFound = answers.length + problems.length > before;
	if (hasFound || unknownKeys.length === firstKey) return;
	// Reject this, because the inspection would be created without its instances.
	const keys = [...new Set(unknownKeys.splice(firstKey))];
	const named = keys.slice(0, SHOWN_COLUMNS).map((key) => nameAndMeant(key, form.nearest(key)));
	refuse({ message: `no question in the section is named ${listText(named, keys.length)}` });
}

/** An element of a section's array, or an object nested in it. `names` is the object's path within the element. */
interface Element {
	reading: ReadRow;
	section: RepeatableSection;
	order: number;
	names: readonly string[];
}

function readElement(element: Element, values: JsonRecord): void {
	for (const [name, value] of Object.entries(values)) {
		if (!isBlank(value)) readMember(element, name, value);
	}
}

function readMember(element: Element, name: string, value: unknown): void {
	const { reading, section, order } = element;
	const { problems, unknownKeys } = reading.draft;
	const names = [...element.names, name];
	const key = names.join('/');
	const { columns, instance } = reading.form.keysIn(section).find(key);
	const [question, another] = columns;
	if (another !== undefined) {
		problems.push(ambiguousKey(key, columns));
	} else if (question !== undefined && isQuestion(question)) {
		if (instance === undefined) {
			readGiven(reading, { question, order, given: value, key, inArray: true });
		} else {
			const message = `the position in the array of "${section.name}" already defines the instance; use the name without ":${String(instance)}"`;
			problems.push({ subject: `"${key}"`, message });
		}
	} else if (isOtherSection(element, name, value)) {
		const others = shownNames(reading.form.sectionKeys.find(name).columns);
		const message = `"${name}" inside "${section.name}" is a separate repeatable section; enter its instances under ${others}`;
		problems.push({ message });
	} else if (!isRecord(value)) {
		unknownKeys.push(`${section.name}/${key}`);
	} else if (names.length < MAX_LEVELS) {
		readElement({ ...element, names }, value);
	} else {
		const message = `"${name}" inside "${section.name}" is nested more than ${String(MAX_LEVELS)} levels deep; enter the questions directly in the array's element, each under its field ID`;
		problems.push({ message });
	}
}

/** Whether a name in an element is another repeatable section, not a plain section that contains a question. */
function isOtherSection({ reading, section, names }: Element, name: string, value: unknown) {
	if (reading.form.sectionKeys.find(name).columns.length === 0) return false;
	const keys = reading.form.keysIn(section);
	const isInside = (inner: string) =>
		keys.find([...names, name, inner].join('/')).columns.length > 0;
	return !(isRecord(value) && Object.keys(value).some(isInside));
}

/** The problem that a key matches several questions or sections. */
export function ambiguousKey(key: string, columns: readonly Column[]): Problem {
	const isQuestions = columns.slice(0, SHOWN_COLUMNS).every(isQuestion);
	const kind = isQuestions ? 'questions' : 'questions or sections';
	const message = `${String(columns.length)} ${kind} are named "${key}". Rename the column to ${shownNames(columns)}`;
	return { message };
}

function shownNames(columns: readonly Column[]): string {
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
