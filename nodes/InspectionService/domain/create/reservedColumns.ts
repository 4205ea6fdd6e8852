import { isBlank, withoutByteOrderMark } from '../normalizeText';
import { ownKeysOf } from '../rowKeys';
import type { Form } from '../template/form';
import { type Column, isQuestion } from '../template/questions';
import type { SheetRow } from './sheetRow';

/**
 * Returns the filled columns that are reserved for the inspection itself (`rowKeys`), such as `team`, although a
 * question or section has the same name. Leaves out those whose question another column answers, as in the rows of Get
 * Many.
 */
export function reservedColumns(form: Form, item: SheetRow): string[] {
	const isReserved = ownKeysOf(item);
	const cells = Object.entries(item).map(([key, cell]) => ({
		key: withoutByteOrderMark(key),
		isFilled: !isBlank(cell),
	}));
	const reserved = cells.filter(({ key, isFilled }) => isFilled && isReserved(key));
	if (reserved.length === 0) return [];
	const answering = cells.filter(({ key }) => !isReserved(key));
	const answered = new Set(
		answering.flatMap(({ key }) => form.keys.find(key).columns.flatMap(withSection)),
	);
	const isMissed = (column: Column) => !answered.has(column);
	return reserved.flatMap(({ key }) => (form.keys.find(key).columns.some(isMissed) ? [key] : []));
}

/** Returns the reserved columns among these keys that have the name of a question or its section. */
export function reservedFor(form: Form, column: Column, ownKeys: readonly string[]): string[] {
	const wanted = withSection(column);
	return ownKeys.filter((key) => form.keys.find(key).columns.some((one) => wanted.includes(one)));
}

/** Explains how to fix reserved columns that have the names of questions, without the final period. */
export function reservedColumnsFix(form: Form, keys: readonly string[]): string {
	const names = keys.map((key) => `"${key}"`).join(', ');
	const freeNames = (key: string) =>
		form.keys
			.find(key)
			.columns.map((column) => `"${form.keys.keyOf(column)}"`)
			.join(' or ');
	const [first = ''] = keys;
	const fix =
		keys.length === 1
			? `The column ${names} is reserved for the inspection itself. To answer the question with this name, rename the column to ${freeNames(first)}`
			: `The columns ${names} are reserved for the inspection itself. To answer the questions with these names, rename the columns: ${keys.map((key) => `"${key}" to ${freeNames(key)}`).join(', ')}`;
	return `${fix}, or choose "Map Each Column Manually"`;
}

function withSection(column: Column): Column[] {
	return isQuestion(column) && column.section !== null ? [column, column.section] : [column];
}
