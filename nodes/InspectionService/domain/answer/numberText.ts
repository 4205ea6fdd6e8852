import { trimmedEnd } from '../trimmedEnd';

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?$/i;

/**
 * A decimal number's text in one canonical form: equal numbers have equal texts (`1.50`, `15e-1`). Undefined
 * where the text is no decimal number; hexadecimal, thousands separators and decimal commas are none.
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
 * A number from its text: a JavaScript number where nothing is lost by that, else the text itself
 * (Response of docs/service.openapi.yaml: a number, or a string that is one). Undefined where the text is no decimal number.
 */
export function numberFromText(text: string): number | string | undefined {
	const canonical = canonicalNumber(text);
	if (canonical === undefined) return undefined;
	const value = Number(text);
	if (value === 0) return canonical === '0' ? 0 : text.trim();
	return canonicalNumber(String(value)) === canonical ? value : text.trim();
}
