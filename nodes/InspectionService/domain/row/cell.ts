import { DateTime } from 'luxon';

import { hasSeparator, readChoices } from '../answer/choices';
import { type DateContext, namesDay, utcDateOf } from '../answer/dateAnswer';
import { canonicalNumber, numberFromText } from '../answer/numbers';
import { isRecord, type JsonValue } from '../json';
import { dayOfInstant } from '../localDay';
import { timestampOf } from '../timestamp';

/**
 * Makes the cells of one question. Automatic mapping reads the same answer from each. Several choices become one text,
 * anything nested JSON, a number stored as text a number, unless a sheet would change its digits. With `localZone` (IANA) dates are as people write them there.
 * `type` may also be one that Create cannot fill, or ''. `showTime` is undefined for a question that no template has.
 */
export function cellMaker(
	{ type, choices, showTime }: { type: string; choices: readonly string[]; showTime?: boolean },
	localZone?: string,
) {
	const join = choiceJoiner(choices);
	const textCell = (text: string): JsonValue => {
		switch (type) {
			case 'date':
				if (showTime === undefined) return text;
				if (localZone === undefined) return zonedDate(text, showTime);
				return localDate(text, { timeZone: localZone, showTime });
			case 'number':
				return isChangedBySheets(text) ? text : (numberFromText(text) ?? text);
			case 'checkbox':
			case 'dropdown':
				return join([text]);
			case 'radio':
				// Create takes a radio's text whole where the template shows no choices.
				return choices.length === 0 ? text : join([text]);
			default:
				return text;
		}
	};
	return (value: JsonValue | undefined): JsonValue => {
		if (value === undefined || value === null) return null;
		if (typeof value === 'string') return textCell(value);
		if (isRecord(value)) return JSON.stringify(value);
		if (typeof value === 'number') {
			const text = String(value);
			// The last digits of a fraction are only JavaScript's rounding, so that sheets may drop them.
			return Number.isInteger(value) && isChangedBySheets(text) ? text : value;
		}
		if (!Array.isArray(value)) return value;
		const given = value.filter((element) => element !== null && element !== '');
		if (given.length === 0) return null;
		const isNested = given.some((element) => typeof element === 'object');
		return isNested ? JSON.stringify(value) : join(given.map(String));
	};
}

/** Digits that Excel and Google Sheets keep of a number ("Excel specifications and limits": 15 digits of precision). */
const SHEET_DIGITS = 15;
const LEADING_ZERO = /^[+-]?0\d/;

/** Whether a sheet would change the digits of a number: of an order's or a serial number each one counts. */
function isChangedBySheets(text: string): boolean {
	const given = text.trim();
	if (LEADING_ZERO.test(given)) return true;
	const whole = /^[+-]?(\d*)/.exec(given)?.[1] ?? '';
	const [significant = ''] = (canonicalNumber(given) ?? '').replace('-', '').split('e', 1);
	return Math.max(whole.length, significant.length) > SHEET_DIGITS;
}

/** Characters that mean more to `readChoices` than a part of a choice, and blanks at the ends, which it ignores. */
const SPECIAL = /[,;\r\n"[]|^\s|\s$/;

/**
 * Joins the choices of an answer to one text, from which `readChoices` reads the same choices; one that the template no
 * longer has stays unknown. Where `A, B` would be read in another way, the parts stand in double quotes, or as JSON.
 */
export function choiceJoiner(choices: readonly string[]): (values: readonly string[]) => string {
	const known = new Set(choices);
	const canBeSplit = !choices.some(hasSeparator);
	const isPlain = (value: string) =>
		value !== '' && !SPECIAL.test(value) && (known.size === 0 || known.has(value));
	return (values) => {
		const plain = values.join(', ');
		if (canBeSplit && values.every(isPlain)) return plain;
		const meant = JSON.stringify(readChoices([...values], choices));
		const isRead = (text: string) => JSON.stringify(readChoices(text, choices)) === meant;
		if (isRead(plain)) return plain;
		const quoted = values.map((value) => `"${value.replaceAll('"', '""')}"`).join(', ');
		return isRead(quoted) ? quoted : JSON.stringify(values);
	};
}

/**
 * A stored date whose text says its zone. Without one it is UTC (Timestamp of docs/service.openapi.yaml), and Create,
 * a filter or an expression would read it in the workflow's zone: it means another moment there.
 */
function zonedDate(stored: string, showTime: boolean): string {
	if (stored.endsWith('Z') || (!showTime && namesDay(stored))) return stored;
	const [utc, elsewhere] = ['utc', 'UTC+14'].map((timeZone) =>
		utcDateOf(stored, { timeZone, showTime: true }),
	);
	return utc === elsewhere ? stored : (utc ?? stored);
}

/** A text with an offset other than zero: it says on which day it was written. */
const HAS_OFFSET = /[+-](?!00:?00)\d{2}:?\d{2}$/;

/**
 * A stored date as people write it in `timeZone` (IANA): `2026-05-24 08:30`, and `2026-05-24` for a question that shows the
 * day only, if the instant stands for a day (`dayOfInstant`). Create reads the same answer from it in the same zone: the
 * second time of an hour that comes twice has its offset behind it, and a text that can't be read back is ISO 8601 in UTC.
 */
export function localDate(
	stored: string,
	{ timeZone, showTime }: { timeZone: string; showTime: boolean },
): string {
	const utc = utcDateOf(stored, { timeZone: 'utc', showTime });
	if (utc === undefined) return stored;
	if (showTime) return localMoment(utc, { timeZone, showTime });
	const hasOffset = HAS_OFFSET.test(stored.trim()) && !utc.endsWith('T00:00:00.000Z');
	const context = { timeZone, showTime };
	if (hasOffset) return localMoment(utc, context, stored);
	return dayOfInstant(Date.parse(utc), timeZone) ?? localMoment(utc, context);
}

/** A time of the service as an output shows it: with `localZone` to the minute there, else with its zone. */
export function localTime(stored: JsonValue | undefined, localZone: string | undefined): JsonValue {
	if (typeof stored !== 'string') return stored ?? null;
	if (localZone === undefined) return zonedDate(stored, true);
	const moment = timestampOf(stored);
	if (moment === undefined) return stored;
	const minute = `${moment.slice(0, 'yyyy-mm-ddThh:mm'.length)}:00.000Z`;
	return localMoment(minute, { timeZone: localZone, showTime: true });
}

const FRACTION = /\.(\d*[1-9])0*Z$/;

/** `fallback` stands for a moment whose local text Create would read in another way. */
function localMoment(utc: string, context: DateContext, fallback = utc): string {
	const local = DateTime.fromISO(utc, { zone: context.timeZone });
	const fraction = FRACTION.exec(utc)?.[1];
	const seconds = fraction === undefined ? '' : `.${fraction}`;
	const format = fraction === undefined && local.second === 0 ? 'HH:mm' : 'HH:mm:ss';
	const text = `${local.toISODate() ?? ''} ${local.toFormat(format)}${seconds}`;
	const texts = [text, `${text} ${local.toFormat('ZZ')}`];
	const meant = timestampOf(utc);
	return texts.find((one) => timestampOf(utcDateOf(one, context)) === meant) ?? fallback;
}
