import { readChoices } from './choiceText';

/** Choices as one text, such as `Dust, Noise`. */
export type JoinChoices = (values: readonly string[]) => string;

/** What gives a text another meaning than "these parts, with commas between them". */
const SPECIAL = /[,;\r\n"[]|^\s|\s$/;
const SEPARATOR = /[,;\r\n]/;

/**
 * Makes one text of the choices that an answer holds. `readChoices` reads the text as the same choices; a choice
 * that the template no longer has stays one that it does not know, and never becomes another. The parts are joined
 * by `, `. Double quotes or JSON stand only where that text would be read in another way: `"A, B"` beside the
 * choices A and B.
 *
 * `choices` are the template's, empty where it shows none. Linear in the length of the values where neither they
 * nor the choices hold commas, quotes or line breaks.
 */
export function choiceJoiner(choices: readonly string[]): JoinChoices {
	const known = new Set(choices);
	const canBeSplit = !choices.some((choice) => SEPARATOR.test(choice));
	const isPlain = (value: string) =>
		value !== '' && !SPECIAL.test(value) && (known.size === 0 || known.has(value));
	return (values) => {
		const plain = values.join(', ');
		if (canBeSplit && values.every(isPlain)) return plain;
		const meant = readChoices([...values], choices);
		const isRead = (text: string) => isSameReading(readChoices(text, choices), meant);
		if (isRead(plain)) return plain;
		const quoted = values.map((value) => `"${value.replaceAll('"', '""')}"`).join(', ');
		return isRead(quoted) ? quoted : JSON.stringify(values);
	};
}

type Reading = ReturnType<typeof readChoices>;

function isSameReading(a: Reading, b: Reading): boolean {
	return isSameSet(a.choices, b.choices) && isSameSet(a.unknown, b.unknown);
}

function isSameSet(a: readonly string[] = [], b: readonly string[] = []): boolean {
	const [left, right] = [new Set(a), new Set(b)];
	return left.size === right.size && [...left].every((value) => right.has(value));
}
