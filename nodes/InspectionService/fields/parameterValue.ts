import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../domain/json';

// Reads parameters as workflows save them, which can be expressions.

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
