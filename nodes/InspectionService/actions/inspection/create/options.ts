import type { IExecuteFunctions } from 'n8n-workflow';

import { readChoices } from '../../../domain/answer/choices';
import { repaired } from '../../../domain/encoding';
import { shownValue } from '../../../domain/formatting';
import { InputError } from '../../../domain/inputError';
import type { JsonRecord } from '../../../domain/json';
import { MAX_ACTIVE } from '../../../domain/mapConcurrently';
import type { RowNumbers } from '../../../domain/rowNumbers';
import {
	type Field,
	field,
	fieldLabel,
	memberOf,
	optionalChoice,
	text,
	texts,
	toggle,
	type ValuesOf,
	wholeNumber,
} from '../../../fields/field';
import { expressionOf, membersOf, rawParameter } from '../../../fields/parameterValue';
import { hasUniqueKey } from './uniqueKeyField';

/** Default name of the custom field that stores the key (docs/exactly-once.md). */
export const DEFAULT_KEY_FIELD = 'Unique key';
/** Default number of days to look back for existing inspections (docs/exactly-once.md). */
const DEFAULT_KEY_DAYS = 90;
/** The options of Create by their saved names. Common options come first, rarely changed ones last. */
export const OPTIONS = {
	groupRowsBy: text({
		displayName: 'Group Rows By',
		requiresDataPath: 'single',
		placeholder: 'e.g. Inspection No',
		description:
			'Column whose value identifies an inspection: rows with the same value become one inspection. Each row with an answer to a repeatable section becomes one instance of it.',
	}),
	fillDown: field(
		{
			displayName: 'Fill Empty Cells From Above',
			type: 'string',
			requiresDataPath: 'multiple',
			default: '',
			placeholder: 'e.g. Inspection No, Site',
			description:
				"Columns whose empty cells get the value of the row above, separated by commas. Use it for merged cells: only their first row has the value. Blank rows aren't filled. Expressions still read the sheet's own cells.",
		},
		(given) => {
			const { choices: columns } = readChoices(given, []);
			if (columns !== undefined) return columns;
			throw new InputError(
				`Fill Empty Cells From Above: ${shownValue(given)} isn't a list of columns. Enter column names, separated by commas.`,
			);
		},
	),
	checkOnly: toggle({
		displayName: 'Check Only',
		description:
			'Whether to check all rows and send nothing. Each inspection becomes one item with its problems.',
	}),
	dateFormat: text({
		displayName: 'Date Format',
		placeholder: 'e.g. dd.MM.yyyy',
		description:
			'How dates are written as text: dd for the day, MM for the month, yyyy for the year. A time after the date, such as 14:30, is read too. Without this option, only unambiguous text such as 2026-05-31 is read as a date.',
	}),
	decimalSeparator: optionalChoice({
		displayName: 'Decimal Separator',
		options: [
			{ name: 'Comma (1.234,5)', value: 'comma' },
			{ name: 'Point (1,234.5)', value: 'point' },
		],
		default: 'comma',
		description:
			'How numbers are written as text. Without this option, text with a comma or a thousands separator is rejected, and so is 1.200, because it could be two numbers.',
	}),
	yesIs: texts({
		displayName: 'Words for Yes',
		placeholder: 'e.g. x, ja, WAHR, true',
		description:
			'Comma-separated words that mean yes, for questions with two choices such as Ja and Nein, or Compliant and Non-compliant',
	}),
	noIs: texts({
		displayName: 'Words for No',
		placeholder: 'e.g. nein, FALSCH, false',
		description:
			'Comma-separated words that mean no, for questions with two choices such as Ja and Nein, or Compliant and Non-compliant',
	}),
	concurrency: wholeNumber({
		displayName: 'Concurrency',
		min: 1,
		max: MAX_ACTIVE,
		default: MAX_ACTIVE,
		description: 'How many inspections to create at the same time',
	}),
	uniqueKeyDays: wholeNumber({
		displayName: 'Unique Key Days',
		min: 0,
		default: DEFAULT_KEY_DAYS,
		description:
			'How many days back to look for inspections with the same key. 0 means all inspections, which can take a long time.',
	}),
	uniqueKeyField: text({
		displayName: 'Unique Key Field',
		default: DEFAULT_KEY_FIELD,
		description: "Name of the inspection's custom field that stores the key",
	}),
	validateResponses: toggle({
		displayName: 'Validate Responses',
		default: true,
		description:
			'Whether to check all answers before anything is sent. When off, answers that break a rule are sent unchanged. The service drops them without an error.',
	}),
};

type OptionValues = ValuesOf<typeof OPTIONS>;
type OptionName = keyof OptionValues;
/** `OPTIONS` with a type from which the type of a value follows. */
const FIELDS: { readonly [Name in OptionName]: Field<OptionValues[Name]> } = OPTIONS;

/**
 * Throws InputError for an option without effect: with only Unique Key Field set, each run would create all inspections
 * again.
 */
export function checkKeyOptions(context: IExecuteFunctions): void {
	const given = membersOf(rawParameter(context, 'options'));
	const ofKey = ['uniqueKeyField', 'uniqueKeyDays'].find((name) => given[name] !== undefined);
	if (ofKey !== undefined && !hasUniqueKey(context)) {
		throw new InputError(
			`The option ${fieldLabel(OPTIONS, ofKey)} has no effect without a Unique Key. Fill in Unique Key, or remove the option.`,
		);
	}
}

/** Returns the column of Group Rows By, or undefined without the option. Throws InputError if it would be ignored. */
export function groupColumnOf(context: IExecuteFunctions): string | undefined {
	const groupRowsBy = optionOf(context, 0, 'groupRowsBy');
	if (groupRowsBy !== undefined && context.getNode().executeOnce === true) {
		throw new InputError(
			'Execute Once, under Settings, passes only the first row to this node, but Group Rows By needs all rows. Turn Execute Once off.',
		);
	}
	const isGiven = membersOf(rawParameter(context, 'options')).groupRowsBy !== undefined;
	if (groupRowsBy !== undefined || !isGiven) return groupRowsBy;
	throw new InputError('Group Rows By is empty. Enter the name of a column, or remove the option.');
}

/**
 * Returns an item's value for an option, under the option's name. Empty if the option isn't set. Doesn't evaluate the
 * expressions of other options: an unreadable cell in the key of row 1 doesn't affect Group Rows By.
 */
function givenOption(context: IExecuteFunctions, item: number, name: string): JsonRecord {
	if (!(name in membersOf(rawParameter(context, 'options')))) return {};
	return repaired(membersOf({ [name]: context.getNodeParameter(`options.${name}`, item) }));
}

/** Returns an item's value of an option. Throws InputError only if this option is invalid. */
export function optionOf<Name extends OptionName>(
	context: IExecuteFunctions,
	item: number,
	name: Name,
): OptionValues[Name] {
	const given = memberOf(OPTIONS, givenOption(context, item, name), name);
	return FIELDS[name].read(given, context.getTimezone());
}

/**
 * Returns an option that applies to the whole execution, such as Check Only. Throws InputError if rows have different
 * values, so that no row silently decides for the rest.
 */
export function optionOfAll<Name extends OptionName>(
	{ context, numbers }: { context: IExecuteFunctions; numbers: RowNumbers },
	[first = 0, ...others]: readonly number[],
	name: Name,
): OptionValues[Name] {
	const valueOf = (item: number) => optionOf(context, item, name);
	const value = valueOf(first);
	const raw = membersOf(rawParameter(context, 'options'))[name];
	const compared = expressionOf(raw) === undefined ? [] : others;
	const other = compared.find((item) => valueOf(item) !== value);
	if (other === undefined) return value;
	const describe = (item: number) =>
		`row ${String(numbers.of(item))} has ${shownValue(valueOf(item))}`;
	const message = `${describe(first)} and ${describe(other)}; the option applies to the whole execution, so use the same value in all rows`;
	throw InputError.of({ subject: fieldLabel(OPTIONS, name), message });
}
