import type { IExecuteFunctions } from 'n8n-workflow';

import { readChoices } from '../../../domain/answer/choices';
import { repaired } from '../../../domain/encoding';
import { shownValue } from '../../../domain/formatting';
import { InputError } from '../../../domain/inputError';
import type { JsonRecord } from '../../../domain/json';
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

/** Default number of days to look back for existing inspections (docs/exactly-once.md). */
const DEFAULT_KEY_DAYS = 90;
/** The options of Create, by the names that workflows save. */
export const OPTIONS = {
	allowMissing: toggle({
		displayName: 'Allow Missing Answers',
		description:
			'Whether required questions can stay empty, for example if people answer them later, on site',
	}),
	checkOnly: toggle({
		displayName: 'Check Only',
		description:
			'Whether to only check the rows and send nothing. The output has one item per inspection, with its problems.',
	}),
	dateFormat: text({
		displayName: 'Date Format',
		placeholder: 'e.g. dd.MM.yyyy',
		description:
			'Format of dates that are text: dd for the day, MM for the month, yyyy for the year. A time after the date, such as 14:30, is also read. Without this option, only unambiguous text such as 2026-05-31 is read as a date.',
	}),
	decimalSeparator: optionalChoice({
		displayName: 'Decimal Separator',
		options: [
			{ name: 'Comma (1.234,5)', value: 'comma' },
			{ name: 'Point (1,234.5)', value: 'point' },
		],
		default: 'comma',
		description:
			'How decimals are written in numbers that are text. Without this option, text with a comma or a thousands separator is rejected. So is 1.200, because it could mean 1200 or 1.2.',
	}),
	fillDown: field(
		{
			displayName: 'Fill Empty Cells From Above',
			type: 'string',
			requiresDataPath: 'multiple',
			default: '',
			placeholder: 'e.g. Inspection No, Site',
			description:
				"Column names, separated by commas. Empty cells in these columns get the value of the row above. Use this for merged cells, because only their first row has the value. Blank rows aren't filled. Expressions still read the original cells.",
		},
		(given) => {
			const { choices: columns } = readChoices(given, []);
			if (columns !== undefined) return columns;
			throw new InputError(
				`Fill Empty Cells From Above: ${shownValue(given)} isn't a list of columns. Enter column names, separated by commas.`,
			);
		},
	),
	groupRowsBy: text({
		displayName: 'Group Rows By',
		requiresDataPath: 'single',
		placeholder: 'e.g. Inspection No',
		description:
			'Column whose value identifies an inspection: rows with the same value become one inspection. Each row with an answer to a repeatable section becomes one instance of that section.',
	}),
	uniqueKeyDays: wholeNumber({
		displayName: 'Unique Key Days',
		min: 0,
		default: DEFAULT_KEY_DAYS,
		description:
			'How many days back to look for inspections with the same key. 0 means all inspections, which can take a long time.',
	}),
	noIs: texts({
		displayName: 'Words for No',
		placeholder: 'e.g. nein, FALSCH, false',
		description:
			'Comma-separated words that mean no, for questions with two choices such as Ja and Nein, or Compliant and Non-compliant',
	}),
	yesIs: texts({
		displayName: 'Words for Yes',
		placeholder: 'e.g. x, ja, WAHR, true',
		description:
			'Comma-separated words that mean yes, for questions with two choices such as Ja and Nein, or Compliant and Non-compliant',
	}),
};

type OptionValues = ValuesOf<typeof OPTIONS>;
type OptionName = keyof OptionValues;
/** `OPTIONS`, typed so that TypeScript knows the type of each option's value. */
const FIELDS: { readonly [Name in OptionName]: Field<OptionValues[Name]> } = OPTIONS;

/**
 * Throws InputError if the option Unique Key Days is set, but the field Unique Key is empty. Each run would then create
 * all inspections again.
 */
export function checkKeyOptions(context: IExecuteFunctions): void {
	const { uniqueKeyDays } = membersOf(rawParameter(context, 'options'));
	if (uniqueKeyDays !== undefined && !hasUniqueKey(context)) {
		throw new InputError(
			`The option "${fieldLabel(OPTIONS, 'uniqueKeyDays')}" has no effect while "Unique Key" is empty. Fill in the field "Unique Key", or remove the option.`,
		);
	}
}

/**
 * Returns the column of the option Group Rows By, or undefined if the option isn't set. Throws InputError if the option
 * would have no effect.
 */
export function groupColumnOf(context: IExecuteFunctions): string | undefined {
	const groupRowsBy = optionOf(context, 0, 'groupRowsBy');
	if (groupRowsBy !== undefined && context.getNode().executeOnce === true) {
		throw new InputError(
			'"Execute Once", under Settings, passes only the first row to this node, but "Group Rows By" needs all rows. Turn off "Execute Once".',
		);
	}
	const isGiven = membersOf(rawParameter(context, 'options')).groupRowsBy !== undefined;
	if (groupRowsBy !== undefined || !isGiven) return groupRowsBy;
	throw new InputError(
		'The option "Group Rows By" is empty. Enter the name of a column, or remove the option.',
	);
}

/**
 * Returns an object with an item's value of one option, or an empty object if the option isn't set. Doesn't evaluate
 * the expressions of other options, so that an error in another option has no effect here.
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
 * values, because the value of one row would otherwise silently apply to all rows.
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
