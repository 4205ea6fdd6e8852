import type { Problem } from '../problem';
import { isAddedByN8n, isRowKey } from '../rowKeys';
import type { Form } from '../template/form';
import { isQuestion, type Question } from '../template/questions';
import { isWithoutHeader } from './column';
import { lookOf } from './identity';

/** A question, and the instance of its section, that a column answers or was most likely meant for. */
export interface Meant {
	readonly question: Question;
	readonly instance: number;
}

/** Identifies a question and the instance of its section. */
export function placeOf({ question, instance }: Meant): string {
	return `${question.columnId} ${String(instance)}`;
}

/** Returns a name for a column that answers a question: `Severity`, or `Severity:2` for the second instance. */
export function columnFor(form: Form, { question, instance }: Meant): string {
	const key = form.keys.keyOf(question);
	return instance === 1 ? key : `${key}:${String(instance)}`;
}

/** Matches the number of an instance in other notations: `Finding[1]/Text`, `Finding:1/Text`, `Text[2]`, `Text_2`. */
const INSTANCE = /[[:](\d{1,3})\]?(?=\/|$)|_(\d{1,3})$/;
const IN_PARENTHESES = /\([^()]*\)/g;

/**
 * Returns the problem of each column that matches no question, but is near to exactly one that no other column answers.
 * Every scheduled run would otherwise lose the column. `columns` are all columns of the sheet. `ofChoices` has those
 * that stand for one choice each (`findChoiceColumns`).
 */
export function nearColumns(
	form: Form,
	columns: readonly string[],
	ofChoices: ReadonlyMap<string, Meant> = new Map(),
): Map<string, Problem> {
	const found = columns.map((column) => {
		const choice = ofChoices.get(column);
		if (choice === undefined) return { column, ...form.keys.find(column) };
		return { column, columns: [choice.question], instance: choice.instance };
	});
	const answered = new Set(
		found.flatMap((one) =>
			one.columns.flatMap((question) =>
				isQuestion(question) ? placeOf({ question, instance: one.instance ?? 1 }) : [],
			),
		),
	);
	const near = nearFinder(form);
	return new Map(
		found.flatMap(({ column, columns: matches }) => {
			if (matches.length > 0 || isRowKey(column) || isAddedByN8n(column)) return [];
			const meant = isWithoutHeader(column) ? undefined : near(column);
			if (meant === undefined || answered.has(placeOf(meant))) return [];
			return [[column, nearProblem(form, column, meant)] as const];
		}),
	);
}

function nearProblem(form: Form, column: string, meant: Meant): Problem {
	const name = `"${columnFor(form, meant)}"`;
	const message = `"${column}" matches no question, but it resembles ${name}, which no column answers. Rename the column to ${name}, or choose 'Map Each Column Manually'`;
	return problemOfAll(message);
}

/** Returns the problem of a column. Its cause is the header, so it's reported once, without row numbers. */
export function problemOfAll(message: string): Problem {
	return { message, kind: message, isOfAll: true };
}

function nearFinder(form: Form): (column: string) => Meant | undefined {
	const byName = new Map<string, Set<Question>>();
	for (const question of form.questions) {
		const { name, label, path, section } = question;
		for (const one of [name, label, path, `${section?.label ?? ''}/${label}`]) {
			for (const key of [looseName(one), withoutSigns(one)]) {
				byName.set(key, (byName.get(key) ?? new Set()).add(question));
			}
		}
	}
	const named = (name: string) => {
		const [question, another] = byName.get(withoutSigns(name)) ?? byName.get(looseName(name)) ?? [];
		return another === undefined ? question : undefined;
	};
	return (column) => {
		const [, inPath, atEnd] = INSTANCE.exec(column) ?? [];
		const question = named(column) ?? named(column.replace(INSTANCE, ''));
		if (question === undefined) return similarTo(form, column);
		return { question, instance: question.section === null ? 1 : Number(inPath ?? atEnd ?? 1) };
	};
}

/** Returns the question whose name has the fewest typing errors (`Form.nearest`). */
function similarTo(form: Form, column: string): Meant | undefined {
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
