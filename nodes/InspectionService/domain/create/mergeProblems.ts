import { InputError } from '../inputError';

/** The problems of one row of a group; `row` is the number by which people know it. */
export interface RowProblems {
	row: number;
	problems: readonly string[];
}

/**
 * The problems of a group's rows, each once. A problem has its row in front. It has none where several rows have the
 * same problem, because then the cause lies in the columns that they share.
 */
export function mergeProblems(rows: readonly RowProblems[]): string[] {
	const found = new Map<string, Set<number>>();
	for (const { row, problems } of rows) {
		for (const problem of problems) {
			const known = found.get(problem) ?? new Set();
			found.set(problem, known.add(row));
		}
	}
	return [...found].map(([problem, [row = 0, ...others]]) =>
		others.length > 0 ? problem : problemOfRow(row, problem),
	);
}

/** A problem of one of the rows that make an inspection: "row 7: …". */
export function problemOfRow(row: number, problem: string): string {
	return `row ${String(row)}: ${problem}`;
}

/** Calls `make` for one of the rows that make an inspection. An InputError gets the number of the row in front. */
export function namingRow<Made>(row: number, make: () => Made): Made {
	let refusal: unknown;
	try {
		return make();
	} catch (error) {
		refusal = error;
	}
	if (!(refusal instanceof InputError)) throw refusal;
	throw new InputError(problemOfRow(row, refusal.message), refusal.detail);
}
