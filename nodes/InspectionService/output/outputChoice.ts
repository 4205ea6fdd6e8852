import type { FileKind } from '../domain/fileKind';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type Include, INCLUDES } from '../domain/list/inspectionQuery';
import { simplifiedMembers } from '../domain/row/simplified';
import type { ColumnNames } from '../domain/template/keys';

/** The user's output settings, by the names that workflows save. */
export interface OutputChoice {
	readonly output: 'simplified' | 'raw' | 'row' | 'answers' | 'files' | 'report';
	/** Used for `raw` only. */
	readonly include: readonly Include[];
	/** Used for all outputs except `answers` and `report`. */
	readonly downloadFiles: boolean;
	/** Used with `downloadFiles`, and for the outputs `files` and `report`. Empty for all kinds. */
	readonly fileKinds: readonly FileKind[];
	/** Whether a report shows photos. Otherwise, it only lists them. Used for `report` only. */
	readonly photos: boolean;
	/** Used for `row` only. */
	readonly columnNames: ColumnNames;
	/** Label, path, or ID of a repeatable section. Undefined for one row per inspection. Used for `row` only. */
	readonly rowPerInstanceOf: string | undefined;
	/** Undefined for the default: local in the pages of `report`, else UTC. Not used for `raw` and `files`. */
	readonly datesAs: 'utc' | 'local' | undefined;
	/** Empty for all fields. */
	readonly fields: readonly string[];
	/**
	 * Whether the list is filtered by questions, in which case a service may omit all other answers. Used for `row`
	 * only.
	 */
	readonly isPartOfAnswers?: boolean;
	/** The ID or identifier of the filter Template. Undefined without this filter. */
	readonly template?: string | undefined;
}

/** Returns the parts to request from the list. */
export function includesFor(choice: OutputChoice): Include[] {
	const { output, include } = choice;
	const wanted = new Set(output === 'raw' ? include : []);
	if (output === 'row' || output === 'answers' || output === 'report') wanted.add('data');
	if (usesFileKinds(choice)) wanted.add('files');
	if (output === 'row' && hasFilesCount(choice)) wanted.add('files');
	return INCLUDES.filter((part) => wanted.has(part));
}

export function downloadsFiles({ output, downloadFiles }: OutputChoice): boolean {
	return downloadFiles && output !== 'answers' && output !== 'report';
}

export function usesFileKinds(choice: OutputChoice): boolean {
	return choice.output === 'files' || choice.output === 'report' || downloadsFiles(choice);
}

/**
 * Whether rows contain the number of files. Only if files are downloaded or Fields names the column, because files make
 * each page of the list larger.
 */
export function hasFilesCount({ downloadFiles, fields }: OutputChoice): boolean {
	return downloadFiles || fields.includes('files_count');
}

export function neededPart(inspection: InspectionRecord, choice: OutputChoice): InspectionRecord {
	if (choice.output !== 'simplified' || choice.downloadFiles) return inspection;
	return { ...simplifiedMembers(inspection), id: inspection.id };
}

export function appendAdvice(isRowPerInstance: boolean): string {
	const column = isRowPerInstance ? 'row_key' : 'id';
	return `To write these rows to a sheet, choose 'Append or Update Row' in the sheet's node and match on the column "${column}". With 'Append Row', each run adds the inspections again. In Google Sheets, also set the option 'Cell Format' to 'Let n8n format'. Otherwise, 007 becomes a number and 3-4 becomes a date.`;
}
