import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isoDays, namesDay, onlyDay, utcDateOf, utcEndOf } from '../domain/answer/dateAnswer';
import { shownValue } from '../domain/formatting';
import { InputError } from '../domain/inputError';
import type { JsonRecord } from '../domain/json';
import { isBlank } from '../domain/normalizeText';
import { timestampOf } from '../domain/timestamp';
import { locatorValue, membersOf } from './parameterValue';

/** A parameter declared in one place: how the editor shows it, and how its value is read. */
export interface Field<Value> {
	readonly property: Property;
	/** Parses a given value. Throws InputError for an invalid value. */
	read: (given: unknown, timeZone: string) => Value;
}

/** A field that is only shown: other code reads its value. */
export type Declared = Pick<Field<unknown>, 'property'>;
type DeclaredFields = Readonly<Record<string, Declared>>;

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
	options: (INodePropertyOptions & { value: Value })[];
};

/** Returns a function that reads the chosen values, which can be written in upper or lower case. */
function readerOf<Value extends string>({ displayName, options }: WithChoices<Value>) {
	const values = options.map(({ value }) => value);
	return (given: unknown): Value[] =>
		textsOf(given).map((text) => {
			const wanted = text.toLowerCase();
			const value = values.find((candidate) => candidate.toLowerCase() === wanted);
			if (value !== undefined) return value;
			throw new InputError(
				`${displayName}: ${shownValue(text)} is not one of these: ${values.join(', ')}.`,
			);
		});
}

/** A field for one of the choices. Returns the default if no value is given. */
export function choice<const Value extends string>(
	shown: WithChoices<Value> & { default: NoInfer<Value> },
): Field<Value> {
	const read = readerOf(shown);
	return field({ ...shown, type: 'options' }, (given) => read(given)[0] ?? shown.default);
}

/** Like `choice`, but returns undefined if no value is given, regardless of what the editor shows. */
export function optionalChoice<const Value extends string>(
	shown: WithChoices<Value> & { default: NoInfer<Value> },
): Field<Value | undefined> {
	const read = readerOf(shown);
	return field({ ...shown, type: 'options' }, (given) => read(given)[0]);
}

/**
 * A field for any number of choices. The editor starts with `preset`, but a missing value means that nothing is chosen.
 */
export function choices<const Value extends string>(
	shown: WithChoices<Value>,
	preset: readonly NoInfer<Value>[] = [],
): Field<Value[]> {
	return field({ ...shown, type: 'multiOptions', default: [...preset] }, readerOf(shown));
}

/** A whole number. Returns the default if no value is given. With `rejectsNull`, null is an error instead. */
export function wholeNumber(
	shown: Shown & { default: number; min: number; max?: number; rejectsNull?: boolean },
): Field<number> {
	const { min, max = Infinity, rejectsNull = false, ...others } = shown;
	const typeOptions = { minValue: min, ...(max < Infinity && { maxValue: max }) };
	const range = max < Infinity ? `from ${min} to ${max}` : `of ${min} or more`;
	return field({ ...others, type: 'number', typeOptions }, (value) => {
		const given = rejectsNull ? value : (value ?? shown.default);
		const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
		const isNumber = typeof number === 'number' && Number.isInteger(number);
		if (isNumber && number >= min && number <= max) return number;
		throw new InputError(
			`${shown.displayName}: ${shownValue(given)} is not a whole number ${range}.`,
		);
	});
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

/** Returns the elements of an array or of comma-separated text. Trims each element, and leaves out empty elements. */
export function textsOf(given: unknown): string[] {
	if (given === undefined || given === null) return [];
	const parts: unknown[] = Array.isArray(given) ? given : textOfPart(given).split(',');
	return parts.map((part) => textOfPart(part).trim()).filter((part) => part !== '');
}

function textOfPart(part: unknown): string {
	return typeof part === 'object' ? shownValue(part) : String(part);
}

/** Matches the time zone at the end of ISO 8601 text. */
const ZONE = /(?:z|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * A date and time, returned as ISO 8601 in UTC. Returns undefined if no value is given. A value without a time zone is
 * in the workflow's zone. With `isEnd`, a day without a time includes the whole day.
 */
export function time(shown: Shown & { isEnd?: boolean }): Field<string | undefined> {
	const { isEnd = false, ...others } = shown;
	return field({ ...others, type: 'dateTime', default: '' }, (written, timeZone) => {
		if (isBlank(written)) return undefined;
		const given = onlyDay(written) ?? written;
		const end = isEnd && namesDay(given) ? utcEndOf(given, { timeZone }) : undefined;
		// A Date keeps three fractional digits, but the service's timestamps may have seven.
		const isExact = typeof given === 'string' && ZONE.test(given.trim());
		const exact = isExact ? timestampOf(given) : undefined;
		const moment = end ?? exact ?? utcDateOf(given, { timeZone, showTime: true });
		if (moment !== undefined) return moment;
		const days = isoDays(given);
		if (days.length > 1) {
			throw new InputError(
				`${shown.displayName}: ${shownValue(given)} could mean two different dates. Pick a date, or write ${days.join(' or ')}.`,
			);
		}
		throw new InputError(
			`${shown.displayName}: ${shownValue(given)} is not a date. Pick a date, or write 2026-11-01.`,
		);
	});
}

/**
 * Returns a collection's value for a field. Throws InputError if the field's expression returns undefined, such as for
 * a misspelled variable. Otherwise Check Only would silently be off, and a filter would match everything.
 */
function memberOf(fields: Fields, given: JsonRecord, name: string): unknown {
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
