import type { JsonValue } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type Include, INCLUDES } from '../domain/list/inspectionQuery';
import { EMPTY } from '../domain/rowKeys';
import type { ColumnNames } from '../domain/template/keys';

/** What the user has chosen about the output, by the names that workflows save. */
export interface OutputChoice {
	readonly output: 'simplified' | 'raw' | 'row' | 'answers' | 'files';
	/** Counts for `raw` only. */
	readonly include: readonly Include[];
	/** Counts for all outputs but `answers`. */
	readonly downloadFiles: boolean;
	/** In MB. */
	readonly maxSize: number;
	/** This and the next count for `row` only. */
	readonly columnNames: ColumnNames;
	/** Label, path or id of a repeatable section; undefined for one row per inspection. */
	readonly rowPerInstanceOf: string | undefined;
	/** Does not count for `raw` and `files`. */
	readonly datesAs: 'utc' | 'local';
	/** Empty for all of them. */
	readonly fields: readonly string[];
	/** Whether the list is filtered by questions: a service may then leave out the other answers. Counts for `row` only. */
	readonly isPartOfAnswers?: boolean;
}

/** What the list has to be asked for. */
export function includesFor(choice: OutputChoice): Include[] {
	const { output, include } = choice;
	const wanted = new Set(output === 'raw' ? include : []);
	if (output === 'row' || output === 'answers') wanted.add('data');
	if (output === 'files' || downloadsFiles(choice)) wanted.add('files');
	if (output === 'row' && hasFilesCount(choice)) wanted.add('files');
	return INCLUDES.filter((part) => wanted.has(part));
}

export function downloadsFiles({ output, downloadFiles }: OutputChoice): boolean {
	return downloadFiles && output !== 'answers';
}

/** Only where the files are asked for anyway, or Fields names the count: they make each page of the list longer. */
export function hasFilesCount({ downloadFiles, fields }: OutputChoice): boolean {
	return downloadFiles || fields.includes('files_count');
}

export function neededPart(inspection: InspectionRecord, choice: OutputChoice): InspectionRecord {
	if (choice.output !== 'simplified' || choice.downloadFiles) return inspection;
	const { id, name, status, template, template_id, team } = inspection;
	const { created_at, created_by, updated_at, updated_by } = inspection;
	const times = { created_at, created_by, updated_at, updated_by };
	return { id, name, status, template, template_id, team, ...times };
}

/** The value of a field that an item doesn't have: outputs for a sheet have an empty cell, outputs for a program null. */
export function emptyCell(output: OutputChoice['output']): JsonValue {
	return output === 'row' || output === 'simplified' ? EMPTY : null;
}

export function appendAdvice(isRowPerInstance: boolean): string {
	const column = isRowPerInstance ? 'row_key' : 'id';
	return `Rows for a sheet: choose "Append or Update Row" there and match on the column ${column}. With "Append Row", each run adds the inspections once more. In Google Sheets, also set the option Cell Format to "Let n8n format": by default 007 becomes a number and 3-4 a date.`;
}
