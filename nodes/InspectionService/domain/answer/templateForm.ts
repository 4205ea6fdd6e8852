import { answerKeysOf, instanceKeysOf } from './answerKeys';
import type { AnswerKeys, InstanceKeys } from './answerKeys';
import type { JsonRecord } from '../json';
import type { Question, RepeatableSection } from '../template/question';
import { questionsOf } from '../template/templateQuestions';

/** A template made ready for many items: what can be answered, and what keys mean in it. */
export interface TemplateForm {
	questions: readonly Question[];
	sections: readonly RepeatableSection[];
	/** Keys of an item. */
	keys: AnswerKeys;
	/** Keys of one instance of a section. */
	keysIn(section: RepeatableSection): InstanceKeys;
}

/** The form of a template that was fetched with its controls; worked out once, used for every item. */
export function templateForm(template: JsonRecord): TemplateForm {
	const all = questionsOf(template);
	const inside = new Map<RepeatableSection, InstanceKeys>();
	return {
		...all,
		keys: answerKeysOf(all),
		keysIn(section) {
			const known = inside.get(section) ?? instanceKeysOf(section, all.questions);
			inside.set(section, known);
			return known;
		},
	};
}
