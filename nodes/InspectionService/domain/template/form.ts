import { groupBy } from '../groupBy';
import type { JsonRecord } from '../json';
import { nearestName } from '../nearestName';
import { type Keys, keysOf } from './keys';
import {
	type Column,
	isQuestion,
	type Question,
	questionsOf,
	type RepeatableSection,
} from './questions';

/** A template prepared for many items: what can be answered, and what keys mean in it. */
export interface Form {
	questions: readonly Question[];
	sections: readonly RepeatableSection[];
	/** Keys of an item. */
	keys: Keys;
	/** The keys of the repeatable sections alone. */
	sectionKeys: Keys;
	/** The column of n8n's mapper with this id, such as a question's `field_id`, or `section:<field_id>`. */
	columnOf(id: string): Column | undefined;
	/** Where a question stands in the template, from 0. */
	placeOf(question: Question): number;
	/** The questions of a repeatable section, those of plain sections in it included. */
	questionsIn(section: RepeatableSection): readonly Question[];
	/** Keys of one instance of a section. */
	keysIn(section: RepeatableSection): Keys;
	/**
	 * The name that a key most likely means where it matches none, such as "Weather" for "Wether" or `Severity:2` for
	 * "Severity 2". Undefined where no name is near, and for every further key after MAX_NEAREST of them.
	 */
	nearest(key: string): string | undefined;
}

/**
 * Keys whose nearest name a form looks up: more than a sheet has unknown columns. A look-up compares the key with all
 * names, and n8n does nothing else meanwhile: some 1 ms for a template of 300 questions.
 */
const MAX_NEAREST = 100;

/** The form of a template that was fetched with its controls; worked out once, used for every item. */
export function formOf(template: JsonRecord): Form {
	const { questions, sections } = questionsOf(template);
	const keys = keysOf([...questions, ...sections]);
	const places = new Map(questions.map((question, place) => [question, place]));
	const columns = new Map<string, Column>();
	for (const column of [...questions, ...sections]) columns.set(column.columnId, column);
	const bySection = groupBy(questions, ({ section }) => section);
	const questionsIn = (section: RepeatableSection) => bySection.get(section) ?? [];
	const inside = new Map<RepeatableSection, Keys>();
	return {
		questions,
		sections,
		keys,
		sectionKeys: keysOf(sections),
		columnOf: (id) => columns.get(id),
		placeOf: (question) => places.get(question) ?? 0,
		questionsIn,
		keysIn(section) {
			const known = inside.get(section) ?? keysOf(questionsIn(section), section);
			inside.set(section, known);
			return known;
		},
		nearest: nearestIn(keys, [...questions, ...sections]),
	};
}

function nearestIn(keys: Keys, columns: readonly Column[]): Form['nearest'] {
	const names = columns.flatMap(({ label, name }) => [label, name]);
	const nearest = new Map<string, string | undefined>();
	return (key) => {
		if (!nearest.has(key) && nearest.size < MAX_NEAREST) {
			nearest.set(key, instanceKey(keys, key) ?? nearestName(nameIn(key), names));
		}
		return nearest.get(key);
	};
}

/**
 * A number after a name, as people count columns: "Severity 2", "Severity2", "Severity (2)". Longer names than
 * 200 characters and numbers above 999 are hardly ever columns.
 */
const COUNTED = /^(.{1,200}?)[ #(]{0,3}(\d{1,3})\)?$/s;

/**
 * The key that automatic mapping takes for a column that people have counted: `Severity:2` for "Severity 2". Undefined
 * where it is no question of a repeatable section.
 */
function instanceKey(keys: Keys, counted: string): string | undefined {
	if (!COUNTED.test(counted)) return undefined;
	const key = counted.replace(COUNTED, '$1:$2');
	const { columns, instance } = keys.find(key);
	const [column, another] = columns;
	if (column === undefined || another !== undefined || instance === undefined) return undefined;
	return isQuestion(column) && column.section !== null ? key : undefined;
}

/**
 * The name of the question in a key, without sections before it and the number after it: `Size` in `Findings/Size:2`.
 */
function nameIn(key: string): string {
	return key.slice(key.lastIndexOf('/') + 1).replace(/:\d{1,4}$/, '');
}
