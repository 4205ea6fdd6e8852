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

/** A template, prepared for mapping many items: its questions, and functions that find questions by key. */
export interface Form extends TemplateQuestions {
	template: JsonRecord;
	keys: Keys;
	sectionKeys: Keys;
	/** Returns the column with an ID of n8n's mapper, such as the `field_id` of a question, or `section:<field_id>`. */
	columnOf(id: string): Column | undefined;
	positionOf(question: Question): number;
	/** Returns the questions of a repeatable section. Includes those of ordinary sections inside it. */
	questionsIn(section: RepeatableSection): readonly Question[];
	keysIn(section: RepeatableSection): Keys;
	/**
	 * Suggests a similar name for a key that matches no question, such as "Weather" for "Wether", or `Severity:2` for
	 * "Severity 2". Undefined if no name is similar, and for all keys after the first MAX_NEAREST.
	 */
	nearest(key: string): string | undefined;
}

/**
 * Maximum number of keys for which similar names are searched, because the search blocks n8n. All rows of a sheet have
 * the same keys, so this is enough.
 */
const MAX_NEAREST = 100;

export function formOf(template: JsonRecord): Form {
	const found = questionsOf(template);
	const { questions, sections } = found;
	const all = [...questions, ...sections];
	const keys = keysOf(all);
	const positions = new Map(questions.map((question, position) => [question, position]));
	const columns = new Map(all.map((column) => [column.columnId, column]));
	const bySection = groupBy(questions, ({ section }) => section);
	const questionsIn = (section: RepeatableSection) => bySection.get(section) ?? [];
	const inside = new Map<RepeatableSection, Keys>();
	const names = all.flatMap(({ label, name }) => [label, name]);
	const nearest = new Map<string, string | undefined>();
	return {
		...found,
		template,
		keys,
		sectionKeys: keysOf(sections),
		questionsIn,
		columnOf: (id) => columns.get(id),
		positionOf: (question) => positions.get(question) ?? 0,
		keysIn(section) {
			const known = inside.get(section) ?? keysOf(questionsIn(section), section);
			inside.set(section, known);
			return known;
		},
		nearest(key) {
			if (!nearest.has(key) && nearest.size < MAX_NEAREST) {
				// The name in `Findings/Size:2` is `Size`.
				const name = key.slice(key.lastIndexOf('/') + 1).replace(/:\d{1,4}$/, '');
				nearest.set(key, countedKey(keys, key) ?? nearestName(name, names));
			}
			return nearest.get(key);
		},
	};
}

/** Matches a number at the end of a name, as people number columns: "Severity 2", "Severity2", "Severity (2)". */
const COUNTED = /[ #(]{0,3}(\d{1,3})\)?$/;

/**
 * Returns the key with an instance number for a numbered column, such as `Severity:2` for "Severity 2". Undefined for
 * any other column.
 */
function countedKey(keys: Keys, given: string): string | undefined {
	const key = given.replace(COUNTED, ':$1');
	const { columns, instance } = keys.find(key);
	const [column, another] = columns;
	if (column === undefined || another !== undefined || instance === undefined) return undefined;
	return isQuestion(column) && column.section !== null ? key : undefined;
}
