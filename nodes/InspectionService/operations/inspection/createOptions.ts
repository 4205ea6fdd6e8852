import type { IExecuteFunctions } from 'n8n-workflow';

import type { ReadingOptions } from '../../domain/answer/answer';
import { dateFormatProblem } from '../../domain/answer/dateFormat';
import { DECIMAL_SEPARATORS } from '../../domain/answer/numbers';
import { doubtfulWord, yesNoWords, type YesNoWords } from '../../domain/answer/yesNo';
import { InputError } from '../../domain/inputError';
import { type JsonRecord, textOf } from '../../domain/json';
import { choiceOf, membersOf, textsOf } from '../../fields/parameterValue';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from './createOptionFields';

/** Create's options as an item gives them. */
export function createOptions(context: IExecuteFunctions, item: number): JsonRecord {
	return membersOf(context.getNodeParameter('options', item, {}));
}

/** How many creates run at once. The first item decides for all. */
export function concurrencyOf(context: IExecuteFunctions): number {
	const wanted = Number(createOptions(context, 0).concurrency ?? DEFAULT_CONCURRENCY);
	if (!Number.isFinite(wanted)) return DEFAULT_CONCURRENCY;
	return Math.min(Math.max(Math.floor(wanted), 1), MAX_CONCURRENCY);
}

/** The column that rows are grouped by; undefined where each row is an inspection. The first item decides for all. */
export function groupColumnOf(context: IExecuteFunctions): string | undefined {
	return textOf(String(createOptions(context, 0).groupRowsBy ?? '').trim());
}

/** How an item's values are read. Throws InputError for options that cannot be meant, such as a format that reads no date. */
export type ReadingOptionsOf = (options: JsonRecord) => ReadingOptions;

/** Reads the options, and checks each date format only once, however many items have it. */
export function rememberReadingOptions(timeZone: string): ReadingOptionsOf {
	const formats = new Map<string, string | undefined>();
	return ({ dateFormat: givenFormat, decimalSeparator: separator, yesIs, noIs }) => {
		const dateFormat = textOf(String(givenFormat ?? '').trim());
		if (dateFormat !== undefined) {
			if (!formats.has(dateFormat)) formats.set(dateFormat, dateFormatProblem(dateFormat));
			const problem = formats.get(dateFormat);
			if (problem !== undefined) throw new InputError(`Date Format: "${dateFormat}" ${problem}.`);
		}
		const decimalSeparator = choiceOf('Decimal Separator', separator, DECIMAL_SEPARATORS);
		return { timeZone, dateFormat, decimalSeparator, words: wordsOf(yesIs, noIs) };
	};
}

function wordsOf(yesIs: unknown, noIs: unknown): YesNoWords | undefined {
	const words = yesNoWords(textsOf(yesIs), textsOf(noIs));
	const doubtful = words && doubtfulWord(words);
	if (doubtful === undefined) return words;
	throw new InputError(
		`Yes Is and No Is both have the word "${doubtful}". Take it out of one of them.`,
	);
}
