import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { isRecord, type JsonRecord } from '../domain/json';
import { shownValue } from '../domain/shownText';

// What stands in a node's parameter, from the editor or from an expression. Errors are InputErrors with the field's label.

export function membersOf(given: unknown): JsonRecord {
	return isRecord(given) ? given : {};
}

/** What is no locator, such as the text of an expression, is the value itself. */
export function locatorValue(given: unknown): unknown {
	return isRecord(given) ? given.value : given;
}

export function rawParameter(context: IExecuteFunctions, name: string): unknown {
	return context.getNodeParameter(name, 0, {}, { rawExpressions: true });
}

/** The expression in a parameter, without the `=` that marks it; undefined where there is none. */
export function expressionOf(raw: unknown): string | undefined {
	return typeof raw === 'string' && raw.startsWith('=') ? raw.slice(1).trim() : undefined;
}

export function expressionsIn(raw: unknown): string[] {
	const expression = expressionOf(raw);
	if (expression !== undefined) return [expression];
	return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(expressionsIn) : [];
}

export function wholeNumberOf(
	label: string,
	given: unknown,
	{ min, max = Infinity }: { min: number; max?: number },
): number {
	const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) {
		return number;
	}
	const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
	throw new InputError(`${label}: ${shownValue(given)} is not a whole number ${range}.`);
}

/** The chosen values, from an array or from text with commas, in any case of letters. */
export function chosenValues<Choice extends string>(
	label: string,
	given: unknown,
	choices: readonly Choice[],
): Choice[] {
	return textsOf(given).map((text) => {
		const wanted = text.toLowerCase();
		const choice = choices.find((candidate) => candidate.toLowerCase() === wanted);
		if (choice !== undefined) return choice;
		throw new InputError(`${label}: ${shownValue(text)} is none of ${choices.join(', ')}.`);
	});
}

/** The elements of an array, or the parts of a text between commas, without outer blanks and without empty parts. */
export function textsOf(given: unknown): string[] {
	if (given === undefined || given === null) return [];
	const parts: unknown[] = Array.isArray(given) ? given : textOfPart(given).split(',');
	return parts.map((part) => textOfPart(part).trim()).filter((part) => part !== '');
}

function textOfPart(part: unknown): string {
	return typeof part === 'object' ? shownValue(part) : String(part);
}
