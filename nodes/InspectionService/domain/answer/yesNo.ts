import { foldName } from '../plainText';
import type { Question } from '../template/questions';

/**
 * Words that stand for the two choices of a question, as the options Yes Is and No Is give them: `x, ja, WAHR, true`. The
 * key is the word as people compare it (see `foldName`), the value is the word as the user wrote it.
 */
export interface YesNoWords {
	yes: ReadonlyMap<string, string>;
	no: ReadonlyMap<string, string>;
}

/** The two choices of a question that can be answered with such words. */
export interface YesNo {
	yes: string;
	no: string;
}

const namesIn = (words: readonly string[]) => new Set(words.map(foldName));
/** Names of the choice that means yes, in the languages that the sheets of Europe are written in. */
const YES_NAMES = namesIn(['Yes', 'Ja', 'Oui', 'Sí', 'Si', 'OK', 'Pass', 'True']);
const NO_NAMES = namesIn(['No', 'N', 'Nein', 'Non', 'Nee', 'Not OK', 'Fail', 'False']);

const keyed = (words: readonly string[]) => new Map(words.map((word) => [foldName(word), word]));

/** The words for yes and no; undefined where there are none. */
export function yesNoWords(yes: readonly string[], no: readonly string[]): YesNoWords | undefined {
	return yes.length + no.length === 0 ? undefined : { yes: keyed(yes), no: keyed(no) };
}

/** A word that is said to mean both yes and no; undefined where there is none. */
export function doubtfulWord({ yes, no }: YesNoWords): string | undefined {
	return [...no].find(([key]) => yes.has(key))?.[1];
}

/**
 * What yes and no are among the choices of a question; undefined where it has not exactly two. Yes is the choice with
 * such a name (YES_NAMES), or the one beside a choice that is called no. Without any such name it is the first choice.
 *
 * Undefined also where both choices are called yes, or both no. A checkbox question needs such a name: a person may
 * check both of `Dust` and `Noise`, so that neither is the opposite of the other.
 */
export function yesNoOf({ type, choices }: Question): YesNo | undefined {
	const [first, second] = choices;
	if (first === undefined || second === undefined || choices.length > 2) return undefined;
	const [rank, other] = [rankOf(first), rankOf(second)];
	if (rank === other && (rank !== 0 || type === 'checkbox')) return undefined;
	return rank < other ? { yes: second, no: first } : { yes: first, no: second };
}

/** 1 for a choice that is called yes, -1 for one that is called no, else 0. */
function rankOf(choice: string): number {
	const name = foldName(choice);
	if (YES_NAMES.has(name)) return 1;
	return NO_NAMES.has(name) ? -1 : 0;
}

/** The choice that a word stands for, without regard to case and blanks. Undefined for any other word. */
export function choiceOfWord(word: string, { yes, no }: YesNo, words: YesNoWords) {
	const key = foldName(word);
	if (words.yes.has(key)) return yes;
	return words.no.has(key) ? no : undefined;
}

/** The words for a choice, as the end of its name in messages: ` (Yes Is: x, ja)`. */
export function wordsFor(choice: string, { yes, no }: YesNo, words: YesNoWords): string {
	const entry = (option: string, known: YesNoWords['yes']) =>
		known.size === 0 ? ` (${option} is empty)` : ` (${option}: ${[...known.values()].join(', ')})`;
	if (choice === yes) return entry('Yes Is', words.yes);
	return choice === no ? entry('No Is', words.no) : '';
}

/** Marks and words for yes and no that sheets have, besides those that are the name of a choice. */
const MARK = /^(?:.|wahr|falsch|true|false|yes|no|ja|nein|oui|non|ok)$/iu;

/** True for a value that most likely means yes or no, though the question calls its two choices by other names. */
export function isMark(value: string): boolean {
	return MARK.test(value.trim());
}
