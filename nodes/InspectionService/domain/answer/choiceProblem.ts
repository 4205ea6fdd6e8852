import { nameAndMeant, nearestName } from '../nearestName';
import type { ValueProblem } from '../problem';
import { listText } from '../shownText';
import type { Question } from '../template/questions';
import { shortened } from './shownValue';
import { isMark, wordsFor, yesNoOf, type YesNoWords } from './yesNo';

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
	const shown = unknown.slice(0, SHOWN_CHOICES).map((value) => shownMeaning(value, choices));
	const more = choices.length - SHOWN_CHOICES;
	const listed = choices
		.slice(0, SHOWN_CHOICES)
		.map(
			(choice) =>
				shortened(choice) + shortened(words && yesNo ? wordsFor(choice, yesNo, words) : ''),
		);
	const list = `${listed.join(' | ')}${more > 0 ? ` | … ${String(more)} more` : ''}`;
	const verb = unknown.length === 1 ? 'is' : 'are';
	const isWordMissing = yesNo !== undefined && words === undefined && unknown.every(isMark);
	const cure = isWordMissing ? '; the options Yes Is and No Is read other words for them' : '';
	const wrong = `${verb} not among its choices; possible: ${list}${cure}`;
	return { value: listText(shown, unknown.length), wrong };
}

/** A value that is no choice, with the choice that is most likely meant. */
function shownMeaning(value: string, choices: readonly string[]): string {
	const meant = nearestName(value, choices);
	return nameAndMeant(shortened(value), meant && shortened(meant));
}
