import type { JsonRecord } from '../json';
import { nearestAmong } from '../nearestName';
import type { Question, RepeatableSection } from '../template/question';
import { questionsOf } from '../template/templateQuestions';
import { type AnswerKeys, answerKeysOf } from './answerKeys';
import { type InstanceKeys, instanceKeysOf } from './instanceKeys';

/** A template prepared for many items: what can be answered, and what keys mean in it. */
export interface TemplateForm {
	questions: readonly Question[];
	sections: readonly RepeatableSection[];
	/** Keys of an item. */
	keys: AnswerKeys;
	/** The keys of the repeatable sections alone. */
	sectionKeys: AnswerKeys;
	/** The questions of a repeatable section, those of plain sections in it included. */
	questionsIn(section: RepeatableSection): readonly Question[];
	/** Keys of one instance of a section. */
	keysIn(section: RepeatableSection): InstanceKeys;
	/**
	 * The name that a key most likely means where it matches none, such as "Weather" for "Wether" or `Severity:2` for
	 * "Severity 2". Undefined where no name is near, and for every further key after MAX_NEAREST of them.
	 */
	nearest(key: string): string | undefined;
}

/**
 * Keys whose nearest name a form looks up. Chosen: more than the columns of a sheet, which all its rows share. A look-up
 * compares the key with all names, and n8n does nothing else meanwhile: some 0.3 ms for a template of 300 questions.
 */
const MAX_NEAREST = 300;

/** The form of a template that was fetched with its controls; worked out once, used for every item. */
export function templateForm(template: JsonRecord): TemplateForm {
	const all = questionsOf(template);
	const bySection = questionsBySection(all.questions);
	const inside = new Map<RepeatableSection, InstanceKeys>();
	const names = [...all.questions, ...all.sections].flatMap(({ label, name }) => [label, name]);
	const nearestOf = nearestAmong(names);
	const nearest = new Map<string, string | undefined>();
	const keys = answerKeysOf(all);
	const questionsIn = (section: RepeatableSection) => bySection.get(section) ?? [];
	return {
		...all,
		questionsIn,
		keys,
		sectionKeys: answerKeysOf({ questions: [], sections: all.sections }),
		keysIn(section) {
			const known = inside.get(section) ?? instanceKeysOf(section.path, questionsIn(section));
			inside.set(section, known);
			return known;
		},
		nearest(key) {
			if (!nearest.has(key) && nearest.size < MAX_NEAREST) {
				nearest.set(key, instanceKey(keys, key) ?? nearestOf(nameIn(key)));
			}
			return nearest.get(key);
		},
	};
}

/**
 * A number after a name, as people count columns: "Severity 2", "Severity2", "Severity (2)". Chosen: longer names than
 * 200 characters and numbers above 999 are hardly ever columns.
 */
const COUNTED = /^(.{1,200}?)[ #(]{0,3}(\d{1,3})\)?$/s;

/**
 * The key that automatic mapping takes for a column that people have counted: `Severity:2` for "Severity 2". Undefined
 * where it is no question of a repeatable section.
 */
function instanceKey(keys: AnswerKeys, counted: string): string | undefined {
	const [, name = '', number = ''] = COUNTED.exec(counted) ?? [];
	const key = `${name}:${number}`;
	const match = keys.find(key);
	const isInstance = match.kind === 'found' && (match.target.question?.section ?? null) !== null;
	return isInstance && match.instance !== undefined ? key : undefined;
}

/**
 * The name of the question in a key, without sections before it and the number after it: `Size` in `Findings/Size:2`.
 */
function nameIn(key: string): string {
	return key.slice(key.lastIndexOf('/') + 1).replace(/:\d{1,4}$/, '');
}

function questionsBySection(questions: readonly Question[]): Map<RepeatableSection, Question[]> {
	const bySection = new Map<RepeatableSection, Question[]>();
	for (const question of questions) {
		if (question.section === null) continue;
		const known = bySection.get(question.section);
		if (known === undefined) bySection.set(question.section, [question]);
		else known.push(question);
	}
	return bySection;
}
