import { InputError } from '../inputError';
import { foldName, withoutAccents } from '../normalizeText';
import type { Question } from '../template/questions';

/**
 * The words that the user entered in the options Words for Yes and Words for No. Each key is the word's folded form
 * (`foldName`).
 */
export interface YesNoWords {
	yes: ReadonlyMap<string, string>;
	no: ReadonlyMap<string, string>;
}

export interface YesNo {
	yes: string | undefined;
	no: string | undefined;
}

/** Choices that mean yes or no, whatever the other choice is. Normalized by `bareWord`. */
const YES_WORDS = new Set(
	`yes true pass passed ok okay compliant enabled ja wahr io inordnung bestanden konform aktiviert oui vrai conforme
	marche active si verdadero encendido aprobado activado tak prawda zgodne wlaczone waar akkoord geslaagd vero acceso
	sim verdadeiro ligado aprovado да истина checked`.split(/\s+/),
);
const NO_WORDS = new Set(
	`no false fail failed notok nok noncompliant disabled nein falsch nio nichtinordnung nichtok deaktiviert non faux
	arret desactive falso apagado desactivado nie falsz wylaczone nee onwaar gezakt nao spento desligado reprovado нет ложь unchecked`.split(
		/\s+/,
	),
);
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
		`The options "Words for Yes" and "Words for No" both have the word "${shared}". Remove it from one of them.`,
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

/** True for a value that most likely means yes or no: a single character such as `x`, or a known word. */
export function isMark(value: string): boolean {
	const word = value.trim().length === 1 ? 'yes' : bareWord(value);
	return YES_WORDS.has(word) || NO_WORDS.has(word);
}

/** Marks of a ticked and of an empty box, besides words for yes and no. Normalized by `bareWord`. */
const [TICKS, EMPTY_BOXES] = [new Set('x y j 1 ✓ ✔ ☑ ☒ √'.split(' ')), new Set(['0', 'n', '☐'])];

/**
 * Whether a cell says that a box is ticked: with a word of the options, a word for yes or no, or a mark such as x.
 * Undefined for any other cell.
 */
export function isChecked(cell: unknown, words: YesNoWords | undefined): boolean | undefined {
	if (!['string', 'number', 'boolean'].includes(typeof cell)) return undefined;
	const text = String(cell).replaceAll(EMOJI_STYLE, '');
	const [key, word] = [foldName(text), bareWord(text)];
	if (words?.yes.has(key)) return true;
	if (words?.no.has(key)) return false;
	if (TICKS.has(word) || YES_WORDS.has(word)) return true;
	return EMPTY_BOXES.has(word) || NO_WORDS.has(word) ? false : undefined;
}

/** Follows a mark that is shown as an emoji. */
const EMOJI_STYLE = '\ufe0f';
