import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ReadingOptions } from '../../domain/answer/answer';
import { checkedFormat } from '../../domain/answer/dateFormat';
import { DECIMAL_SEPARATORS } from '../../domain/answer/numbers';
import { doubtfulWord, yesNoWords, type YesNoWords } from '../../domain/answer/yesNo';
import { InputError } from '../../domain/inputError';
import type { JsonRecord } from '../../domain/json';
import { choiceOf, membersOf, nameOf, textsOf } from '../../fields/parameterValue';

/** The custom field that holds the key where the user names none (docs/exactly-once.md). */
export const DEFAULT_KEY_FIELD = 'Unique key';
/** How far back inspections are looked for where the user does not say, in days (docs/exactly-once.md). */
export const DEFAULT_KEY_DAYS = 90;

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
	return nameOf('Group Rows By', createOptions(context, 0).groupRowsBy);
}

/** What an empty cell in that column says. The first item decides for all. */
export function emptyGroupOf(context: IExecuteFunctions): 'error' | 'rowAbove' {
	const given = createOptions(context, 0).emptyGroup;
	return choiceOf('Empty Group Cells', given, ['error', 'rowAbove']) ?? 'error';
}

/** How an item's values are read. Throws InputError for options that cannot be meant, such as a format that reads no date. */
type ReadingOptionsOf = (options: JsonRecord) => ReadingOptions;

/** Reads the options, and checks each date format only once, however many items have it. */
export function rememberReadingOptions(timeZone: string): ReadingOptionsOf {
	const formats = new Map<string, ReturnType<typeof checkedFormat>>();
	return ({ dateFormat: givenFormat, decimalSeparator: separator, yesIs, noIs }) => {
		const written = nameOf('Date Format', givenFormat) ?? '';
		const checked = formats.get(written) ?? checkedFormat(written);
		formats.set(written, checked);
		if (written !== '' && checked.problem !== undefined) {
			throw new InputError(`Date Format: "${written}" ${checked.problem}.`);
		}
		const dateFormat = written === '' ? undefined : checked.format;
		const decimalSeparator = choiceOf('Decimal Separator', separator, DECIMAL_SEPARATORS);
		return { timeZone, dateFormat, decimalSeparator, words: wordsOf(yesIs, noIs) };
	};
}

function wordsOf(yesIs: unknown, noIs: unknown): YesNoWords | undefined {
	const words = yesNoWords(textsOf(yesIs), textsOf(noIs));
	const doubtful = words && doubtfulWord(words);
	if (doubtful === undefined) return words;
	throw new InputError(
		`Yes Words and No Words both have the word "${doubtful}". Take it out of one of them.`,
	);
}

/** As many as the transport sends at once (MAX_ACTIVE). A higher number would change nothing. */
const MAX_CONCURRENCY = 10;
const DEFAULT_CONCURRENCY = MAX_CONCURRENCY;

/** The options of Create; their names are saved in workflows. First the one that most sheets need. */
export function optionFields(): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			GROUP_ROWS_BY,
			EMPTY_GROUP,
			CHECK_ONLY,
			CONCURRENCY,
			DATE_FORMAT,
			DECIMAL_SEPARATOR,
			NO_IS,
			...UNIQUE_KEY,
			VALIDATE_RESPONSES,
			YES_IS,
		],
	};
}

const CHECK_ONLY: INodeProperties = {
	displayName: 'Check Only',
	name: 'checkOnly',
	type: 'boolean',
	default: false,
	description:
		'Whether to check all rows and send nothing. Each inspection is one item that says whether it is ok, what its problems are and what would be sent.',
};

const CONCURRENCY: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY, numberPrecision: 0 },
	default: DEFAULT_CONCURRENCY,
	description: 'How many inspections are created at the same time',
};

const DATE_FORMAT: INodeProperties = {
	displayName: 'Date Format',
	name: 'dateFormat',
	type: 'string',
	default: '',
	placeholder: 'e.g. dd.MM.yyyy',
	description:
		'How dates are written as text: dd for the day, MM for the month, yyyy for the year. A time after it, such as 14:30, is read too. Without it, only text that can be read in one way is taken for a date, such as 2026-05-31.',
};

const DECIMAL_SEPARATOR: INodeProperties = {
	displayName: 'Decimal Separator',
	name: 'decimalSeparator',
	type: 'options',
	options: [
		{ name: 'Comma (1.234,5)', value: 'comma' },
		{ name: 'Point (1,234.5)', value: 'point' },
	],
	default: 'point',
	description:
		'How numbers are written as text. Without it, a text with a comma or a thousands separator is no number, and 1.200 is refused, because it can be read in two ways.',
};

const GROUP_ROWS_BY: INodeProperties = {
	displayName: 'Group Rows By',
	name: 'groupRowsBy',
	type: 'string',
	requiresDataPath: 'single',
	default: '',
	placeholder: 'e.g. Inspection No',
	description:
		'Column that tells which rows belong together: rows with the same value make one inspection. Each row with an answer to a repeatable section is one instance of it.',
};

const EMPTY_GROUP: INodeProperties = {
	displayName: 'Empty Group Cells',
	name: 'emptyGroup',
	type: 'options',
	options: [
		{ name: 'Are an Error', value: 'error' },
		{ name: 'Belong to the Row Above', value: 'rowAbove' },
	],
	default: 'error',
	description:
		'What a row without a value in the column of Group Rows By is. Of merged cells only the first row has the value: the others belong to it.',
};

const NO_IS: INodeProperties = {
	displayName: 'No Words',
	name: 'noIs',
	type: 'string',
	default: '',
	placeholder: 'e.g. nein, FALSCH, false',
	description:
		'Words that mean no, with commas between them: the other choice of a question with two choices. See Yes Words.',
};

const VALIDATE_RESPONSES: INodeProperties = {
	displayName: 'Validate Responses',
	name: 'validateResponses',
	type: 'boolean',
	default: true,
	description:
		'Whether to check all answers before anything is sent. When off, answers that break a rule are sent as they are; the service drops them in silence.',
};

const YES_IS: INodeProperties = {
	displayName: 'Yes Words',
	name: 'yesIs',
	type: 'string',
	default: '',
	placeholder: 'e.g. x, ja, WAHR, true',
	description:
		'Words that mean yes, with commas between them. They are read for questions with two choices only, where the names of these say which one means yes: Ja and Nein, Compliant and Non-compliant.',
};

/** The options that make Create create an inspection only once. */
const UNIQUE_KEY: INodeProperties[] = [
	{
		displayName: 'Unique Key',
		name: 'uniqueKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json["Order No"] }}',
		description:
			'What only this inspection has, such as an order number. An inspection that has the key already is returned and not created again, so that a run can be repeated.',
	},
	{
		displayName: 'Unique Key Days',
		name: 'uniqueKeyDays',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: DEFAULT_KEY_DAYS,
		description:
			'How many days back to look for inspections that have the key already. 0 means all; the more there are, the longer it takes.',
	},
	{
		displayName: 'Unique Key Field',
		name: 'uniqueKeyField',
		type: 'string',
		default: DEFAULT_KEY_FIELD,
		description: 'Name of the custom field that keeps the key in the inspection',
	},
];
