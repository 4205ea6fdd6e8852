import { separatorsIn } from '../answer/choiceIndex';
import { isSameSet, readChoices } from '../answer/choices';
import { numberFromText } from '../answer/numbers';
import { isRecord, type JsonValue } from '../json';
import type { Question } from '../template/questions';
import { localDate, zonedDate } from './localDate';

/**
 * The parts of a question that its cells depend on. `type` may also be one that Create cannot fill, or ''. `showTime` is
 * undefined where the question is not in the template: then nobody knows whether its dates are days or moments.
 */
type CellQuestion = Pick<Question, 'choices'> & {
	readonly type: string;
	readonly showTime?: boolean;
};

/** Turns a stored value into one that fits a cell: text, number, boolean or null. */
export type MakeCell = (value: JsonValue | undefined) => JsonValue;

/**
 * Makes the cells of one question. Automatic mapping reads the same answer from each. Several choices become one text
 * (see `choiceJoiner`), and anything nested becomes JSON. A number that is stored as text (`"21.50"`) becomes a number
 * where that loses no digits; one of 20 digits stays text. With `localZone` (IANA) dates are as people write them there
 * (see `localDate`), otherwise as they are stored, with their zone.
 */
export function cellMaker(question: CellQuestion, localZone?: string): MakeCell {
	const join = choiceJoiner(question.choices);
	const textCell = textCellOf(question, join, localZone);
	return (value) => {
		if (value === undefined || value === null) return null;
		if (typeof value === 'string') return textCell(value);
		if (isRecord(value)) return JSON.stringify(value);
		return Array.isArray(value) ? listCell(value, join) : value;
	};
}

function textCellOf(
	{ type, choices, showTime }: CellQuestion,
	join: (values: readonly string[]) => string,
	localZone: string | undefined,
): (text: string) => JsonValue {
	switch (type) {
		case 'date':
			if (showTime === undefined) return (text) => text;
			if (localZone === undefined) return (text) => zonedDate(text, showTime);
			return (text) => localDate(text, { timeZone: localZone, showTime });
		case 'number':
			return (text) => numberFromText(text) ?? text;
		case 'checkbox':
		case 'dropdown':
			return (text) => join([text]);
		case 'radio':
			// Create takes a radio's text whole where the template shows no choices.
			return (text) => (choices.length === 0 ? text : join([text]));
		default:
			return (text) => text;
	}
}

function listCell(list: readonly JsonValue[], join: (values: readonly string[]) => string) {
	const given = list.filter((element) => element !== null && element !== '');
	if (given.length === 0) return null;
	return given.some((element) => typeof element === 'object')
		? JSON.stringify(list)
		: join(given.map(String));
}

/** Choices as one text, such as `Dust, Noise`. */
type JoinChoices = (values: readonly string[]) => string;

/** Characters that mean more to `readChoices` than a part of a choice, and blanks at the ends, which it ignores. */
const SPECIAL = /[,;\r\n"[]|^\s|\s$/;

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
	const canBeSplit = !choices.some((choice) => separatorsIn(choice) > 0);
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
	return isSameSet(a.choices ?? [], b.choices ?? []) && isSameSet(a.unknown ?? [], b.unknown ?? []);
}
