import type { StoredResponse } from '../answer/storedResponse';
import { displayName } from '../displayName';
import { isRecord, type JsonRecord, type JsonValue } from '../json';
import { foldName, isBlank, withoutAccents } from '../normalizeText';
import { localDate, localTime } from '../row/cell';
import type { Control } from '../template/control';

/** A file of an inspection, as a report shows it. */
export interface ReportFile {
	/** The file as listed in the inspection. */
	readonly listed: JsonRecord;
	readonly name: string;
	/** The picture as a data URI. Undefined if the file isn't shown as a picture. */
	readonly picture?: string | undefined;
	/** Why a photo isn't shown. Undefined for files that are only listed. */
	readonly problem?: string | undefined;
}

/** A question with its answer. */
export interface Entry {
	readonly label: string;
	/** Empty for a question without an answer. */
	readonly text: string;
	readonly mark: 'Failed' | 'Flagged' | undefined;
	readonly files: readonly ReportFile[];
}

/** A stored response, or only files, of a question. */
export interface Answer {
	readonly control: Control | undefined;
	/** The number of the section's instance. Always 1 outside repeatable sections. */
	readonly order: number;
	readonly response: StoredResponse | undefined;
	readonly files: ReportFile[];
}

const CHOICE_TYPE = /^(?:radio|dropdown|checkbox)$/i;
/**
 * Choices that mean a failed check, by `foldName`, without accents, spaces, periods, and hyphens. "No" isn't one of
 * them, because it can be the good answer.
 */
const FAILED = new Set(
	`fail failed notok nok noncompliant nonconforming unsafe defect defective unacceptable unsatisfactory nio
	nichtinordnung nichtok nichtbestanden mangel mangelhaft defekt nonconforme defectueux noconforme reprobado reprovado
	niezgodne gezakt nietok فشل راسب غيرمطابق`.split(/\s+/),
);

/** The time zones (IANA) of dates: that of the reader, and that of the inspection, in which a day can be stored. */
export interface Zones {
	readonly timeZone: string;
	readonly inspectionZone: string | undefined;
}

/** Returns the entry of a question. `control` is undefined if the template doesn't contain the question. */
export function entryOf(
	answers: readonly Answer[],
	control: Control | undefined,
	zones: Zones,
): Entry {
	const responses = answers.flatMap(({ response }) => response ?? []);
	const [first] = responses;
	const type = control?.type ?? first?.type ?? '';
	// Leave out responses with files, because they consist of the files' IDs.
	const texts = answers.flatMap(({ response, files }) =>
		files.length > 0 ? [] : textsOf(response?.value),
	);
	const isFailed = CHOICE_TYPE.test(type) && texts.some(isFailure);
	const isFlagged = responses.some((response) => response.isFlagged);
	const context = { ...zones, showTime: control?.showTime === true };
	const shown = type === 'date' ? texts.map((text) => longDay(localDate(text, context))) : texts;
	return {
		label: control?.label || control?.fieldId || (first && labelOf(first)) || 'Question',
		text: shown.join(', '),
		mark: isFailed ? 'Failed' : isFlagged ? 'Flagged' : undefined,
		files: answers.flatMap(({ files }) => files),
	};
}

function labelOf({ label, path, fieldId, controlId, order }: StoredResponse): string {
	const name = label || path || fieldId || controlId;
	return order > 1 ? `${name} ${String(order)}` : name;
}

function isFailure(text: string): boolean {
	return FAILED.has(withoutAccents(foldName(text)).replace(/[.\s-]/g, ''));
}

/** Returns a stored value as text for people: one text for each choice. */
function textsOf(value: JsonValue | undefined): string[] {
	const values = Array.isArray(value) ? value : [value];
	return values.flatMap((one) => {
		if (isBlank(one)) return [];
		if (typeof one === 'boolean') return one ? 'Yes' : 'No';
		if (typeof one === 'object') return (isRecord(one) && displayName(one)) || JSON.stringify(one);
		return String(one);
	});
}

const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Writes a time that the service sets. Leaves out the seconds. `timeZone` is an IANA zone. */
export function momentText(stored: JsonValue | undefined, timeZone: string): string {
	return longDay(String(localTime(stored, timeZone) ?? ''));
}

/** Writes a local date for people, such as `May 24, 2026, 08:30`. Text that isn't a date stays unchanged. */
function longDay(local: string): string {
	const [, day, rest = ''] = /^(\d{4}-\d\d-\d\d)( .+)?$/.exec(local) ?? [];
	const moment = day === undefined ? NaN : Date.parse(day);
	return Number.isNaN(moment) ? local : `${LONG_DAY.format(moment)}${rest && `,${rest}`}`;
}
