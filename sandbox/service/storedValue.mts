import type { Control } from './model.mts';
import type { SandboxSettings } from './settings.mts';

/** A text as the service keeps it. */
export function storedText(text: string, settings: SandboxSettings): string {
	const lines = settings.storedLineBreaks === 'lf' ? text.replaceAll('\r\n', '\n') : text;
	return settings.storedTexts === 'trimmed' ? lines.trim() : lines;
}

function storedNumber(value: unknown, { storedNumbers }: SandboxSettings): unknown {
	if (storedNumbers === 'text') return String(value).trim();
	return storedNumbers === 'float32' ? Math.fround(Number(value)) : value;
}

/** Digits behind the point of the seconds: all, three, or none (then without the point). */
const FRACTION = /(:\d{2})(\.\d{1,3})\d*/;

function storedDate(value: unknown, { storedDates }: SandboxSettings): unknown {
	const text = String(value);
	switch (storedDates) {
		case 'asSent':
			return value;
		case 'ms':
			return text.replace(FRACTION, '$1$2');
		case 's':
			return text.replace(FRACTION, '$1');
		case 'utc':
			return new Date(Date.parse(text)).toISOString().replace('Z', '0000Z');
	}
}

function storedChoices(value: unknown, control: Control, settings: SandboxSettings): unknown {
	switch (settings.storedChoices) {
		case 'asSent':
			return value;
		case 'array':
			return control.type === 'dropdown' && typeof value === 'string' ? [value] : value;
		case 'reordered': {
			if (!Array.isArray(value)) return value;
			const order = control.options.choices ?? [];
			return value.toSorted((a, b) => order.indexOf(b) - order.indexOf(a));
		}
		case 'joined':
			return Array.isArray(value) ? value.join(', ') : value;
	}
}

/** The value of an answer as the service keeps it: as it was sent, or what the settings make of it. */
export function storedValue(value: unknown, control: Control, settings: SandboxSettings): unknown {
	switch (control.type) {
		case 'number':
			return storedNumber(value, settings);
		case 'date':
			return storedDate(value, settings);
		case 'checkbox':
		case 'dropdown':
			return storedChoices(value, control, settings);
		case 'text':
		case 'checkIn/location':
			return storedText(String(value), settings);
		default:
			return value;
	}
}
