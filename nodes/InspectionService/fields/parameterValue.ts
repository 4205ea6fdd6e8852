import type { IExecuteFunctions } from 'n8n-workflow';

import { shownValue } from '../domain/formatting';
import { InputError } from '../domain/inputError';
import { isRecord, type JsonRecord } from '../domain/json';

// Reads parameter values from the editor or an expression. Throws InputErrors with the field's label.

export function membersOf(given: unknown): JsonRecord {
	return isRecord(given) ? given : {};
}

/** Returns a locator's value. Anything else, such as an expression's text, is returned unchanged. */
export function locatorValue(given: unknown): unknown {
	return isRecord(given) && ('value' in given || 'mode' in given) ? given.value : given;
}

export function rawParameter(context: IExecuteFunctions, name: string): unknown {
	return context.getNodeParameter(name, 0, '', { rawExpressions: true });
}

/** Returns a parameter's expression without its leading `=`, or undefined if it has none. */
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

/** Returns the chosen values from an array or comma-separated text. Not case-sensitive. */
export function chosenValues<Choice extends string>(
	label: string,
	given: unknown,
	choices: readonly Choice[],
): Choice[] {
	return textsOf(given).map((text) => {
		const wanted = text.toLowerCase();
		const choice = choices.find((candidate) => candidate.toLowerCase() === wanted);
		if (choice !== undefined) return choice;
		throw new InputError(
			`${label}: ${shownValue(text)} is not one of these: ${choices.join(', ')}.`,
		);
	});
}

/** Returns the elements of an array or of comma-separated text. Trims each element, and leaves out empty elements. */
export function textsOf(given: unknown): string[] {
	if (given === undefined || given === null) return [];
	const parts: unknown[] = Array.isArray(given) ? given : textOfPart(given).split(',');
	return parts.map((part) => textOfPart(part).trim()).filter((part) => part !== '');
}

function textOfPart(part: unknown): string {
	return typeof part === 'object' ? shownValue(part) : String(part);
}
