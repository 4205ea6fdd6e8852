import { withoutByteOrderMark } from '../columnName';
import { isRecord, type JsonRecord, parseJson } from '../json';
import { isAddedByN8n, isRowKey } from '../rowKeys';
import type { Question, QuestionGroup, RepeatableSection } from '../template/question';
import { isEmpty, shownValue } from './answer';
import { columnOf, type KeyMatch, type KeyTarget } from './answerKeys';
import type { InstanceKeys } from './instanceKeys';
import type { Meaning } from './keyIndex';
import { sectionExample } from './sectionExample';
import type { TemplateForm } from './templateForm';

/** A value given for a question: not yet read, never empty. */
export interface GivenAnswer {
	question: Question;
	/** Instance of the question's section, 1 for the first; elements of an array count from 1 too. */
	order: number;
	value: unknown;
	/** The key or column that gave the value, for messages. */
	key: string;
	/** True for a value from a section's array, where instances without any answer do not count. */
	fromArray: boolean;
	/** The row that gave the value, from 1; undefined where one row makes the inspection. */
	row?: number;
}

/** What the values of an item mean. Problems are sentences without their full stop. */
export interface AnswerMapping {
	answers: GivenAnswer[];
	problems: string[];
	/** Keys that have a value and match nothing in the template. */
	unknownKeys: string[];
	/** Keys that have a value and are the row's own, such as `name`. They are never taken for a question. */
	ownKeys: string[];
	/** Sections whose value could not be read. Their required questions are not reported as well. */
	unreadSections: Set<RepeatableSection>;
}

/**
 * The answers of an item by automatic mapping: each key is taken for the question or section that it names, except the
 * row's own keys. Keys that match nothing go to `unknownKeys`. An ambiguous label is a problem that names its paths.
 */
export function mapItem(
	form: TemplateForm,
	item: Readonly<Record<string, unknown>>,
): AnswerMapping {
	const mapping = emptyMapping();
	for (const [given, value] of Object.entries(item)) {
		const key = withoutByteOrderMark(given);
		if (isEmpty(value)) continue;
		if (isRowKey(key)) mapping.ownKeys.push(key);
		else mapKey(form, mapping, key, value);
	}
	return mapping;
}

/**
 * The answers in the columns of n8n's resource mapper. A column's id is a `field_id`, or `section:<field_id>`. The columns
 * that the template does not have are one problem: they are called by their labels in `labels`, and `cure` says what to
 * do.
 */
export function mapColumns(
	form: TemplateForm,
	columns: Readonly<Record<string, unknown>>,
	labels: ReadonlyMap<string, string>,
	cure = 'take it out under Answers or, where another template was chosen, use ⋮ → Refresh Question List there',
): AnswerMapping {
	const questions = new Map<string, Question>(form.questions.map((q) => [q.fieldId, q]));
	const sections = new Map(form.sections.map((section) => [section.columnId, section]));
	const mapping = emptyMapping();
	const gone: string[] = [];
	for (const [id, value] of Object.entries(columns)) {
		if (isEmpty(value)) continue;
		const question = questions.get(id);
		const section = sections.get(id);
		if (section) mapSection(form, mapping, section, value);
		else if (question) {
			mapping.answers.push({ question, order: 1, value, key: id, fromArray: false });
		} else {
			gone.push(`"${labels.get(id) ?? id}": ${shownValue(value)}`);
		}
	}
	if (gone.length > 0) {
		mapping.problems.push(
			`${gone.join(', ')} cannot be sent, because the template has no such question; ${cure}`,
		);
	}
	return mapping;
}

function emptyMapping(): AnswerMapping {
	return { answers: [], problems: [], unknownKeys: [], ownKeys: [], unreadSections: new Set() };
}

function mapKey(form: TemplateForm, mapping: AnswerMapping, key: string, value: unknown): void {
	const match = form.keys.find(key);
	if (match.kind === 'none') {
		if (!isAddedByN8n(key)) mapping.unknownKeys.push(key);
		return;
	}
	if (match.kind === 'ambiguous') {
		mapping.problems.push(ambiguousKey(key, match));
		return;
	}
	const { target, instance } = match;
	if (target.question) {
		const { question } = target;
		mapping.answers.push({ question, order: instance ?? 1, value, key, fromArray: false });
	} else if (instance === undefined) {
		mapSection(form, mapping, target.section, value);
	} else {
		mapping.problems.push(
			`"${key}": "${target.section.name}" is a section and takes all its instances at once, without ":${String(instance)}"`,
		);
	}
}

/** A question, a repeatable section or a plain one; a plain one has no name that is unique in the template. */
type Named = Pick<QuestionGroup, 'path' | 'fieldId'> & { name?: string };

/** Levels of objects inside each other that are read as plain sections. Chosen: forms have a handful of levels. */
const MAX_GROUP_LEVELS = 20;

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five'];

function kindOf(targets: readonly KeyTarget[]): string {
	if (targets.every(({ question }) => question !== undefined)) return 'questions';
	return targets.every(({ section }) => section !== undefined)
		? 'sections'
		: 'questions or sections';
}

function ambiguousKey(key: string, { count, targets }: Meaning<KeyTarget>): string {
	return sameNames(key, { count, targets: targets.map(columnOf) }, kindOf(targets));
}

/** The problem that several questions or sections have the column's name. A user can only rename the column. */
function sameNames(key: string, { count, targets }: Meaning<Named>, kind: string): string {
	const paths = targets.map(({ path }) => path);
	const areEnough = new Set(paths).size === paths.length;
	const names = areEnough ? paths : targets.map(({ name, fieldId }) => name ?? fieldId);
	const shown = names.map((name) => `"${name}"`).join(' or ');
	return `${COUNTS[count] ?? String(count)} ${kind} are called "${key}". Rename the column to ${shown}`;
}

/** Maps the answers in a section's array. One object alone is one instance. Text is read as JSON. */
function mapSection(
	form: TemplateForm,
	mapping: AnswerMapping,
	section: RepeatableSection,
	given: unknown,
): void {
	const value = typeof given === 'string' ? (parseJson(given) ?? given) : given;
	const instances: unknown[] = Array.isArray(value) ? value : [value];
	const unread = instances.find((instance) => !isEmpty(instance) && !isRecord(instance));
	if (unread !== undefined) {
		const inside = form.questionsIn(section);
		mapping.unreadSections.add(section);
		mapping.problems.push(
			`"${section.name}": ${shownValue(unread)} is no instance of the section; give an array with one object per instance, such as ${sectionExample(inside)}`,
		);
		return;
	}
	instances.forEach((instance, index) => {
		if (!isRecord(instance)) return;
		const keys = form.keysIn(section);
		const trail = section.name;
		mapInstance({ form, mapping, section, order: index + 1, keys, trail, level: 1 }, instance);
	});
}

/** One element of a section's array, or an object in it that stands for a plain section. */
interface Instance {
	form: TemplateForm;
	mapping: AnswerMapping;
	section: RepeatableSection;
	order: number;
	keys: InstanceKeys;
	/** The names from the array to this object, with slashes between them, for messages. */
	trail: string;
	/** 1 for the element itself, 2 for an object in it, and so on. */
	level: number;
}

function mapInstance(instance: Instance, values: JsonRecord): void {
	for (const [key, value] of Object.entries(values)) {
		if (!isEmpty(value)) mapInstanceKey(instance, key, value);
	}
}

function mapInstanceKey(instance: Instance, key: string, value: unknown): void {
	const { keys, mapping, section, order } = instance;
	const match = keys.find(key);
	if (match.kind === 'ambiguous') {
		mapping.problems.push(ambiguousKey(key, match));
	} else if (match.kind === 'found' && match.target.question) {
		const { question } = match.target;
		if (match.instance === undefined) {
			mapping.answers.push({ question, order, value, key, fromArray: true });
		} else {
			mapping.problems.push(
				`"${key}": the place in the array of "${section.name}" says which instance is meant; use the name without ":${String(match.instance)}"`,
			);
		}
	} else if (isRecord(value)) {
		mapGroup(instance, key, value);
	} else {
		mapUnknownInstanceKey(instance, key);
	}
}

function mapGroup(instance: Instance, key: string, values: JsonRecord): void {
	const { keys, mapping, trail, level } = instance;
	const groups = keys.groupsBy(key);
	const [group] = groups.targets;
	if (group === undefined) {
		mapUnknownInstanceKey(instance, key);
	} else if (groups.count > 1) {
		mapping.problems.push(sameNames(key, groups, 'sections'));
	} else if (level >= MAX_GROUP_LEVELS) {
		mapping.problems.push(
			`"${key}" inside "${instance.section.name}" is nested more than ${String(MAX_GROUP_LEVELS)} levels deep; give the questions in the element of the array itself, each under its field ID`,
		);
	} else {
		const inner = { keys: keys.inside(group), trail: `${trail}/${key}`, level: level + 1 };
		mapInstance({ ...instance, ...inner }, values);
	}
}

/**
 * Reports a key that is no question of the section. Answers under the name of another repeatable section are a problem:
 * they would be lost in silence, because the service numbers the instances of each section by itself.
 */
function mapUnknownInstanceKey({ form, mapping, section, trail }: Instance, key: string): void {
	const sections = sectionsOf(form.sectionKeys.find(key));
	const [inner] = sections;
	if (inner !== undefined) {
		const names = sections.map(({ name }) => `"${name}"`);
		mapping.problems.push(
			`"${sections.length === 1 ? inner.name : key}" inside "${section.name}" is a repeatable section of its own; give its instances under ${names.join(' or ')}`,
		);
	} else {
		mapping.unknownKeys.push(`${trail}/${key}`);
	}
}

function sectionsOf(match: KeyMatch): RepeatableSection[] {
	if (match.kind === 'none') return [];
	const targets = match.kind === 'found' ? [match.target] : match.targets;
	return targets.flatMap(({ section }) => (section === undefined ? [] : [section]));
}
