import { cleanLine, listText } from '../formatting';
import { nameAndMeant, nearestName } from '../nearestName';
import { foldName, isBlank } from '../normalizeText';
import type { ValueProblem } from '../problem';
import type { Question } from '../template/questions';
import { findChoice, hasSeparator } from './choices';
import { spreadsheetMoment } from './spreadsheetDate';
import { isMark, WORD_PAIRS, type YesNo, yesNoOf, type YesNoWords } from './yesNo';

/** Unsupported separators that people write between choices. Commas, semicolons, and line breaks are supported. */
const OTHER_SEPARATORS = ['|', '+', '&', '/', '\\', '·', '•', '\t', ' - ', ' – '];
/**
 * Limits for splitting text by unsupported separators: characters of the text, letters of a word between choices
 * (`und`, `oraz`), and how many such words are tried.
 */
const [MAX_APART, MAX_WORD, MAX_WORDS] = [500, 4, 10];

/** Splits text such as `Wind + rain` or `Wind and rain` into choices. Undefined unless every part is a choice. */
function choicesApart(text: string, choices: readonly string[]): string[] | undefined {
	if (choices.length === 0 || text.length > MAX_APART) return undefined;
	const line = text.trim();
	const words = [...new Set(line.split(/\s+/))].filter((word) => word.length <= MAX_WORD);
	const separators = [...OTHER_SEPARATORS, ...words.slice(0, MAX_WORDS).map((word) => ` ${word} `)];
	for (const separator of separators) {
		const parts = line.split(separator).filter((part) => !isBlank(part));
		const found = parts.flatMap((part) => findChoice(part.trim(), choices) ?? []);
		if (found.length > 1 && found.length === parts.length) return found;
	}
	return undefined;
}

/** Formats a choice for a comma-separated list. */
function listedChoice(choice: string): string {
	const line = cleanLine(choice);
	return hasSeparator(line) ? `"${line}"` : line;
}

const SHOWN_CHOICES = 12;

/** Explains which of the given texts aren't choices of a question, and how to fix them. */
export function choiceProblem(
	unknown: readonly string[],
	question: Question,
	words: YesNoWords | undefined,
): ValueProblem {
	const { choices } = question;
	const nearest = nearestName(unknown[0] ?? '', choices);
	const meant = nearest && cleanLine(nearest);
	const shown = unknown
		.slice(0, SHOWN_CHOICES)
		.map((text, index) => nameAndMeant(cleanLine(text), index === 0 ? meant : undefined));
	const yesNo = words && yesNoOf(question);
	const listed = choices
		.slice(0, SHOWN_CHOICES)
		.map((choice) => (cleanLine(choice) || '""') + (yesNo ? wordsFor(choice, yesNo, words) : ''));
	const possible = listText(listed, choices.length, ' | ');
	const what = unknown.length === 1 ? "isn't one of" : "aren't among";
	const message = `${what} its choices: ${possible}${choiceFix(unknown, question, words)}`;
	const value = listText(shown, unknown.length);
	if (words !== undefined || yesNoOf(question) === undefined || !unknown.every(isYesNoWord)) {
		return { value, message };
	}
	// Report all words for yes and no in one line. The fix in this line comes from a word of a single language, such as
	// "sí". The word "no" belongs to several languages, so it doesn't show which words to set.
	const isClear = pairedWords(unknown, question) !== undefined;
	return {
		value,
		message,
		kind: 'words for yes and no',
		...(isClear && { option: 'Words for Yes' }),
	};
}

/** Returns how to set the options for yes and no, if all words are from one language. Otherwise undefined. */
function pairedWords(unknown: readonly string[], question: Question): string | undefined {
	if (yesNoOf(question) === undefined) return undefined;
	const [fix, another] = new Set(unknown.map(wordsFix));
	return another === undefined ? fix : undefined;
}

function choiceFix(
	unknown: readonly string[],
	question: Question,
	words: YesNoWords | undefined,
): string {
	const { type, choices } = question;
	const isWord = (text: string) =>
		[words?.yes, words?.no].some((known) => known?.has(foldName(text)));
	if (choices.length > 0 && unknown.every(isWord)) {
		return choices.length === 2
			? ". The names of the choices don't show which one means yes, so write the choice itself"
			: ". 'Words for Yes' and 'Words for No' work only for questions with two choices and for checkboxes with one, so write the choice itself";
	}
	if (words === undefined && yesNoOf(question) !== undefined && unknown.every(isMark)) {
		const fix = pairedWords(unknown, question);
		return `. ${fix ?? "Set the options 'Words for Yes' and 'Words for No' to the words of your sheet"}`;
	}
	const day = unknown
		.map(Number)
		.map(spreadsheetMoment)
		.find((moment) => moment?.includes('-'));
	const dateLike = choices.find((choice) => LIKE_A_DATE.test(choice));
	if (day !== undefined && dateLike !== undefined) {
		return `. Excel may have changed a choice such as "${cleanLine(dateLike)}" to ${day}. Format the column as text in Excel, and enter the choices again`;
	}
	if (type === 'radio') return '';
	const apart = unknown.map((text) => choicesApart(text, choices));
	if (apart.length > 0 && apart.every((found) => found !== undefined)) {
		const listed = [...new Set(apart.flat())].slice(0, SHOWN_CHOICES);
		return `. Write several choices with commas: ${listed.map(listedChoice).join(', ')}`;
	}
	if (unknown.some((text) => hasSeparator(cleanLine(text)))) return '. Enter each choice once';
	return choices.some(hasSeparator) ? '. Put a choice with a comma into double quotes' : '';
}

/** Matches choices that Excel changes to dates: `1-2`, `3/4`. It then stores the day's number. */
const LIKE_A_DATE = /^\s*\d{1,2}\s*[-/.]\s*\d{1,2}\s*$/;

/** Returns the words for a choice as a suffix of its name in messages: ` (Words for Yes: x, ja)`. */
function wordsFor(choice: string, { yes, no }: YesNo, words: YesNoWords): string {
	if (choice !== yes && choice !== no) return '';
	const [option, known] =
		choice === yes ? ['Words for Yes', words.yes] : ['Words for No', words.no];
	if (known.size === 0) return ` ('${option}' is empty)`;
	return ` (${option}: ${cleanLine([...known.values()].join(', '))})`;
}

/**
 * Returns how to set the two options for a word in the sheet: `Set the option 'Words for Yes' to "tak" …`.
 * Both words of a language give the same text. Undefined for a word that is unknown or belongs to several languages.
 */
function wordsFix(word: string): string | undefined {
	const given = foldName(word);
	const [pair, another] = WORD_PAIRS.filter((words) => words.includes(given));
	const [yes, no] = pair ?? [];
	if (yes === undefined || no === undefined || another !== undefined) return undefined;
	return `Set the option 'Words for Yes' to "${yes}" and the option 'Words for No' to "${no}"`;
}

/** Whether a word means yes or no in any language of `WORD_PAIRS`. */
function isYesNoWord(word: string): boolean {
	return WORD_PAIRS.some((words) => words.includes(foldName(word)));
}
