import { type Include, INCLUDES } from '../domain/list/inspectionQuery';
import type { ColumnNames } from '../domain/template/keys';

export const OUTPUT_MODES = ['simplified', 'raw', 'row', 'answers', 'files'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

/** What the user has chosen about the output. The names are saved in workflows. */
export interface OutputChoice {
	readonly output: OutputMode;
	/** Counts for `raw` only. */
	readonly include: readonly Include[];
	/** Counts for all outputs but `answers`. */
	readonly downloadFiles: boolean;
	/** How large a downloaded file may be, in MB. */
	readonly maxSize: number;
	/** Counts for `row` only. */
	readonly columnNames: ColumnNames;
	/** Counts for `row` only: label, path or id of a repeatable section; undefined for one row per inspection. */
	readonly rowPerInstanceOf: string | undefined;
	/** Local dates are as people write them in the workflow's zone. Does not count for `raw` and `files`. */
	readonly datesAs: 'utc' | 'local';
	/** The only fields of an item, in this order; empty for all of them. */
	readonly fields: readonly string[];
}

/** The `includes` that the list has to be asked with, so that the chosen output can be made. */
export function includesFor(choice: OutputChoice): Include[] {
	const { output, include, downloadFiles } = choice;
	const wanted = new Set(output === 'raw' ? include : []);
	if (output === 'row' || output === 'answers') wanted.add('data');
	if (output === 'files' || (downloadFiles && output !== 'answers')) wanted.add('files');
	if (output === 'row' && hasFilesCount(choice)) wanted.add('files');
	return INCLUDES.filter((part) => wanted.has(part));
}

/**
 * Whether rows have the column `files_count`: where their files are asked for anyway, and where Fields names it. Asking
 * for the files of every row would make each page of the list longer.
 */
export function hasFilesCount({ downloadFiles, fields }: OutputChoice): boolean {
	return downloadFiles || fields.includes('files_count');
}

/**
 * What to do with rows in a sheet, because most people append them, and then each run adds every inspection once more.
 * Undefined where the chosen columns do not tell one row from another.
 */
export function sheetAdvice({
	output,
	rowPerInstanceOf,
	fields,
}: Pick<OutputChoice, 'output' | 'rowPerInstanceOf' | 'fields'>): string | undefined {
	if (output !== 'row') return undefined;
	const keys = rowPerInstanceOf === undefined ? ['id'] : ['id', 'instance'];
	if (fields.length > 0 && !keys.every((key) => fields.includes(key))) return undefined;
	return sheetAdviceFor(keys.length === 1 ? 'column id' : 'columns id and instance');
}

/** `columns` are those that tell one row from another. */
export function sheetAdviceFor(columns: 'column id' | 'columns id and instance'): string {
	return `Rows for a sheet: choose "Append or Update Row" there and match on the ${columns}. With "Append Row", each run adds the inspections once more.`;
}
