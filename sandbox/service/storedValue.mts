import type { Control } from './model.mts';
import type { SandboxSettings } from './settings.mts';

/** For each value of a setting, a function that converts a sent answer to the stored value. */
type Forms<Name extends keyof SandboxSettings & `stored${string}`> = Record<
	SandboxSettings[Name],
	(value: unknown, control: Control) => unknown
>;

const CHOICE_TYPES = ['checkbox', 'dropdown'];
const TEXT_TYPES = ['text', 'checkIn/location'];

const asSent = (value: unknown) => value;

/** The first group matches the seconds. The second group matches the point and up to three digits after it. */
const FRACTION = /(:\d{2})(\.\d{1,3})\d*/;

const NUMBERS: Forms<'storedNumbers'> = {
	asSent,
	text: (value) => String(value).trim(),
	float32: (value) => Math.fround(Number(value)),
};

const DATES: Forms<'storedDates'> = {
	asSent,
	ms: (value) => String(value).replace(FRACTION, '$1$2'),
	s: (value) => String(value).replace(FRACTION, '$1'),
	utc: (value) => new Date(Date.parse(String(value))).toISOString().replace('Z', '0000Z'),
};

const CHOICES: Forms<'storedChoices'> = {
	asSent,
	array: (value, { type }) => (type === 'dropdown' && typeof value === 'string' ? [value] : value),
	reordered: (value, { options: { choices = [] } }) =>
		Array.isArray(value)
			? value.toSorted((a, b) => choices.indexOf(b) - choices.indexOf(a))
			: value,
	joined: (value) => (Array.isArray(value) ? value.join(', ') : value),
};

/** Returns text as the service stores it, which depends on the settings. */
export function storedText(text: string, settings: SandboxSettings): string {
	const lines = settings.storedLineBreaks === 'lf' ? text.replaceAll('\r\n', '\n') : text;
	return settings.storedTexts === 'trimmed' ? lines.trim() : lines;
}

/** Returns an answer's value as the service stores it, which depends on the settings. */
export function storedValue(value: unknown, control: Control, settings: SandboxSettings): unknown {
	const { type } = control;
	if (type === 'number') return NUMBERS[settings.storedNumbers](value, control);
	if (type === 'date') return DATES[settings.storedDates](value, control);
	if (CHOICE_TYPES.includes(type)) return CHOICES[settings.storedChoices](value, control);
	return TEXT_TYPES.includes(type) ? storedText(String(value), settings) : value;
}
