import fc from 'fast-check';

import { hasThousandsOrDecimals } from '#connector/domain/answer/numbers.ts';
import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { isBlank } from '#connector/domain/normalizeText.ts';
import { choiceJoiner } from '#connector/domain/row/cell.ts';
import type { Form } from '#connector/domain/template/form.ts';
import type { Question } from '#connector/domain/template/questions.ts';

/** An answer to give: to a question, in an instance of its section. */
export interface Planned {
	question: Question;
	order: number;
	value: JsonValue;
}

/** A value for a question whose choices the template doesn't list. */
const anyChoice = fc.oneof(
	fc.constantFrom('Smith, John', 'a;b', '"quoted"', '[1]', ' outer ', 'two\nlines'),
	fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !isBlank(text)),
);

/** An answer that is valid for the type, in the service's stored form. */
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
 * A valid set of answers: all required questions, and sections with one to three instances. No instance is empty,
 * because each answers the section's first question.
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

/** Returns sorted texts of the answers, for comparing two sets of answers. Also sorts the choices. */
export const sorted = (answers: readonly Planned[]) =>
	answers
		.map(({ question, order, value }) => {
			const set = Array.isArray(value) ? [...value].sort() : value;
			return JSON.stringify([question.fieldId, order, set]);
		})
		.sort();

/** Values as a spreadsheet has them: several choices in one text, numbers as text. */
export function asCell({ question, value }: Planned): JsonValue {
	if (Array.isArray(value)) return choiceJoiner(question.choices)(value.map(String));
	return typeof value === 'number' ? numberAsText(value) : value;
}

/** A number as text that needs no option to read, or the number itself if its text is ambiguous (`1.125`). */
export function numberAsText(value: number): JsonValue {
	return hasThousandsOrDecimals(String(value)) ? value : String(value);
}

/** Every instance as one object in its section's array, keyed by field ID. */
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
