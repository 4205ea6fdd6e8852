/** Functions that build templates as the connector parses them. Most functions in `domain` take these. */
import type { JsonRecord } from '#connector/domain/json.ts';
import { type Form, formOf } from '#connector/domain/template/form.ts';
import { type Question, questionsOf } from '#connector/domain/template/questions.ts';
import { control, type ControlSpec, templateOf } from './generatedTemplate.mts';

/** Returns the parsed form of a template with these controls. */
export const formWith = (...specs: ControlSpec[]): Form => formOf(templateOf(specs));

/** Returns a parsed question of this type. */
export function questionOf(type: string, options: JsonRecord = {}): Question {
	const [question] = questionsOf(templateOf([control(type, 'Q', options)])).questions;
	if (question === undefined) throw new Error(`A control of type ${type} isn't a question`);
	return question;
}
