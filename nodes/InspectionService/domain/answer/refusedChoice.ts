import { cleanLine, listText } from '../formatting';
import { nameAndMeant, nearestName } from '../nearestName';
import { foldName, isBlank } from '../normalizeText';
import type { ValueProblem } from '../problem';
import type { Question } from '../template/questions';
import { findChoice, hasSeparator, readChoices } from './choices';
import { spreadsheetMoment } from './spreadsheetDate';
import { choiceOfWords, isMark, WORD_PAIRS, yesNoOf, type YesNoWords } from './yesNo';

/** Maximum choices in a message. */
const SHOWN_CHOICES = 12;

/** Explains why a value isn't a choice of a question, and how to fix it. */
export function choiceProblem(
	question: Question,
	given: unknown,
	words: YesNoWords | undefined,
): Omit<ValueProblem, 'value'> & { value?: string } {
	const { type, choices } = question;
	const read = readChoices(given, choices, choiceOfWords(question, words));
	if (read.choices !== undefined) {
		return { message: `contains ${String(read.choices.length)} choices. Enter only one` };
	}
	const unknown = type === 'radio' && typeof given === 'string' ? [given] : read.unknown;
	const nearest = nearestName(unknown[0] ?? '', choices);
	const meant = nearest && cleanLine(nearest);
	const shown = unknown
		.slice(0, SHOWN_CHOICES)
		.map((text, index) => nameAndMeant(cleanLine(text), index === 0 ? meant : undefined));
	const listed = choices.slice(0, SHOWN_CHOICES).map((choice) => cleanLine(choice) || '""');
	const what = unknown.length === 1 ? "isn't one of" : "aren't among";
	const possible = listText(listed, choices.length, ' | ');
	const { fix, ...others } = wordsFix(unknown, question, words) ?? {
		fix: excelFix(unknown, choices) ?? separatorFix(unknown, question),
	};
	const message = `${what} its choices: ${possible}${fix === undefined ? '' : `. ${fix}`}`;
	return { value: listText(shown, unknown.length), message, ...others };
}

/** How to fix words that mean yes or no: with the options for these words, or without them. Undefined for other text. */
function wordsFix(
	unknown: readonly string[],
	question: Question,
	words: YesNoWords | undefined,
): ({ fix: string } & Pick<ValueProblem, 'kind' | 'option'>) | undefined {
	const hasYesNo = yesNoOf(question) !== undefined;
	if (words === undefined && !hasYesNo) return undefined;
	const names = unknown.map(foldName);
	if (words !== undefined && names.every((name) => words.has(name))) {
		const fix =
			"'Words for Yes' and 'Words for No' work only for two choices such as Yes and No, and for checkboxes with one choice. Write the choice itself";
		return { fix };
	}
	if (!hasYesNo || !unknown.every(isMark)) return undefined;
	const fix = "Set the options 'Words for Yes' and 'Words for No' to the words of your sheet";
	const pairs = WORD_PAIRS.filter((pair) => names.every((name) => pair.includes(name)));
	const [[yes = '', no = ''] = []] = pairs;
	if (words !== undefined || yes === '') return { fix };
	// All words of a language are reported in one line. A word such as "no" belongs to several languages, so the fix in
	// that line comes from a word of a single language, such as "sí".
	const kind = 'words for yes and no';
	if (pairs.length > 1) return { fix, kind };
	const exactFix = `Set the option 'Words for Yes' to "${yes}" and the option 'Words for No' to "${no}"`;
	return { fix: exactFix, kind, option: 'Words for Yes' };
}

/** Matches choices that Excel changes to dates: `1-2`, `3/4`. It then stores the day's number. */
const LIKE_A_DATE = /^\s*\d{1,2}\s*[-/.]\s*\d{1,2}\s*$/;

function excelFix(unknown: readonly string[], choices: readonly string[]): string | undefined {
	const day = unknown
		.map(Number)
		.map(spreadsheetMoment)
		.find((moment) => moment?.includes('-'));
	const dateLike = choices.find((choice) => LIKE_A_DATE.test(choice));
	if (day === undefined || dateLike === undefined) return undefined;
	return `Excel may have changed a choice such as "${cleanLine(dateLike)}" to ${day}. Format the column as text in Excel, and enter the choices again`;
}

function separatorFix(unknown: readonly string[], { type, choices }: Question): string | undefined {
	if (type === 'radio') return undefined;
	const apart = unknown.map((text) => choicesApart(text, choices));
	if (apart.every((found) => found !== undefined)) {
		const listed = [...new Set(apart.flat())].slice(0, SHOWN_CHOICES).map((choice) => {
			const line = cleanLine(choice);
			return hasSeparator(line) ? `"${line}"` : line;
		});
		return `Write several choices with commas: ${listed.join(', ')}`;
	}
	return choices.some(hasSeparator) ? 'Put a choice with a comma into double quotes' : undefined;
}

/** Matches what people write between choices, other than the separators that Create reads: ` + `, `|`, ` und `. */
const BETWEEN_CHOICES = /\s(?:\p{L}{1,4}|[^\p{L}\s])\s|[^\p{L}\p{N}\s]|\t/gu;
/** Limits the search for separators in long text: characters of the text, and separators. */
const [MAX_APART, MAX_SEPARATORS] = [500, 20];

/** Splits text such as `Wind + rain` or `Wind and rain` into choices. Undefined unless every part is a choice. */
function choicesApart(text: string, choices: readonly string[]): string[] | undefined {
	if (choices.length === 0 || text.length > MAX_APART) return undefined;
	const separators = new Set(text.trim().match(BETWEEN_CHOICES));
	for (const separator of [...separators].slice(0, MAX_SEPARATORS)) {
		const parts = text.split(separator).filter((part) => !isBlank(part));
		const found = parts.flatMap((part) => findChoice(part.trim(), choices) ?? []);
		if (found.length > 1 && found.length === parts.length) return found;
	}
	return undefined;
}
