import { shownValue } from '../formatting';
import { jsonText, type JsonValue } from '../json';
import { composedText, isSameText } from '../normalizeText';
import type { Question } from '../template/questions';
import { floorToSecond, msSinceEpoch, timestampOf } from '../timestamp';
import type { Answer } from './answer';
import { readChoices } from './choices';
import { utcDateOf } from './dateAnswer';
import { canonicalNumber } from './numbers';

/** Whether two answers to one question mean the same, even if they differ in spaces or by less than a minute. */
export function meansSame(
	a: Pick<Answer, 'question' | 'value' | 'given' | 'problem'>,
	b: typeof a,
): boolean {
	const { question } = a;
	const [one, other] = [shownValue(a.given), shownValue(b.given)];
	if (a.problem !== undefined || b.problem !== undefined) return one === other;
	if (isSameAnswer(question, a.value, b.value)) return true;
	// Compare choices including spaces, because two choices of a template can differ only in spaces.
	if (question.choices.length > 0) return false;
	const [first, second] = [scalarText(a.value), scalarText(b.value)];
	if (differOnlyInTimestamps(first, second)) return true;
	// Compare the times in the rows, not the days read from them. If midnight passes between two rows, `{{ $now }}` gives
	// them different days, although the times are only moments apart.
	return question.type === 'date' ? differOnlyInTimestamps(one, other) : isSameText(first, second);
}

function isSameAnswer(question: Question, a: JsonValue, b: JsonValue): boolean {
	const text = canonicalAnswer(question, a);
	return text !== undefined && text === canonicalAnswer(question, b);
}

/** Returns the same text for all spellings of a number or date, and for choices in any order. */
function canonicalAnswer({ type, showTime }: Question, value: JsonValue): string | undefined {
	switch (type) {
		case 'number':
			return canonicalNumber(scalarText(value)) ?? jsonText(value);
		case 'date': {
			const utc = utcDateOf(value, { timeZone: 'UTC', showTime: true });
			if (utc === undefined) return jsonText(value);
			return showTime ? String(Date.parse(utc)) : utc.slice(0, 'yyyy-MM-dd'.length);
		}
		case 'radio':
		case 'dropdown':
		case 'checkbox':
			return canonicalChoices(choiceTexts(value));
		default:
			return jsonText(value);
	}
}

function canonicalChoices(choices: readonly string[]): string {
	return JSON.stringify([...new Set(choices)].sort());
}

/**
 * Whether a stored value is the answer that was sent. A service can trim text, round numbers to 32 bits, truncate times
 * to the second, and reorder or join choices (`StoredItem` in docs/service.openapi.yaml).
 */
export function isStoredAs(question: Question, sent: JsonValue, stored: JsonValue): boolean {
	if (isSameAnswer(question, sent, stored)) return true;
	switch (question.type) {
		case 'number': {
			// Use `canonicalNumber`, because `Number` alone reads empty text and `false` as 0.
			const rounded = Math.fround(Number(canonicalNumber(scalarText(stored))));
			return Number.isFinite(rounded) && rounded === Math.fround(Number(scalarText(sent)));
		}
		case 'date': {
			const [exact, kept] = [timestampOf(sent), timestampOf(stored)];
			return exact !== undefined && kept === floorToSecond(exact);
		}
		case 'radio':
		case 'dropdown':
		case 'checkbox':
			return areJoinedChoices(choiceTexts(sent), stored);
		default:
			return isStoredText(sent, stored);
	}
}

/** Whether the stored text equals the sent text, ignoring outer spaces, line breaks, and Unicode composition. */
export function isStoredText(sent: JsonValue, stored: JsonValue): boolean {
	return typeof stored !== 'object' && keptText(sent) === keptText(stored);
}

function keptText(value: JsonValue): string {
	return composedText(scalarText(value)).replace(/\r\n?/g, '\n').trim();
}

/** Reads the stored value as a list of only the sent choices, because the text `A, B` can be one choice or two. */
function areJoinedChoices(sent: readonly string[], stored: JsonValue): boolean {
	if (sent.length === 1) return stored === sent[0]?.trim();
	if (sent.join(', ') === stored) return true;
	const { choices } = readChoices(stored, sent);
	return choices !== undefined && canonicalChoices(sent) === canonicalChoices(choices);
}

/** Returns choices as text, because a service can store the choice "1" as a number. */
function choiceTexts(value: JsonValue): string[] {
	return (Array.isArray(value) ? value : [value]).map(scalarText);
}

/**
 * Returns a value as text. Uses JSON for arrays and objects, because String() throws for an object with a member named
 * `toString`.
 */
function scalarText(value: JsonValue): string {
	return typeof value === 'object' ? (jsonText(value) ?? '') : String(value);
}

/** Times within this range (ms) count as the same, because n8n evaluates `{{ $now }}` again for each row. */
const SAME_MOMENT_MS = 60_000;

const MOMENT =
	/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2}(?!\d))?/g;

/** Whether texts such as `Walk 2026-05-31T14:30:00Z` differ only in their timestamps, by less than a minute. */
export function differOnlyInTimestamps(a: string, b: string): boolean {
	if (a === b) return true;
	const [first, second] = [a.match(MOMENT) ?? [], b.match(MOMENT) ?? []];
	if (first.length === 0 || first.length !== second.length) return false;
	if (a.replace(MOMENT, '…') !== b.replace(MOMENT, '…')) return false;
	return first.every((text, index) => {
		const [one, other] = [timestampOf(text), timestampOf(second[index])];
		if (one === undefined || other === undefined) return text === second[index];
		return Math.abs(msSinceEpoch(one) - msSinceEpoch(other)) < SAME_MOMENT_MS;
	});
}
