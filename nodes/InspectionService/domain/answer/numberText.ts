import { trimmedEnd } from '../trimmedEnd';

/** A decimal number. Chosen: six digits of an exponent, because those of JavaScript numbers have three at most. */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?$/i;

/**
 * One canonical text for all texts of a decimal number: `1.50` and `15e-1` both become `15e-1`. Undefined where the
 * text is no decimal number; a text with hexadecimal digits, thousands separators or a decimal comma is none.
 */
export function canonicalNumber(text: string): string | undefined {
	const parts = DECIMAL.exec(text.trim());
	if (parts === null) return undefined;
	const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
	if (whole === '' && fraction === '') return undefined;
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significant = trimmedEnd(digits, '0');
	if (significant === '') return '0';
	const power = Number(exponent) - fraction.length + digits.length - significant.length;
	return `${sign === '-' ? '-' : ''}${significant}e${String(power)}`;
}

/**
 * Reads a number: a JavaScript number where that loses no digits, else the text itself
 * (Response of docs/service.openapi.yaml: a number, or a string that is one). Undefined where the text is no decimal
 * number.
 */
export function numberFromText(text: string): number | string | undefined {
	const canonical = canonicalNumber(text);
	if (canonical === undefined) return undefined;
	const value = Number(text);
	if (value === 0) return canonical === '0' ? 0 : text.trim();
	return canonicalNumber(String(value)) === canonical ? value : text.trim();
}
