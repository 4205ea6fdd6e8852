import { InputError } from '../inputError';
import { foldName, isBlank, withoutAccents } from '../normalizeText';
import type { Question } from '../template/questions';

/**
 * The words that the user entered in the options Words for Yes and Words for No. Each key is the word's folded form
 * (`foldName`).
 */
export interface YesNoWords {
	yes: ReadonlyMap<string, string>;
	no: ReadonlyMap<string, string>;
}

interface YesNo {
	yes: string | undefined;
	no: string | undefined;
}

/** Words for yes and no that people write in the cells of a sheet, by language. */
export const WORD_PAIRS =
	'yes|no ja|nein ja|nee tak|nie sí|no si|no sì|no oui|non sim|não true|false wahr|falsch vrai|faux verdadero|falso vero|falso verdadeiro|falso prawda|fałsz waar|onwaar да|нет истина|ложь checked|unchecked'
		.split(' ')
		.map((pair) => pair.split('|'));
const YES = new Set(WORD_PAIRS.map(([yes = '']) => bareWord(yes)));
const NO = new Set(WORD_PAIRS.map(([, no = '']) => bareWord(no)));
/** Signs for yes and no in a cell that says whether a choice applies. Normalized by `foldName`. */
const YES_SIGNS = new Set(['x', '1', '✓', '✔', '✔\ufe0f', '✅', '☑', '☑\ufe0f', '√', '[x]']);
const NO_SIGNS = new Set(['0', '☐', '[ ]']);
/** Choices that mean yes or no, whatever the other choice is. Normalized by `bareWord`. */
const YES_WORDS = new Set([
	...YES,
	...`pass passed ok okay compliant enabled io inordnung bestanden konform aktiviert conforme marche active encendido
	aprobado activado zgodne wlaczone akkoord geslaagd acceso ligado aprovado`.split(/\s+/),
]);
const NO_WORDS = new Set([
	...NO,
	...`fail failed notok nok noncompliant disabled nio nichtinordnung nichtok deaktiviert arret desactive apagado
	desactivado wylaczone gezakt spento desligado reprovado`.split(/\s+/),
]);
/**
 * Pairs of choices that mean yes and no only if the question has no third choice. If 2 is also a choice, 1 is a number.
 * If S is also a choice, N is north.
 */
const PAIRS = new Set(['1|0', 'on|off', 'ein|aus', 'an|aus', 'aan|uit', 'y|n', 'j|n', 't|n']);
/**
 * Prefixes that negate a word: `Non-compliant`. The prefix "in" isn't included, because Indoor isn't the opposite of
 * Door.
 */
const NEGATIONS = 'non not no un nicht kein keine keinen pas niet geen nie nao'.split(' ');

/**
 * Returns the words of the options Words for Yes and Words for No. Undefined if both options are empty. Throws
 * InputError for a word in both.
 */
export function yesNoWords(yes: readonly string[], no: readonly string[]): YesNoWords | undefined {
	if (yes.length + no.length === 0) return undefined;
	const byKey = (words: readonly string[]) => new Map(words.map((word) => [foldName(word), word]));
	const words = { yes: byKey(yes), no: byKey(no) };
	const shared = no.find((word) => words.yes.has(foldName(word)));
	if (shared === undefined) return words;
	throw new InputError(
		`The options 'Words for Yes' and 'Words for No' both have the word "${shared}". Remove it from one of them.`,
	);
}

/**
 * Finds the choices that mean yes and no. A choice means yes if it's a word for yes, or if the other choice negates it,
 * as `Not OK` negates `OK`. Only one of the two can be known, because Yes can be paired with N/A. Returns undefined if
 * neither is known, or if the question doesn't have exactly two choices.
 */
export function yesNoOf({ choices }: Pick<Question, 'choices'>): YesNo | undefined {
	const [first, second] = choices;
	if (first === undefined || second === undefined || choices.length > 2) return undefined;
	const [meaning, other] = [yesOrNo(first, second), yesOrNo(second, first)];
	if (meaning === other) return undefined;
	const choiceOf = (wanted: 'yes' | 'no') => choices[[meaning, other].indexOf(wanted)];
	return { yes: choiceOf('yes'), no: choiceOf('no') };
}

function yesOrNo(choice: string, other: string): 'yes' | 'no' | undefined {
	const [word, otherWord] = [bareWord(choice), bareWord(other)];
	const isOpposite = (no: string, yes: string) =>
		PAIRS.has(`${yes}|${no}`) || NEGATIONS.some((negation) => no === negation + yes);
	if (NO_WORDS.has(word) || isOpposite(word, otherWord)) return 'no';
	return YES_WORDS.has(word) || isOpposite(otherWord, word) ? 'yes' : undefined;
}

/** Returns a word without case, accents, spaces, periods, and hyphens: `n. i. O.` becomes `nio`. */
function bareWord(choice: string): string {
	return withoutAccents(foldName(choice)).replace(/[.\s-]/g, '');
}

/**
 * Returns a function that finds the choice for a word in Words for Yes or Words for No, ignoring case and spaces. Without
 * these words, or if it's unknown which choice means yes, finds nothing.
 */
export function choiceOfWords(
	question: Pick<Question, 'choices'>,
	words: YesNoWords | undefined,
): (word: string) => string | undefined {
	const meant = words && yesNoOf(question);
	return (word) => {
		const key = foldName(word);
		if (words?.yes.has(key)) return meant?.yes;
		return words?.no.has(key) ? meant?.no : undefined;
	};
}

/**
 * Reads a cell that says whether a choice applies. Undefined if it says neither yes nor no. Words such as `failed` say
 * neither, because a failed check of a choice can mean both.
 */
export function isChecked(cell: unknown, words: YesNoWords | undefined): boolean | undefined {
	if (isBlank(cell)) return undefined;
	const text = foldName(String(cell));
	if (words?.yes.has(text)) return true;
	if (words?.no.has(text)) return false;
	const word = bareWord(text);
	if (YES_SIGNS.has(text) || YES.has(word)) return true;
	return NO_SIGNS.has(text) || NO.has(word) ? false : undefined;
}

/** True for a value that most likely means yes or no: a single character such as `x`, or a known word. */
export function isMark(value: string): boolean {
	const word = value.trim().length === 1 ? 'yes' : bareWord(value);
	return YES_WORDS.has(word) || NO_WORDS.has(word);
}
