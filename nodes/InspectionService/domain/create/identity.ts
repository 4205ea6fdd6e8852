import { hasLostDigits, shortenedNumberIn } from '../answer/numbers';
import { encodingFix, hasLostCharacters } from '../encoding';
import { CORRECT_FAILED, failedPartOfKey } from '../failedValue';

/**
 * Why a value of Group Rows By or Unique Key can't tell inspections apart, as the end of a sentence about the value.
 * Undefined if it can. `text` is the compared form: different values may have become the same text.
 */
export function whyNoIdentity(given: unknown, text: string): string | undefined {
	const failed = failedPartOfKey(text);
	if (failed !== undefined) {
		return failed === text ? `was ${CORRECT_FAILED}` : `contains ${failed}, ${CORRECT_FAILED}`;
	}
	if (hasLostCharacters(text)) {
		return `could stand for different values. ${encodingFix([text]) ?? ''}`;
	}
	if (hasLostDigits(given) || shortenedNumberIn(text) !== undefined) {
		return "is a long number that lost its last digits, so it isn't unique; format the column as text in Excel, and save the file again";
	}
	return undefined;
}
