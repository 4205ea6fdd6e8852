import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isoDays, namesDay, onlyDay, utcDateOf, utcEndOf } from '../domain/answer/dateAnswer';
import { shownValue } from '../domain/formatting';
import { InputError } from '../domain/inputError';
import type { JsonRecord } from '../domain/json';
import { isBlank } from '../domain/normalizeText';
import { timestampOf } from '../domain/timestamp';
import { chosenValues, locatorValue, membersOf, textsOf, wholeNumberOf } from './parameterValue';

/** A parameter declared in one place: how the editor shows it, and how its value is read. */
export interface Field<Value> {
	readonly property: Property;
	/** Parses a given value. Throws InputError for an invalid value. */
	read: (given: unknown, timeZone: string) => Value;
}

/** A field that is only shown: other code reads its value. */
export type Declared = Pick<Field<unknown>, 'property'>;
export type DeclaredFields = Readonly<Record<string, Declared>>;

/** Fields by name, in the order of the editor. Workflows save the names. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<All extends Fields> = {
	readonly [Name in keyof All]: ReturnType<All[Name]['read']>;
};

export type Property = Omit<INodeProperties, 'name'>;
export type Shown = Omit<Property, 'type' | 'default' | 'options'>;

export function propertiesOf(fields: DeclaredFields): INodeProperties[] {
	return Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));
}

export function fieldLabel(fields: DeclaredFields, name: string): string {
	return fields[name]?.property.displayName ?? name;
}

/**
 * Returns the values of all fields. `given` returns a field's value, or `preset` if the workflow has none. Throws
 * InputError for the first invalid value.
 */
export function valuesOf<All extends Fields>(
	fields: All,
	given: (name: string, preset: Property['default']) => unknown,
	zone: string,
): ValuesOf<All>;
export function valuesOf(
	fields: Fields,
	given: (name: string, preset: Property['default']) => unknown,
	zone: string,
): Record<string, unknown> {
	const values = Object.entries(fields).map(([name, { property, read }]): [string, unknown] => {
		return [name, read(given(name, property.default), zone)];
	});
	return Object.fromEntries(values);
}

export function parametersOf<All extends Fields>(
	context: IExecuteFunctions,
	item: number,
	fields: All,
): ValuesOf<All> {
	return valuesOf(
		fields,
		(name, preset) => context.getNodeParameter(name, item, preset),
		context.getTimezone(),
	);
}

export function field<Value>(property: Property, read: Field<Value>['read']): Field<Value> {
	return { property, read };
}

export function shownFor<Value>(
	{ property, read }: Field<Value>,
	displayOptions: Property['displayOptions'],
): Field<Value> {
	return field({ ...property, displayOptions }, read);
}

/** A field that requires a value. `messageIfMissing` is the error message if it has none. */
export function required<Value>(
	{ property, read }: Field<Value | undefined>,
	messageIfMissing: string,
): Field<Value> {
	return field({ ...property, required: true }, (given, timeZone) => {
		const value = read(given, timeZone);
		if (value !== undefined) return value;
		throw new InputError(messageIfMissing);
	});
}

/**
 * A boolean field, which also accepts words such as yes. Any other text is an error, so that it doesn't silently count
 * as false.
 */
export function toggle(shown: Shown & { default?: boolean }): Field<boolean> {
	const { displayName, default: preset = false } = shown;
	return field({ ...shown, type: 'boolean', default: preset }, (given) => {
		if (isBlank(given)) return preset;
		const word = typeof given === 'object' ? '' : String(given).trim().toLowerCase();
		if (['true', 'yes', '1'].includes(word)) return true;
		if (['false', 'no', '0'].includes(word)) return false;
		const compared =
			typeof given === 'string'
				? `, or compare the value in the expression: {{ … === ${shownValue(given)} }}`
				: '';
		throw new InputError(
			`${displayName}: ${shownValue(given)} is neither true nor false. Enter true or false${compared}.`,
		);
	});
}

/** A toggle of a collection that is on as soon as it's added. A collection without the field reads it as false. */
export function addedToggle(shown: Shown): Field<boolean> {
	const { property, read } = toggle({ ...shown, default: true });
	return field(property, (given, timeZone) => given !== undefined && read(given, timeZone));
}

/** Returns the options for values such as `in_progress`, with names such as In Progress. */
export function titled<Value extends string>(values: readonly Value[]) {
	const inTitle = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
	return values.map((value) => ({ name: value.split('_').map(inTitle).join(' '), value }));
}

type WithChoices<Value extends string> = Shown & {
	options: readonly (INodePropertyOptions & { value: Value })[];
};

/** A field for one of the choices. Returns the default if no value is given. */
export function choice<const Value extends string>(
	shown: WithChoices<Value> & { default: NoInfer<Value> },
): Field<Value> {
	const { read, property } = optionalChoice(shown);
	return { property, read: (given, timeZone) => read(given, timeZone) ?? shown.default };
}

/** Like `choice`, but returns undefined if no value is given, regardless of what the editor shows. */
export function optionalChoice<const Value extends string>(
	shown: WithChoices<Value> & { default: NoInfer<Value> },
): Field<Value | undefined> {
	const { displayName, options } = shown;
	const values = options.map(({ value }) => value);
	return field(
		{ ...shown, type: 'options', options: [...options] },
		(given) => chosenValues(displayName, given, values)[0],
	);
}

/**
 * A field for any number of choices. The editor starts with `preset`, but a missing value means that nothing is chosen.
 */
export function choices<const Value extends string>(
	shown: WithChoices<Value>,
	preset: readonly NoInfer<Value>[] = [],
): Field<Value[]> {
	const { displayName, options } = shown;
	const values = options.map(({ value }) => value);
	const shared = { ...shown, options: [...options], default: [...preset] };
	return field({ ...shared, type: 'multiOptions' }, (given) =>
		chosenValues(displayName, given, values),
	);
}

/** A whole number. Returns the default if no value is given. */
export function wholeNumber(
	shown: Shown & { default: number; min: number; max?: number },
): Field<number> {
	const { min, max, ...others } = shown;
	const typeOptions = { minValue: min, ...(max !== undefined && { maxValue: max }) };
	const property: Property = { ...others, type: 'number', typeOptions };
	return field(property, (given) =>
		wholeNumberOf(shown.displayName, given ?? shown.default, { min, max }),
	);
}

/**
 * A single line of text. Returns undefined if no value is given. Numbers, such as those from a sheet, are converted to
 * text.
 */
export function text(shown: Shown & { default?: string }): Field<string | undefined> {
	const { displayName, default: preset = '' } = shown;
	return field({ ...shown, type: 'string', default: preset }, (given) => {
		if (isBlank(given)) return undefined;
		if (typeof given !== 'object' && typeof given !== 'boolean') {
			return String(given).trim() || undefined;
		}
		throw new InputError(
			`${displayName}: ${shownValue(given)} isn't text. Enter text or a number.`,
		);
	});
}

export function texts(shown: Shown): Field<string[]> {
	return field({ ...shown, type: 'string', default: '' }, textsOf);
}

/** Matches the time zone at the end of ISO 8601 text. */
const ZONE = /(?:z|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * A date and time, returned as ISO 8601 in UTC. Returns undefined if no value is given. A value without a time zone is
 * in the workflow's zone.
 */
export function time(shown: Shown): Field<string | undefined> {
	return field({ ...shown, type: 'dateTime', default: '' }, (written, timeZone) => {
		if (isBlank(written)) return undefined;
		const given = onlyDay(written) ?? written;
		// A Date keeps three fractional digits, but the service's timestamps may have seven.
		const isExact = typeof given === 'string' && ZONE.test(given.trim());
		const exact = isExact ? timestampOf(given) : undefined;
		const moment = exact ?? utcDateOf(given, { timeZone, showTime: true });
		if (moment !== undefined) return moment;
		const days = isoDays(given);
		const problem =
			days.length > 1
				? `could mean two different dates. Pick a date, or write ${days.join(' or ')}`
				: 'is not a date. Pick a date, or write 2026-11-01';
		throw new InputError(`${shown.displayName}: ${shownValue(given)} ${problem}.`);
	});
}

/** Like `time`, for an upper bound: a day without a time includes the whole day. */
export function endTime(shown: Shown): Field<string | undefined> {
	const { property, read } = time(shown);
	return {
		property,
		read(given, timeZone) {
			const day = onlyDay(given) ?? given;
			const end = namesDay(day) ? utcEndOf(day, { timeZone }) : undefined;
			return end ?? read(given, timeZone);
		},
	};
}

/**
 * Returns a collection's value for a field. Throws InputError if the field's expression returns undefined, such as for
 * a misspelled variable. Otherwise Check Only would silently be off, and a filter would match everything.
 */
export function memberOf(fields: Fields, given: JsonRecord, name: string): unknown {
	if (!(name in given) || locatorValue(given[name]) !== undefined) return given[name];
	throw new InputError(
		`${fieldLabel(fields, name)}: the expression returned no value. Fix the expression, or remove the field. To leave the field empty, return null.`,
	);
}

/**
 * A collection of fields, shown in the alphabetical order of their labels. Fields that the user didn't add are read as
 * having no value.
 */
export function collection<All extends Fields>(shown: Shown, fields: All): Field<ValuesOf<All>> {
	const options = propertiesOf(fields).sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
	return field({ ...shown, type: 'collection', default: {}, options }, (given, timeZone) => {
		const members = membersOf(given);
		return valuesOf(fields, (name) => memberOf(fields, members, name), timeZone);
	});
}

export function optionsCollection<All extends Fields>(fields: All): Field<ValuesOf<All>> {
	return collection({ displayName: 'Options', placeholder: 'Add Option' }, fields);
}
