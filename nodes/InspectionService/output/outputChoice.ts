import { type Include, INCLUDES } from '../domain/list/inspectionQuery';
import type { ColumnNames } from '../domain/template/keys';

export const OUTPUT_MODES = ['simplified', 'raw', 'row', 'answers', 'files'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

/** What the user has chosen about the output. The names are saved in workflows. */
export interface OutputChoice {
	readonly output: OutputMode;
	/** Counts for `raw` only. */
	readonly includes: readonly Include[];
	/** Counts for all outputs but `answers`. */
	readonly downloadFiles: boolean;
	/** How large a downloaded file may be. */
	readonly maxBytes: number;
	/** Counts for `row` only. */
	readonly columnNames: ColumnNames;
	/** Counts for `row` only: label, path or id of a repeatable section; undefined for one row per inspection. */
	readonly rowPerInstanceOf: string | undefined;
	/** Whether dates are as people write them in the workflow's zone. Does not count for `raw` and `files`. */
	readonly hasLocalDates: boolean;
	/** The only fields of an item, in this order; empty for all of them. */
	readonly fields: readonly string[];
}

/** The `includes` that the list has to be asked with, so that the chosen output can be made. */
export function includesFor(choice: OutputChoice): Include[] {
	const { output, includes, downloadFiles } = choice;
	const wanted = new Set(output === 'raw' ? includes : []);
	if (output === 'row' || output === 'answers') wanted.add('data');
	if (output === 'files' || (downloadFiles && output !== 'answers')) wanted.add('files');
	if (output === 'row' && hasFilesCount(choice)) wanted.add('files');
	return INCLUDES.filter((include) => wanted.has(include));
}

/**
 * Whether rows have the column `files_count`: where their files are asked for anyway, and where Fields names it. Asking
 * for the files of every row would make each page of the list longer.
 */
export function hasFilesCount({ downloadFiles, fields }: OutputChoice): boolean {
	return downloadFiles || fields.includes('files_count');
}
