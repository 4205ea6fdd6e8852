import fc from 'fast-check';

import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { isBlank } from '#connector/domain/normalizeText.ts';
import { choiceJoiner } from '#connector/domain/row/cell.ts';
import type { Form } from '#connector/domain/template/form.ts';
import type { Question } from '#connector/domain/template/questions.ts';

/** The answer to a question in one instance of its section. */
export interface Planned {
	question: Question;
	order: number;
	value: JsonValue;
}

/** An answer to a question whose choices the template doesn't list. */
const anyChoice = fc.oneof(
	fc.constantFrom('Smith, John', 'a;b', '"quoted"', '[1]', ' outer ', 'two\nlines'),
	fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !isBlank(text)),
);

/** Returns a random valid answer to a question of this type, in the form in which the service stores it. */
function legalAnswer(type: string, listed: readonly string[]): fc.Arbitrary<JsonValue> {
	const isOpen = listed.length === 0;
	const choice = isOpen ? anyChoice : fc.constantFrom(...listed);
	const several = isOpen
		? fc.uniqueArray(anyChoice, { minLength: 1, maxLength: 3 })
		: fc.subarray([...listed], { minLength: 1 });
	switch (type) {
		case 'number':
			return fc.oneof(
				fc.integer(),
				fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
			);
		case 'date':
			return fc
				.date({ min: new Date('1000-01-02'), max: new Date('9998-12-31'), noInvalidDate: true })
				.map((date) => date.toISOString());
		case 'radio':
			return choice;
		case 'checkbox':
			return several;
		case 'dropdown':
			return several.map((picked) => (picked.length === 1 ? (picked[0] ?? '') : picked));
		default:
			return fc.string({ minLength: 1 }).filter((text) => !isBlank(text));
	}
}

/**
 * Returns a random valid set of answers. It answers all required questions. Each section has one to three instances,
 * and none of these is empty, because each answers the section's first question.
 */
export function legalAnswers({ questions, sections }: Form): fc.Arbitrary<Planned[]> {
	const counts = fc.tuple(...sections.map(() => fc.integer({ min: 1, max: 3 })));
	return counts.chain((instances) => {
		const planned = questions.flatMap((question) => {
			const { section, required, type, choices } = question;
			const isFirst = questions.find((other) => other.section === section) === question;
			const isNeeded = required || (section !== null && isFirst);
			const count = section ? (instances[sections.indexOf(section)] ?? 1) : 1;
			return Array.from({ length: count }, (_, index) => {
				const at = { question, order: index + 1 };
				const answer = legalAnswer(type, choices).map((value) => [{ ...at, value }]);
				return isNeeded ? answer : fc.oneof(fc.constant([]), answer);
			});
		});
		return fc.tuple(...planned).map((lists) => lists.flat());
	});
}

/**
 * Returns the answers as sorted strings, so that two sets of answers can be compared. Sorts the choices of an answer as
 * well.
 */
export const sorted = (answers: readonly Planned[]) =>
	answers
		.map(({ question, order, value }) => {
			const set = Array.isArray(value) ? [...value].sort() : value;
			return JSON.stringify([question.fieldId, order, set]);
		})
		.sort();

/** Returns an answer as people write it in a cell: several choices as one text, and numbers as text. */
export function asCell({ question, value }: Planned): JsonValue {
	if (Array.isArray(value)) return choiceJoiner(question.choices)(value.map(String));
	return typeof value === 'number' ? numberAsText(value) : value;
}

/** Returns a number as text. If the text could also mean a different number (`1.125`), returns the number itself. */
export function numberAsText(value: number): JsonValue {
	return /^-?[1-9]\d{0,2}\.\d{3}$/.test(String(value)) ? value : String(value);
}

/** Returns answers by field ID. A section is an array that has one object per instance. */
export function asColumns(planned: readonly Planned[]): JsonRecord {
	const columns: JsonRecord = {};
	const sections: Record<string, JsonRecord[]> = {};
	for (const { question, order, value } of planned) {
		const id = question.section?.columnId;
		const target = id === undefined ? columns : ((sections[id] ??= [])[order - 1] ??= {});
		target[question.fieldId] = value;
	}
	return { ...columns, ...sections };
}
