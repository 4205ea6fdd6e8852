import { readChoices } from './choiceText';

/** Choices as one text, such as `Dust, Noise`. */
export type JoinChoices = (values: readonly string[]) => string;

/** Characters that mean more to `readChoices` than a part of a choice, and blanks at the ends, which it ignores. */
const SPECIAL = /[,;\r\n"[]|^\s|\s$/;
const SEPARATOR = /[,;\r\n]/;

/**
 * Makes a function that joins the choices of an answer to one text. `readChoices` reads the same choices from this
 * text. A choice that the template no longer has stays unknown and never becomes another one.
 *
 * The parts are joined by `, `. Where that text would be read in another way, the parts stand in double quotes, or the
 * text is JSON. For example, `"A, B"` is one choice in a template that also has A and B.
 *
 * `choices` are the template's, empty where it shows none. Linear in the length of the values where neither they nor
 * the choices hold commas, quotes or line breaks.
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
