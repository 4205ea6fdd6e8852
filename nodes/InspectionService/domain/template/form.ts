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
	type TemplateQuestions,
} from './questions';

/** A template prepared for many items: what can be answered, and what keys mean in it. */
export interface Form extends TemplateQuestions {
	template: JsonRecord;
	keys: Keys;
	sectionKeys: Keys;
	/** The column of n8n's mapper with this id, such as a question's `field_id`, or `section:<field_id>`. */
	columnOf(id: string): Column | undefined;
	placeOf(question: Question): number;
	/** The questions of a repeatable section, those of plain sections in it included. */
	questionsIn(section: RepeatableSection): readonly Question[];
	keysIn(section: RepeatableSection): Keys;
	/**
	 * The name that a key most likely means where it matches none, such as "Weather" for "Wether" or `Severity:2` for
	 * "Severity 2". Undefined where no name is near, and for every further key after MAX_NEAREST of them.
	 */
	nearest(key: string): string | undefined;
}

/** Keys whose nearest name a form looks up: n8n does nothing else meanwhile, and all rows of a sheet share them. */
const MAX_NEAREST = 100;

export function formOf(template: JsonRecord): Form {
	const { questions, sections, unfillable } = questionsOf(template);
	const all = [...questions, ...sections];
	const keys = keysOf(all);
	const places = new Map(questions.map((question, place) => [question, place]));
	const columns = new Map(all.map((column) => [column.columnId, column]));
	const bySection = groupBy(questions, ({ section }) => section);
	const questionsIn = (section: RepeatableSection) => bySection.get(section) ?? [];
	const inside = new Map<RepeatableSection, Keys>();
	const names = all.flatMap(({ label, name }) => [label, name]);
	const nearest = new Map<string, string | undefined>();
	return {
		template,
		questions,
		sections,
		unfillable,
		keys,
		sectionKeys: keysOf(sections),
		questionsIn,
		columnOf: (id) => columns.get(id),
		placeOf: (question) => places.get(question) ?? 0,
		keysIn(section) {
			const known = inside.get(section) ?? keysOf(questionsIn(section), section);
			inside.set(section, known);
			return known;
		},
		nearest(key) {
			if (!nearest.has(key) && nearest.size < MAX_NEAREST) {
				// The name of the question in `Findings/Size:2` is `Size`.
				const name = key.slice(key.lastIndexOf('/') + 1).replace(/:\d{1,4}$/, '');
				nearest.set(key, countedKey(keys, key) ?? nearestName(name, names));
			}
			return nearest.get(key);
		},
	};
}

/** A number after a name, as people count columns: "Severity 2", "Severity2", "Severity (2)". */
const COUNTED = /[ #(]{0,3}(\d{1,3})\)?$/;

/** The key for a column that people have counted: `Severity:2` for "Severity 2"; undefined for any other column. */
function countedKey(keys: Keys, given: string): string | undefined {
	const key = given.replace(COUNTED, ':$1');
	const { columns, instance } = keys.find(key);
	const [column, another] = columns;
	if (column === undefined || another !== undefined || instance === undefined) return undefined;
	return isQuestion(column) && column.section !== null ? key : undefined;
}
