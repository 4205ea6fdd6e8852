import { DateTime } from 'luxon';

import { type DateContext, namesDay, utcDateOf } from '../answer/dateAnswer';
import type { JsonValue } from '../json';
import { timestampOf } from '../timestamp';

/**
 * A stored date whose text says its zone. Without one it is UTC (Timestamp of docs/service.openapi.yaml), and Create
 * would read it in the workflow's zone: it means another moment there.
 */
export function zonedDate(stored: string, showTime: boolean): string {
	if (stored.endsWith('Z') || (!showTime && namesDay(stored))) return stored;
	const [utc, elsewhere] = ['utc', 'UTC+14'].map((timeZone) =>
		utcDateOf(stored, { timeZone, showTime: true }),
	);
	return utc === elsewhere ? stored : (utc ?? stored);
}

/**
 * A stored date as people write it in `timeZone` (IANA): `2026-05-24 08:30`, with seconds where there are some, and
 * `2026-05-24` for a question that shows the day only. Text that is no date stays as it is.
 *
 * Create reads the same answer from it in the same zone. In autumn an hour comes twice: its second time has the offset
 * behind it, `2026-10-25 02:30 +01:00`. Where not even that gives the date back, it is ISO 8601 in UTC: in a zone with
 * seconds in its offset, or for a day that a zone has left out.
 */
export function localDate(
	stored: string,
	{ timeZone, showTime }: { timeZone: string; showTime: boolean },
): string {
	const utc = utcDateOf(stored, { timeZone: 'utc', showTime });
	if (utc === undefined) return stored;
	return showTime
		? localMoment(utc, timeZone)
		: firstReadAs(utc, [dayOf(utc)], { timeZone, showTime });
}

/**
 * A time of the service as an output shows it: with `localZone` to the minute, as people write it there, else as it is.
 * What is no time stays as it is.
 */
export function shownTime(stored: JsonValue | undefined, localZone: string | undefined): JsonValue {
	if (localZone === undefined) return stored ?? null;
	const moment = timestampOf(stored);
	if (moment === undefined) return stored ?? null;
	return localMoment(`${moment.slice(0, 'yyyy-mm-ddThh:mm'.length)}:00.000Z`, localZone);
}

const FRACTION = /\.(\d*[1-9])0*Z$/;

/** `utc` is ISO 8601 in UTC, with any number of fractional digits. */
function localMoment(utc: string, timeZone: string): string {
	const local = DateTime.fromISO(utc, { zone: timeZone });
	const fraction = FRACTION.exec(utc)?.[1];
	const seconds = fraction === undefined ? '' : `.${fraction}`;
	const format = fraction === undefined && local.second === 0 ? 'HH:mm' : 'HH:mm:ss';
	const text = `${local.toISODate() ?? ''} ${local.toFormat(format)}${seconds}`;
	return firstReadAs(utc, [text, `${text} ${local.toFormat('ZZ')}`], { timeZone, showTime: true });
}

/** The first of the texts that Create reads as the date, else the date itself. */
function firstReadAs(utc: string, texts: readonly string[], context: DateContext): string {
	const read = (text: string) => timestampOf(utcDateOf(text, context));
	const meant = context.showTime ? timestampOf(utc) : timestampOf(`${dayOf(utc)}T00:00:00Z`);
	return texts.find((text) => read(text) === meant) ?? utc;
}

function dayOf(iso: string): string {
	return iso.slice(0, 'yyyy-mm-dd'.length);
}
