import type { TemplateQuestions } from '../domain/template/questions';

/**
 * Maximum number of questions that the mapper shows at first. With 100 questions, each keystroke takes a tenth of a
 * second. With 1,000, n8n (2.41) doesn't open the mapper.
 */
export const SHOWN_QUESTIONS = 50;

/**
 * Name of the property that contains the form's traits, in the mapper's first column. n8n saves the property with the
 * workflow.
 */
export const TRAITS = 'traits';

/** Features of a form that the notices below the mapper explain. */
export type FormTrait = 'severalChoices' | 'sections' | 'manyQuestions';

export function traitsOf({ questions }: TemplateQuestions): FormTrait[] {
	const takesSeveral = questions.some(({ type }) => type === 'checkbox' || type === 'dropdown');
	const traits: FormTrait[] = takesSeveral ? ['severalChoices'] : [];
	if (questions.some(({ section }) => section !== null)) traits.push('sections');
	if (questions.length > SHOWN_QUESTIONS) traits.push('manyQuestions');
	return traits;
}

export const NO_QUESTIONS =
	'This template has no questions that can be answered here. Add questions to it and publish it, then refresh this list. You can still create an inspection without answers.';
