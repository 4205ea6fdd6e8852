import type { INodeProperties } from 'n8n-workflow';

import { optionsCollection } from '../../fields/collection';
import { uniqueKeyFields } from './uniqueKeyFields';

/** Creates that run at once, unless the user says otherwise. Chosen: as many as MAX_CONCURRENCY. */
export const DEFAULT_CONCURRENCY = 10;
/** As many as the transport sends at once (MAX_ACTIVE). A higher number would change nothing. */
export const MAX_CONCURRENCY = 10;

/** The options of Create. */
export function optionFields(): INodeProperties {
	return optionsCollection([
		CHECK_ONLY,
		CONCURRENCY,
		DATE_FORMAT,
		DECIMAL_SEPARATOR,
		GROUP_ROWS_BY,
		NO_IS,
		...uniqueKeyFields(),
		VALIDATE_RESPONSES,
		YES_IS,
	]);
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

const NO_IS: INodeProperties = {
	displayName: 'No Is',
	name: 'noIs',
	type: 'string',
	default: '',
	placeholder: 'e.g. nein, FALSCH, false',
	description:
		'Words that mean no, with commas between them: the other choice of a question with two choices. See Yes Is.',
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
	displayName: 'Yes Is',
	name: 'yesIs',
	type: 'string',
	default: '',
	placeholder: 'e.g. x, ja, WAHR, true',
	description:
		'Words that mean yes, with commas between them. They are read for questions with two choices only, and mean the choice called Yes, Ja, Oui, Sí, OK, Pass or True, else the first one.',
};
