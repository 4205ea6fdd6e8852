/** Templates as the connector reads them, which most rules of the domain take. */
import type { JsonRecord } from '#connector/domain/json.ts';
import { type Form, formOf } from '#connector/domain/template/form.ts';
import { type Question, questionsOf } from '#connector/domain/template/questions.ts';
import { control, type ControlSpec, templateOf } from './generatedTemplate.mts';

/** The form of a template with these controls. */
export const formWith = (...specs: ControlSpec[]): Form => formOf(templateOf(specs));

/** A question as a template defines it. */
export function questionOf(type: string, options: JsonRecord = {}): Question {
	const [question] = questionsOf(templateOf([control(type, 'Q', options)])).questions;
	if (question === undefined) throw new Error(`${type} is no question`);
	return question;
}
