import type { Answer } from '../answer/answer';
import { findChoice } from '../answer/choices';
import { isChecked, type YesNoWords } from '../answer/yesNo';
import { listText, quotedList, SHOWN_NAMES, shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import { foldName, isBlank, withoutAccents } from '../normalizeText';
import type { Problem, ValueProblem } from '../problem';
import { isRowKey } from '../rowKeys';
import type { Form } from '../template/form';
import { instanceKey } from '../template/keys';
import { isQuestion, type Question } from '../template/questions';
import { lookOf } from './identity';
import { isWithoutHeader, type SheetRow } from './sheetRow';

// What the columns that match no question are meant for: one choice of a question, or a question with a similar name.

/** A question, and the instance of its section. */
interface Place {
	readonly question: Question;
	readonly instance: number;
}

/** A column for one choice of a question, in the template's spelling. Its cells say in which rows the choice applies. */
interface ChoiceColumn extends Place {
	readonly column: string;
	readonly choice: string;
}

export type ChoiceColumns = ReadonlyMap<string, ChoiceColumn>;

const MANUALLY = "or choose 'Map Each Column Manually'";

/**
 * Returns the columns for one choice each, and the problem of each other column that seems to be meant for a question.
 * Every scheduled run would otherwise lose such a column. `columns` are all columns of the rows.
 */
export function meantColumns(
	form: Form,
	columns: readonly string[],
	rows: readonly SheetRow[],
	words?: YesNoWords,
): { choices: ChoiceColumns; problems: ReadonlyMap<string, Problem> } {
	const named = columns.filter((column) => !isRowKey(column) && !isWithoutHeader(column));
	const others = named.filter((column) => form.keys.find(column).columns.length === 0);
	const choices = new Map<string, ChoiceColumn>();
	const problems = new Map<string, Problem>();
	const choiceOf = choiceFinder(form);
	for (const column of others) {
		const isMarked = () => rows.some((row) => isChecked(row[column], words) !== undefined);
		const meaning = choiceOf(column, isMarked);
		if (typeof meaning === 'string') problems.set(column, problemOfAll(meaning));
		else if (meaning !== undefined) choices.set(column, meaning);
	}
	const owners = groupBy(
		named.flatMap((column) => {
			const { columns: found, instance = 1 } = form.keys.find(column);
			return found.filter(isQuestion).map((question) => ({ column, question, instance }));
		}),
		placeOf,
	);
	const isFilled = ({ column }: { column: string }) => rows.some((row) => !isBlank(row[column]));
	for (const [place, ofPlace] of groupBy([...choices.values()], placeOf)) {
		const problem = answeredTwice(ofPlace, owners.get(place)?.find(isFilled)?.column);
		if (!owners.has(place)) owners.set(place, []);
		if (problem === undefined) continue;
		for (const { column } of ofPlace) {
			problems.set(column, problem);
			choices.delete(column);
		}
	}
	const nearTo = nearFinder(form);
	for (const column of others) {
		const place = choices.has(column) || problems.has(column) ? undefined : nearTo(column);
		if (place === undefined || owners.has(placeOf(place))) continue;
		const name = `"${columnFor(form, place)}"`;
		const message = `"${column}" matches no question, but it resembles ${name}, which no column answers. Rename the column to ${name}, ${MANUALLY}`;
		problems.set(column, problemOfAll(message));
	}
	return { choices, problems };
}

/** Returns the problem of columns. Its cause is the header row, so it's reported once, without row numbers. */
function problemOfAll(message: string): Problem {
	return { message, kind: message, isOfAll: true };
}

function placeOf({ question, instance }: Place): string {
	return `${question.columnId} ${String(instance)}`;
}

/** Returns a name for a column that answers a question: `Severity`, or `Severity:2` for the second instance. */
function columnFor(form: Form, { question, instance }: Place): string {
	return instanceKey(form.keys.keyOf(question), instance);
}

/** Matches the number of an instance at the end of a column's name: `Crack:2`. */
const INSTANCE = /:(\d{1,4})$/;
/** Matches it in other notations, which only resemble a name: `Finding[1]/Text`, `Finding:1/Text`, `Text[2]`, `Text_2`. */
const SIMILAR_INSTANCE = /[[:](\d{1,3})\]?(?=\/|$)|_(\d{1,3})$/;

/** Returns the ways to read a column's name: whole, because a choice can be `08:00`, and without an instance number. */
function readingsOf(column: string, instance: RegExp): { name: string; number?: number }[] {
	const [found, inPath, atEnd] = instance.exec(column) ?? [];
	if (found === undefined) return [{ name: column }];
	return [
		{ name: column },
		{ name: column.replace(instance, ''), number: Number(inPath ?? atEnd) },
	];
}

/**
 * Returns a function that finds the choice for which a column is named. It returns a text for a column that can't be
 * used. A column without the name of its question needs a cell that says yes or no, because other columns can have the
 * name of a choice: `Other` can contain text.
 */
function choiceFinder(form: Form) {
	const byChoice = new Map<string, Set<Question>>();
	for (const question of form.questions) {
		for (const choice of question.choices.map(bareName)) {
			byChoice.set(choice, (byChoice.get(choice) ?? new Set()).add(question));
		}
	}
	return (column: string, isMarked: () => boolean): ChoiceColumn | string | undefined => {
		const readings = readingsOf(column, INSTANCE);
		const named = readings.flatMap(({ name, number }) => afterQuestion(form, name, number));
		const [ofQuestion] = named.flatMap((one) => choicesOf(column, one));
		if (ofQuestion !== undefined) return ofQuestion;
		const other = named.find(({ question }) => question.type === 'checkbox');
		if (other !== undefined) return isMarked() ? noSuchChoice(column, other) : undefined;
		const bare = readings.map(({ name, number: instance = 1 }) =>
			[...(byChoice.get(bareName(name)) ?? [])].flatMap((question) =>
				choicesOf(column, { question, instance, rest: name }),
			),
		);
		const found = bare.find(({ length }) => length > 0) ?? [];
		if (!found.some(({ question }) => question.type === 'checkbox') || !isMarked())
			return undefined;
		return found.length === 1 ? found[0] : severalQuestions(form, found);
	};
}

function bareName(name: string): string {
	return withoutAccents(foldName(name));
}

/** A question that is named in a column, and the rest of the column's name. */
interface NamedQuestion extends Place {
	readonly rest: string;
}

function choicesOf(column: string, { rest, ...place }: NamedQuestion): ChoiceColumn[] {
	const choice = findChoice(rest, place.question.choices);
	return choice === undefined ? [] : [{ ...place, column, choice }];
}

/** Matches the end of a question's name before its choice: `DPI/Casco`, `DPI: Casco`, `DPI [Casco]`, `DPI (Casco)`. */
const SEPARATOR = /\s?([/:[(])/g;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')' };
/** Maximum separators of a name that are tried, from its end. Paths of templates have a handful of levels. */
const MAX_SEPARATORS = 10;

/** Returns the questions with choices whose name is before a separator. */
function afterQuestion(form: Form, name: string, number?: number): NamedQuestion[] {
	const separators = [...name.matchAll(SEPARATOR)].slice(-MAX_SEPARATORS);
	return separators.flatMap(({ index, 0: separator, 1: sign = '' }) => {
		const { columns, instance = 1 } = form.keys.find(name.slice(0, index));
		const [question, another] = columns;
		const end = CLOSING[sign] ?? '';
		if (question === undefined || another !== undefined || !name.endsWith(end)) return [];
		if (!isQuestion(question) || question.choices.length === 0) return [];
		const rest = name.slice(index + separator.length, name.length - end.length).trim();
		return [{ question, instance: number ?? instance, rest }];
	});
}

function severalQuestions(form: Form, found: readonly ChoiceColumn[]): string {
	const names = found.map((one) => `${columnFor(form, one)}/${one.choice}`);
	const questions = quotedList(found.map(({ question }) => question.name));
	return `"${found[0]?.column ?? ''}" is a choice of several questions: ${questions}. Rename the column to ${quotedList(names, ' or ')}, ${MANUALLY}`;
}

function noSuchChoice(column: string, { question, rest }: NamedQuestion): string {
	return `"${column}" isn't a choice of "${question.name}": "${rest}" isn't among ${quotedList(question.choices)}. Correct the name of the column, or remove the column`;
}

/** Returns the problem of the columns for choices of a question that `owner`, or two columns for a choice, answer, too. */
function answeredTwice(ofPlace: readonly ChoiceColumn[], owner?: string): Problem | undefined {
	const sames = [...groupBy(ofPlace, ({ choice }) => choice).values()];
	const rivals = owner === undefined ? sames.find(({ length }) => length > 1) : ofPlace;
	if (rivals === undefined) return undefined;
	const columns = [...(owner === undefined ? [] : [owner]), ...rivals.map(({ column }) => column)];
	const message = `"${rivals[0]?.question.name ?? ''}" is answered twice, by the columns ${quotedList(columns)}. Keep one column for the question or one for each choice, ${MANUALLY}`;
	return problemOfAll(message);
}

/** An answer from the columns of its choices. `refused` has the problem of cells that are neither yes nor no. */
type ChosenAnswer = Pick<Answer, 'question' | 'order' | 'given' | 'key' | 'inArray'> & {
	readonly refused: { problem: ValueProblem } | undefined;
};

/** Returns the choices of a row, as if one column had them as a list. */
export function chosenAnswers(
	values: SheetRow,
	choices: ChoiceColumns,
	words: YesNoWords | undefined,
): ChosenAnswer[] {
	const cells = Object.entries(values).flatMap(([key, cell]) => {
		const column = isBlank(cell) ? undefined : choices.get(key);
		return column === undefined ? [] : [{ ...column, cell, isChosen: isChecked(cell, words) }];
	});
	return [...groupBy(cells, placeOf).values()].flatMap((ofPlace) => {
		const [first] = ofPlace;
		if (first === undefined) return [];
		const { question, instance: order, column: key } = first;
		const given = ofPlace.flatMap(({ isChosen, choice }) => (isChosen === true ? [choice] : []));
		const unclear = ofPlace.filter(({ isChosen }) => isChosen === undefined);
		const refused = unclear.length === 0 ? undefined : { problem: unclearCells(unclear) };
		return [{ question, order, given, key, inArray: false, refused }];
	});
}

function unclearCells(cells: readonly { column: string; cell: unknown }[]): ValueProblem {
	const shown = cells
		.slice(0, SHOWN_NAMES)
		.map(({ column, cell }) => `${shownValue(cell)} in "${column}"`);
	const verb = cells.length === 1 ? 'is' : 'are';
	const message = `${verb} neither yes nor no. Enter X if the choice applies, leave the cell empty if it doesn't, or set the options 'Words for Yes' and 'Words for No'`;
	return { value: listText(shown, cells.length), message, kind: 'yes or no' };
}

const IN_PARENTHESES = /\([^()]*\)/g;

/** Returns a function that finds the only question whose name is similar to that of a column. */
function nearFinder(form: Form): (column: string) => Place | undefined {
	const byName = new Map<string, Set<Question>>();
	for (const question of form.questions) {
		const { name, label, path, section } = question;
		for (const one of [name, label, path, `${section?.label ?? ''}/${label}`]) {
			for (const key of [looseName(one), withoutSigns(one)]) {
				byName.set(key, (byName.get(key) ?? new Set()).add(question));
			}
		}
	}
	return (column) => {
		for (const { name, number = 1 } of readingsOf(column, SIMILAR_INSTANCE)) {
			const [question, another] =
				byName.get(withoutSigns(name)) ?? byName.get(looseName(name)) ?? [];
			if (question === undefined || another !== undefined) continue;
			return { question, instance: question.section === null ? 1 : number };
		}
		return similarTo(form, column);
	};
}

/** Returns the question whose name has the fewest typing errors (`Form.nearest`). */
function similarTo(form: Form, column: string): Place | undefined {
	const { columns, instance = 1 } = form.keys.find(form.nearest(column) ?? '');
	const [question, another] = columns;
	if (question === undefined || another !== undefined || !isQuestion(question)) return undefined;
	return { question, instance };
}

/** Returns a name without units in parentheses, signs, spaces, and case. */
function looseName(name: string): string {
	return withoutSigns(name.replace(IN_PARENTHESES, ' '));
}

function withoutSigns(name: string): string {
	return lookOf(name).replace(/[^\p{L}\p{N}]/gu, '') || name;
}
