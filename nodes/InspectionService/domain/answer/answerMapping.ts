import { isEmpty, shownValue } from './answer';
import { sectionColumnId } from './answerKeys';
import type { KeyTarget } from './answerKeys';
import { isRecord, parseJson } from '../json';
import type { JsonRecord } from '../json';
import type { Question, RepeatableSection } from '../template/question';
import { isRowKey } from '../rowKeys';
import type { TemplateForm } from './templateForm';

/** A value given for a question: not yet read, never empty. */
export interface GivenAnswer {
	question: Question;
	/** Instance of the question's section, 1 for the first; elements of an array count from 1 too. */
	order: number;
	value: unknown;
	/** The key or column it came by, for messages. */
	key: string;
	/** True for an element of a section's array: instances without any answer do not count there. */
	fromArray: boolean;
}

/** What the values of an item mean. Problems are complete sentences. */
export interface AnswerMapping {
	answers: GivenAnswer[];
	problems: string[];
	/** Keys with a value that no question goes by. */
	unknownKeys: string[];
}

/**
 * The answers in an item whose keys are taken for questions (auto-map). The row's own keys are never taken, keys
 * that nothing goes by are listed in `unknownKeys`; an ambiguous label is a problem that names all its paths.
 */
export function mapItem(
	form: TemplateForm,
	item: Readonly<Record<string, unknown>>,
): AnswerMapping {
	const mapping = emptyMapping();
	for (const [key, value] of Object.entries(item)) {
		if (!isEmpty(value) && !isRowKey(key)) mapKey(form, mapping, key, value);
	}
	return mapping;
}

/**
 * The answers in the mapper's own columns: ids are `field_id`s and `section:<field_id>`s. A column that the
 * template no longer has is a problem, named by what `labels` knows of it.
 */
export function mapColumns(
	form: TemplateForm,
	columns: Readonly<Record<string, unknown>>,
	labels: ReadonlyMap<string, string>,
): AnswerMapping {
	const questions = new Map<string, Question>(form.questions.map((q) => [q.fieldId, q]));
	const sections = new Map(form.sections.map((section) => [sectionColumnId(section), section]));
	const mapping = emptyMapping();
	for (const [id, value] of Object.entries(columns)) {
		if (isEmpty(value)) continue;
		const question = questions.get(id);
		const section = sections.get(id);
		if (section) mapSection(form, mapping, section, value);
		else if (question) {
			mapping.answers.push({ question, order: 1, value, key: id, fromArray: false });
		} else {
			const label = labels.get(id) ?? id;
			mapping.problems.push(
				`"${label}": ${shownValue(value)} cannot be sent, because the template has no such question any more; refresh the column list of the node`,
			);
		}
	}
	return mapping;
}

function emptyMapping(): AnswerMapping {
	return { answers: [], problems: [], unknownKeys: [] };
}

function mapKey(form: TemplateForm, mapping: AnswerMapping, key: string, value: unknown): void {
	const match = form.keys.find(key);
	if (match.kind === 'none') {
		mapping.unknownKeys.push(key);
		return;
	}
	if (match.kind === 'ambiguous') {
		mapping.problems.push(ambiguousKey(key, match.targets));
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

function ambiguousKey(key: string, targets: readonly KeyTarget[]): string {
	const columns = targets.map(({ question, section }) => question ?? section);
	const paths = columns.map(({ path }) => path);
	const areEnough = new Set(paths).size === paths.length;
	const names = areEnough ? paths : columns.map(({ path, fieldId }) => `${path} (${fieldId})`);
	const cure = areEnough ? 'the path of the one meant' : 'the field ID of the one meant';
	return `"${key}" is the label of ${names.map((name) => `"${name}"`).join(' and ')}; use ${cure} as the key`;
}

/** The answers in a section's array; one object alone is one instance, text is read as JSON. */
function mapSection(
	form: TemplateForm,
	mapping: AnswerMapping,
	section: RepeatableSection,
	given: unknown,
): void {
	const value = typeof given === 'string' ? (parseJson(given) ?? given) : given;
	const instances: unknown[] = Array.isArray(value) ? value : [value];
	instances.forEach((instance, index) => {
		if (isEmpty(instance)) return;
		if (isRecord(instance)) {
			mapInstance({ form, mapping, section, order: index + 1 }, instance, '');
			return;
		}
		mapping.problems.push(
			`"${section.name}": ${shownValue(instance)} is no instance of the section; give an array with one object per instance, such as [{"Question": "answer"}]`,
		);
	});
}

/** One element of a section's array. */
interface Instance {
	form: TemplateForm;
	mapping: AnswerMapping;
	section: RepeatableSection;
	order: number;
}

/** Objects inside an instance are plain sections inside the repeatable one: their keys are parts of a path. */
function mapInstance(instance: Instance, values: JsonRecord, prefix: string): void {
	for (const [name, value] of Object.entries(values)) {
		if (!isEmpty(value)) mapInstanceKey(instance, `${prefix}${name}`, value);
	}
}

function mapInstanceKey(instance: Instance, key: string, value: unknown): void {
	const { form, mapping, section, order } = instance;
	const match = form.keysIn(section).find(key);
	if (match.kind === 'ambiguous') {
		mapping.problems.push(ambiguousKey(key, match.targets));
	} else if (match.kind === 'found' && match.target.question) {
		const { question } = match.target;
		if (match.instance === undefined) {
			mapping.answers.push({ question, order, value, key, fromArray: true });
		} else {
			mapping.problems.push(
				`"${key}": the place in the array of "${section.name}" says which instance is meant; use the key without ":${String(match.instance)}"`,
			);
		}
	} else if (isRecord(value)) {
		mapInstance(instance, value, `${key}/`);
	} else {
		mapUnknownInstanceKey(instance, key, value);
	}
}

/** A list under the name of another section would be lost in silence: the service numbers each section by itself. */
function mapUnknownInstanceKey({ form, mapping, section }: Instance, key: string, value: unknown) {
	const match = form.keys.find(key);
	const inner = match.kind === 'found' ? match.target.section : undefined;
	if (inner && Array.isArray(value)) {
		mapping.problems.push(
			`"${inner.name}" inside "${section.name}" is a repeatable section of its own; give its instances under "${sectionColumnId(inner)}"`,
		);
	} else {
		mapping.unknownKeys.push(`${section.name}/${key}`);
	}
}
