import { InputError } from '../inputError';

/** The number by which people know a row: the first one is row 1. */
export function rowNumber(place: number): number {
	return place + 1;
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
