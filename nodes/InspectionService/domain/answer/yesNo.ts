import { InputError } from '../inputError';
import { foldName, isBlank, withoutAccents } from '../normalizeText';
import type { Question } from '../template/questions';

/**
 * What each word of the options Words for Yes and Words for No means: true for yes. The words are in their folded form
 * (`foldName`).
 */
export type YesNoWords = ReadonlyMap<string, boolean>;

/** The choice that means yes (true), and the one that means no. At most one of the two has an unknown meaning. */
type ChoicesByMeaning = ReadonlyMap<boolean | undefined, string>;

/** Words for yes and no that people write in the cells of a sheet, by language. */
export const WORD_PAIRS =
	'yes|no ja|nein ja|nee tak|nie sí|no si|no sì|no oui|non sim|não true|false wahr|falsch vrai|faux verdadero|falso vero|falso verdadeiro|falso prawda|fałsz waar|onwaar да|нет истина|ложь checked|unchecked'
		.split(' ')
		.map((pair) => pair.split('|'));
const WORDS = meanings(
	WORD_PAIRS.map(([yes = '']) => bareWord(yes)),
	WORD_PAIRS.map(([, no = '']) => bareWord(no)),
);
/** Signs for yes and no in a cell that says whether a choice applies. Normalized by `foldName`. */
const SIGNS = meanings(
	['x', '1', '✓', '✔', '✔\ufe0f', '✅', '☑', '☑\ufe0f', '√', '[x]'],
	['0', '☐', '[ ]'],
);
/** Choices that mean yes or no, whatever the other choice is. Normalized by `bareWord`. */
const CHOICE_WORDS = new Map([
	...WORDS,
	...meanings(
		`pass passed ok okay compliant enabled io inordnung bestanden konform aktiviert conforme marche active encendido
		aprobado activado zgodne wlaczone akkoord geslaagd acceso ligado aprovado`.split(/\s+/),
		`fail failed notok nok noncompliant disabled nio nichtinordnung nichtok deaktiviert arret desactive apagado
		desactivado wylaczone gezakt spento desligado reprovado`.split(/\s+/),
	),
]);

function meanings(yes: readonly string[], no: readonly string[]): Map<string, boolean> {
	return new Map([...yes, ...no].map((word, index) => [word, index < yes.length]));
}

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
	const yesWords = new Set(yes.map(foldName));
	const shared = no.find((word) => yesWords.has(foldName(word)));
	if (shared === undefined) return meanings([...yesWords], no.map(foldName));
	throw new InputError(
		`The options 'Words for Yes' and 'Words for No' both have the word "${shared}". Remove it from one of them.`,
	);
}

/**
 * Finds the choices that mean yes and no. A choice means yes if it's a word for yes, or if the other choice negates it,
 * as `Not OK` negates `OK`. Only one of the two can be known, because Yes can be paired with N/A. Returns undefined if
 * neither is known, or if the question doesn't have exactly two choices.
 */
export function yesNoOf({ choices }: Pick<Question, 'choices'>): ChoicesByMeaning | undefined {
	const [first, second] = choices;
	if (first === undefined || second === undefined || choices.length > 2) return undefined;
	const [meaning, other] = [meaningOf(first, second), meaningOf(second, first)];
	if (meaning === other) return undefined;
	return new Map([
		[meaning, first],
		[other, second],
	]);
}

function meaningOf(choice: string, other: string): boolean | undefined {
	const [word, otherWord] = [bareWord(choice), bareWord(other)];
	const isOpposite = (no: string, yes: string) =>
		PAIRS.has(`${yes}|${no}`) || NEGATIONS.some((negation) => no === negation + yes);
	if (isOpposite(word, otherWord)) return false;
	return CHOICE_WORDS.get(word) ?? (isOpposite(otherWord, word) ? true : undefined);
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
	const choices = words && yesNoOf(question);
	return (word) => {
		const meaning = words?.get(foldName(word));
		return meaning === undefined ? undefined : choices?.get(meaning);
	};
}

/**
 * Reads a cell that says whether a choice applies. Undefined if it says neither yes nor no. Words such as `failed` say
 * neither, because a failed check of a choice can mean both.
 */
export function isChecked(cell: unknown, words: YesNoWords | undefined): boolean | undefined {
	if (isBlank(cell)) return undefined;
	const text = foldName(String(cell));
	return words?.get(text) ?? SIGNS.get(text) ?? WORDS.get(bareWord(text));
}

/** True for a value that most likely means yes or no: a single character such as `x`, or a known word. */
export function isMark(value: string): boolean {
	return value.trim().length === 1 || CHOICE_WORDS.has(bareWord(value));
}
