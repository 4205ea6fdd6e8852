import { nameAndMeant, nearestName } from '../nearestName';
import type { ValueProblem } from '../problem';
import { listText } from '../shownText';
import type { Question } from '../template/questions';
import { separatorsIn } from './choiceIndex';
import { shortened } from './shownValue';
import { isMark, isWord, wordsFor, yesNoOf, type YesNoWords } from './yesNo';

/** Choices that a message lists. The message stays short so, and the editor shows all of them. */
const SHOWN_CHOICES = 12;

/** Why texts are no answer to a question with choices: they are none of them. */
export function notAChoice(
	unknown: readonly string[],
	question: Question,
	words: YesNoWords | undefined,
): ValueProblem {
	const { choices } = question;
	const yesNo = yesNoOf(question);
	const [first = '', ...others] = unknown.slice(0, SHOWN_CHOICES).map(shortened);
	const meant = nearestName(unknown[0] ?? '', choices);
	const shown = [
		nameAndMeant(first, meant && shortened(meant)),
		...others.map((value) => `"${value}"`),
	];
	const listed = choices
		.slice(0, SHOWN_CHOICES)
		.map((choice) => shortened(choice) + (words && yesNo ? wordsFor(choice, yesNo, words) : ''));
	const list = listText(listed, choices.length, ' | ');
	const verb = unknown.length === 1 ? 'is' : 'are';
	const wrong = `${verb} not among its choices; possible: ${list}${cureOf(unknown, question, words)}`;
	return { value: listText(shown, unknown.length), wrong };
}

function cureOf(
	unknown: readonly string[],
	question: Question,
	words: YesNoWords | undefined,
): string {
	if (words !== undefined && question.choices.length === 2 && unknown.every(isWord(words))) {
		return '; which of them is meant cannot be told from their names, so write the choice itself';
	}
	if (yesNoOf(question) !== undefined && words === undefined && unknown.every(isMark)) {
		return '; the options Yes Words and No Words read other words for them';
	}
	if (question.type === 'radio') return '';
	if (unknown.some((text) => separatorsIn(shortened(text)) > 0)) return '; give each choice once';
	const hasSeparators = question.choices.some((choice) => separatorsIn(choice) > 0);
	return hasSeparators ? '; put a choice with a comma into double quotes' : '';
}
