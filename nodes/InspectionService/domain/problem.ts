import { rowsText } from './rowNumbers';

/** What is wrong with a value, as the end of `"<label>": …`. */
export interface ValueProblem {
	/** The value as messages show it: `"02.05.2026"`. */
	readonly value: string;
	/** What is wrong with it and the cure, without a full stop: `is not a date; write it as …`. */
	readonly wrong: string;
	/** Problems of one subject and one kind are told together. By default those whose `wrong` is the same. */
	readonly kind?: string;
	/** The option of the node that reads the value, and with it the others of its kind. */
	readonly option?: string;
}

/** One thing that is wrong with the rows of an inspection. `wrong` alone is a sentence where there is no value. */
export interface Problem extends Partial<ValueProblem> {
	readonly wrong: string;
	/** What it is about: `"Date of visit"`, `Task due date`; undefined where `wrong` says so itself. */
	readonly subject?: string;
	/** The instance that is meant, of a question in a repeatable section. */
	readonly instance?: number | undefined;
	/** The numbers of the rows that are meant; undefined for all rows of the inspection. */
	readonly rows?: readonly number[] | undefined;
	/** True for what is none by itself, but may have caused others. It is told behind them. */
	readonly isCause?: boolean;
}

/** What one row of an inspection says, as messages show it. */
interface SaidByRow {
	row: number;
	says: string;
}

/** The problem that two rows of one inspection say different things where it takes one `thing`. */
export function conflictOf(
	subject: string,
	one: SaidByRow,
	other: SaidByRow,
	thing: string,
): Problem {
	const [first, second] = [one, other].map(({ row, says }) => `row ${String(row)} says ${says}`);
	const wrong = `${first ?? ''} and ${second ?? ''}; the rows of one inspection give one ${thing}`;
	return { subject, wrong, kind: 'conflict' };
}

/** A problem as a sentence without its full stop: `"Severity" (row 33): "Hgih" is not among its choices; …`. */
export function problemText({ subject, instance, rows, ...problem }: Problem): string {
	const told = saying(problem);
	const row = rows === undefined ? undefined : rowsText(rows);
	const place = row ?? (instance === undefined ? undefined : `instance ${String(instance)}`);
	if (subject === undefined) return place === undefined ? told : `${place}: ${told}`;
	return `${subject}${place === undefined ? '' : ` (${place})`}: ${told}`;
}

/** What is wrong, without what it is about. */
export function saying({ value, wrong }: Pick<Problem, 'value' | 'wrong'>): string {
	return value === undefined ? wrong : `${value} ${wrong}`;
}
