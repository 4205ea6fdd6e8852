import type { Answer } from '../answer/answer';
import { findChoice } from '../answer/choices';
import { isChecked, type YesNoWords } from '../answer/yesNo';
import { listText, quotedList, SHOWN_NAMES, shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import { foldName, isBlank, withoutAccents } from '../normalizeText';
import type { Problem, ValueProblem } from '../problem';
import { isAddedByN8n, isRowKey } from '../rowKeys';
import type { Form } from '../template/form';
import { isQuestion, type Question } from '../template/questions';
import { columnFor, type Meant, placeOf, problemOfAll } from './nearColumns';
import type { SheetRow } from './sheetRow';

/** A column for one choice of a question, in the template's spelling. Its cells say in which rows the choice applies. */
interface ChoiceColumn extends Meant {
	readonly choice: string;
}

/** The columns of a sheet that stand for one choice each, and the problems of those that can't be read. */
export interface ChoiceColumns {
	readonly columns: ReadonlyMap<string, ChoiceColumn>;
	readonly problems: ReadonlyMap<string, Problem>;
}

/** Matches the end of a question's name before its choice: `DPI/Casco`, `DPI: Casco`, `DPI [Casco]`, `DPI (Casco)`. */
const SEPARATOR = /\s?([/:[(])/g;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')' };
/** Matches the number of an instance at the end of a column's name: `DPI/Casco:2`. */
const INSTANCE = /:(\d{1,4})$/;
/** Maximum separators of a name that are tried, from its end. Paths of templates have a handful of levels. */
const MAX_SEPARATORS = 10;
const MANUALLY = "or choose 'Map Each Column Manually'";

/**
 * Finds the columns of a sheet that stand for one choice each. A column that names a question is never one of them.
 * `names` are all columns of the rows (`allColumns`).
 */
export function findChoiceColumns(
	form: Form,
	names: readonly string[],
	rows: readonly SheetRow[],
	words: YesNoWords | undefined,
): ChoiceColumns {
	const byChoice = questionsByChoice(form);
	const columns = new Map<string, ChoiceColumn>();
	const problems = new Map<string, Problem>();
	for (const column of names) {
		if (isRowKey(column) || isAddedByN8n(column)) continue;
		if (form.keys.find(column).columns.length > 0) continue;
		const isMarked = () => rows.some((row) => isChecked(row[column], words) !== undefined);
		const meaning =
			afterQuestion(form, column, isMarked) ?? alone(form, byChoice, column, isMarked);
		if (meaning === undefined) continue;
		if ('choice' in meaning) columns.set(column, meaning);
		else problems.set(column, meaning);
	}
	for (const [column, problem] of answeredTwice(form, rows, columns)) {
		problems.set(column, problem);
		columns.delete(column);
	}
	return { columns, problems };
}

/** An answer from the columns of its choices. `refused` has the problem of cells that are neither yes nor no. */
type ChosenAnswer = Pick<Answer, 'question' | 'order' | 'given' | 'key' | 'inArray'> & {
	readonly refused: { problem: ValueProblem } | undefined;
};

/** Returns the choices of a row, as if one column had them as a list. */
export function chosenAnswers(
	values: SheetRow,
	{ columns }: ChoiceColumns,
	words: YesNoWords | undefined,
): ChosenAnswer[] {
	const cells = Object.entries(values).flatMap(([key, cell]) => {
		const column = isBlank(cell) ? undefined : columns.get(key);
		if (column === undefined) return [];
		return [{ ...column, key, cell, isChosen: isChecked(cell, words) }];
	});
	return [...groupBy(cells, placeOf).values()].flatMap((ofPlace) => {
		const [first] = ofPlace;
		if (first === undefined) return [];
		const { question, instance: order, key } = first;
		const given = ofPlace.flatMap(({ isChosen, choice }) => (isChosen === true ? [choice] : []));
		const unclear = ofPlace.filter(({ isChosen }) => isChosen === undefined);
		const refused = unclear.length === 0 ? undefined : { problem: unclearCells(unclear) };
		return [{ question, order, given, key, inArray: false, refused }];
	});
}

/**
 * Reads a column's name as a question and its choice. Returns a problem if the question has no such choice, or accepts
 * only one.
 */
function afterQuestion(
	form: Form,
	column: string,
	isMarked: () => boolean,
): ChoiceColumn | Problem | undefined {
	const found = readingsOf(column).flatMap(({ name, number }) =>
		[...name.matchAll(SEPARATOR)].slice(-MAX_SEPARATORS).flatMap((separator) => {
			const { columns, instance = 1 } = form.keys.find(name.slice(0, separator.index));
			const [question, another] = columns;
			const end = CLOSING[separator[1] ?? ''] ?? '';
			if (question === undefined || another !== undefined || !name.endsWith(end)) return [];
			if (!isQuestion(question) || question.choices.length === 0) return [];
			const rest = name.slice(separator.index + separator[0].length, name.length - end.length);
			const choice = findChoice(rest, question.choices);
			return [{ question, instance: number ?? instance, choice, rest: rest.trim() }];
		}),
	);
	for (const { choice, ...place } of found) {
		if (choice === undefined) continue;
		return place.question.type === 'radio' ? acceptsOne(form, column, place) : { ...place, choice };
	}
	const [other] = found.filter(({ question }) => question.type === 'checkbox');
	return other !== undefined && isMarked() ? noSuchChoice(column, other) : undefined;
}

/**
 * Reads a column's name as a choice. The column needs a cell that says yes or no, because other columns can have the
 * name of a choice: `Other` can contain text. Returns a problem if several questions have the choice.
 */
function alone(
	form: Form,
	byChoice: ReadonlyMap<string, readonly Question[]>,
	column: string,
	isMarked: () => boolean,
): ChoiceColumn | Problem | undefined {
	const readings = readingsOf(column).map(({ name, number: instance = 1 }) =>
		(byChoice.get(bareName(name)) ?? []).flatMap((question): ChoiceColumn[] => {
			const choice = findChoice(name, question.choices);
			return choice === undefined ? [] : [{ question, instance, choice }];
		}),
	);
	const found = readings.find(({ length }) => length > 0) ?? [];
	const [first, another] = found;
	if (!found.some(({ question }) => question.type === 'checkbox') || !isMarked()) return undefined;
	return another === undefined ? first : severalQuestions(form, column, found);
}

/** Returns the ways to read a column's name: whole, because a choice can be `08:00`, and without an instance number. */
function readingsOf(column: string): { name: string; number: number | undefined }[] {
	const whole = { name: column, number: undefined };
	const found = INSTANCE.exec(column);
	if (found === null) return [whole];
	return [whole, { name: column.slice(0, found.index), number: Number(found[1]) }];
}

/** Returns the questions that have a choice, by `bareName`. */
function questionsByChoice({ questions }: Form): Map<string, Question[]> {
	const found = new Map<string, Question[]>();
	for (const question of questions) {
		for (const choice of new Set(question.choices.map(bareName))) {
			found.set(choice, [...(found.get(choice) ?? []), question]);
		}
	}
	return found;
}

function bareName(name: string): string {
	return withoutAccents(foldName(name));
}

/** Returns the problems of the columns whose question, or whose choice, another column answers, too. */
function answeredTwice(
	form: Form,
	rows: readonly SheetRow[],
	columns: ReadonlyMap<string, ChoiceColumn>,
): (readonly [column: string, problem: Problem])[] {
	if (columns.size === 0) return [];
	const filled = new Set<string>();
	for (const row of rows) {
		for (const [key, cell] of Object.entries(row)) if (!isBlank(cell)) filled.add(key);
	}
	const owners = new Map(
		[...filled].flatMap((column) => {
			const { columns: found, instance = 1 } = form.keys.find(column);
			return isRowKey(column)
				? []
				: found.filter(isQuestion).map((question) => [placeOf({ question, instance }), column]);
		}),
	);
	const all = [...columns].map(([column, place]) => ({ column, ...place }));
	return [...groupBy(all, placeOf)].flatMap(([place, ofPlace]) => {
		const owner = owners.get(place);
		const sames = [...groupBy(ofPlace, ({ choice }) => choice).values()];
		const rivals = sames.find(({ length }) => length > 1);
		const problem = owner === undefined ? rivals && sameChoice(rivals) : hasOwner(owner, ofPlace);
		return problem === undefined ? [] : ofPlace.map(({ column }) => [column, problem] as const);
	});
}

function severalQuestions(form: Form, column: string, places: readonly ChoiceColumn[]): Problem {
	const names = places.map((place) => `${columnFor(form, place)}/${place.choice}`);
	const questions = quotedList(places.map(({ question }) => question.name));
	return problemOfAll(
		`"${column}" is a choice of several questions: ${questions}. Rename the column to ${quotedList(names, ' or ')}, ${MANUALLY}`,
	);
}

function acceptsOne(form: Form, column: string, { question }: Meant): Problem {
	const name = form.keys.keyOf(question);
	return problemOfAll(
		`"${column}" stands for one choice, but "${question.name}" accepts only one. Write the choice into a column "${name}", ${MANUALLY}`,
	);
}

function noSuchChoice(column: string, { question, rest }: Meant & { rest: string }): Problem {
	return problemOfAll(
		`"${column}" isn't a choice of "${question.name}": "${rest}" isn't among ${quotedList(question.choices)}. Correct the name of the column, or remove the column`,
	);
}

function hasOwner(owner: string, ofPlace: readonly { column: string }[]): Problem {
	const columns = quotedList(ofPlace.map(({ column }) => column));
	return problemOfAll(
		`"${owner}" is answered twice: by the column "${owner}", and by a column for each choice (${columns}). Remove one of the two, ${MANUALLY}`,
	);
}

function sameChoice(columns: readonly { column: string; choice: string }[]): Problem {
	const names = quotedList(columns.map(({ column }) => column));
	return problemOfAll(
		`The columns ${names} are for the same choice, "${columns[0]?.choice ?? ''}". Keep only one, ${MANUALLY}`,
	);
}

function unclearCells(cells: readonly { key: string; cell: unknown }[]): ValueProblem {
	const shown = cells
		.slice(0, SHOWN_NAMES)
		.map(({ key, cell }) => `${shownValue(cell)} in "${key}"`);
	const verb = cells.length === 1 ? 'is' : 'are';
	const message = `${verb} neither yes nor no. Enter X if the choice applies, leave the cell empty if it doesn't, or set the options 'Words for Yes' and 'Words for No'`;
	return { value: listText(shown, cells.length), message, kind: 'yes or no' };
}
