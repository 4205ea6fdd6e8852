import type { Control } from './model.mts';
import type { SandboxSettings } from './settings.mts';

/** How a value is stored, by the value of a setting. */
type Forms<Name extends keyof SandboxSettings & `stored${string}`> = Record<
	SandboxSettings[Name],
	(value: unknown, control: Control) => unknown
>;

const CHOICE_TYPES = ['checkbox', 'dropdown'];
const TEXT_TYPES = ['text', 'checkIn/location'];

const asSent = (value: unknown) => value;

/** Digits after the point of the seconds: all, three, or none (then without the point). */
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

/** Text as the service stores it. */
export function storedText(text: string, settings: SandboxSettings): string {
	const lines = settings.storedLineBreaks === 'lf' ? text.replaceAll('\r\n', '\n') : text;
	return settings.storedTexts === 'trimmed' ? lines.trim() : lines;
}

/** An answer's value as the service stores it: as sent, or changed according to the settings. */
export function storedValue(value: unknown, control: Control, settings: SandboxSettings): unknown {
	const { type } = control;
	if (type === 'number') return NUMBERS[settings.storedNumbers](value, control);
	if (type === 'date') return DATES[settings.storedDates](value, control);
	if (CHOICE_TYPES.includes(type)) return CHOICES[settings.storedChoices](value, control);
	return TEXT_TYPES.includes(type) ? storedText(String(value), settings) : value;
}
