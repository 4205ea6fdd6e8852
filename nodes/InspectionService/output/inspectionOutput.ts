import type {
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import type { JsonRecord } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently } from '../domain/mapConcurrently';
import { answerRecordsOf } from '../domain/row/answerRecords';
import { fileRecordsOf } from '../domain/row/fileRecords';
import {
	knownTemplate,
	type KnownTemplates,
	onlyFields,
	simplified,
	templateKey,
} from '../domain/row/row';
import { hasControls } from '../domain/template/control';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { type TemplateCache, undefinedWhereUnreadable } from '../transport/templates';
import { storeInspectionFiles } from './binaryFiles';
import { ExecutionOutput } from './executionOutput';
import { hasFilesCount, type OutputChoice } from './outputChoice';

export { ExecutionOutput };

/** One item of n8n. */
export type InspectionItem = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What is needed to make items. The cache asks for each template once per execution or poll. */
export interface OutputContext {
	readonly context: IExecuteFunctions | IPollFunctions;
	readonly service: InspectionServiceClient;
	readonly templates: TemplateCache;
	/** Takes a sentence for each thing that is missing from the items: a file that failed, an unknown section or field. */
	readonly report: (problem: string) => void;
	/** A sentence for a file that has not come in time; undefined while there is time. */
	readonly timeLimit?: () => string | undefined;
}

/** An item before it is handed to n8n. */
interface Draft {
	json: JsonRecord;
	binary?: IBinaryKeyData;
}

/**
 * Inspections as items: a list of items for each inspection, in the same order. A list has one item, except for rows per
 * instance (one or more), answers and files (none or more). With Download Files the first item of an inspection has
 * `downloaded_files`, the list of `storeInspectionFiles`; where the output is flat, it is JSON text. Throws what the
 * service's calls throw, and InputError where an option cannot be used.
 */
export async function inspectionItems(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
): Promise<InspectionItem[][]> {
	const execution = new ExecutionOutput();
	const items = await addInspections(inspections, choice, output, execution);
	const made = items();
	execution.problems().forEach(output.report);
	return made;
}

/** Adds the inspections of one item. The function that it returns makes the items: call it once all were added. */
export async function addInspections(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
	execution: ExecutionOutput,
): Promise<() => InspectionItem[][]> {
	const makeDrafts = await draftsOf(inspections, choice, output, execution);
	if (inspections.length > 0) execution.advise(choice);
	const { fields } = choice;
	if (fields.length === 0) return makeDrafts;
	const keys = execution.keysFor(fields);
	return () => {
		const drafts = makeDrafts();
		for (const { json } of drafts.flat()) Object.keys(json).forEach((key) => keys.add(key));
		return drafts.map((items) =>
			items.map((item) => ({ ...item, json: onlyFields(item.json, fields) })),
		);
	};
}

async function draftsOf(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
	execution: ExecutionOutput,
): Promise<() => Draft[][]> {
	const localZone = localZoneOf(choice, output);
	switch (choice.output) {
		case 'simplified':
			return await withDownloads(
				inspections,
				() => inspections.map((inspection) => [simplified(inspection, localZone)]),
				choice,
				output,
			);
		case 'raw':
			return await withDownloads(inspections, () => inspections.map(asList), choice, output);
		case 'row':
			return await withDownloads(
				inspections,
				await rowRecords(inspections, choice, output, execution),
				choice,
				output,
			);
		case 'answers': {
			const templates = await templatesOf(inspections, output.templates);
			return () => answerRecordsOf(inspections, templates, localZone).map(asDrafts);
		}
		case 'files': {
			const drafts = await fileDrafts(inspections, choice, output);
			return () => drafts;
		}
	}
}

async function rowRecords(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
	execution: ExecutionOutput,
): Promise<() => JsonRecord[][]> {
	const { columnNames, rowPerInstanceOf, downloadFiles } = choice;
	const known = await templatesOf(inspections, output.templates);
	if (rowPerInstanceOf !== undefined && inspections.length > 0) {
		execution.addForms(
			rowPerInstanceOf,
			[...known.values()].map(({ form }) => form),
		);
	}
	const options = {
		columnNames,
		rowPerInstanceOf,
		localZone: localZoneOf(choice, output),
		hasFiles: hasFilesCount(choice),
		hasDownloads: downloadFiles,
	};
	return execution.sheetFor(options).add(inspections, known);
}

/** The zone in which dates are shown; undefined for dates as they are. */
function localZoneOf({ datesAs }: OutputChoice, { context }: OutputContext): string | undefined {
	return datesAs === 'local' ? context.getTimezone() : undefined;
}

/** Adds the files of each inspection to the first of its records. */
async function withDownloads(
	inspections: readonly InspectionRecord[],
	makeRecords: () => readonly (readonly JsonRecord[])[],
	{ downloadFiles, maxSize, output: mode }: OutputChoice,
	output: OutputContext,
): Promise<() => Draft[][]> {
	if (!downloadFiles) return () => makeRecords().map(asDrafts);
	const downloads = await downloadsOf(inspections, maxSize, output);
	return () =>
		makeRecords().map((records, index) => {
			const { binary = {}, files = [] } = downloads[index] ?? {};
			const downloaded_files = mode === 'raw' ? files : JSON.stringify(files);
			const hasFiles = Object.keys(binary).length > 0;
			return asDrafts(records).map((draft, place) => {
				if (place > 0) return draft;
				return { json: { ...draft.json, downloaded_files }, ...(hasFiles ? { binary } : {}) };
			});
		});
}

async function fileDrafts(
	inspections: readonly InspectionRecord[],
	{ downloadFiles, maxSize }: OutputChoice,
	output: OutputContext,
): Promise<Draft[][]> {
	const records = inspections.map(fileRecordsOf);
	if (!downloadFiles) return records.map(asDrafts);
	const downloads = await downloadsOf(inspections, maxSize, output);
	return records.map((files, index) =>
		files.map((json, place) => {
			const data = downloads[index]?.binary[`file_${place}`];
			return data === undefined ? { json } : { json, binary: { data } };
		}),
	);
}

/** Downloads the files of all inspections. A file that fails is reported, and its inspection comes without it. */
async function downloadsOf(
	inspections: readonly InspectionRecord[],
	maxSize: number,
	{ context, service, report, timeLimit }: OutputContext,
) {
	return await Promise.all(
		inspections.map(async (inspection) => {
			const found = await storeInspectionFiles(context, service, inspection, {
				maxSize,
				timeLimit,
			});
			for (const { id, error } of found.files) {
				if (typeof error !== 'string') continue;
				report(`File ${String(id)} of inspection ${inspection.id} was not downloaded: ${error}`);
			}
			return found;
		}),
	);
}

function asList<Value>(value: Value): Value[] {
	return [value];
}

function asDrafts(records: readonly JsonRecord[]): Draft[] {
	return records.map((json) => ({ json }));
}

/** Templates asked for at once: half of what the connection sends at once (MAX_ACTIVE). */
const CONCURRENT_TEMPLATES = 5;

/**
 * The templates of the inspections, without those that the owner of the API key may not read, and without those that
 * have no list of controls.
 */
async function templatesOf(
	inspections: readonly InspectionRecord[],
	templates: TemplateCache,
): Promise<KnownTemplates> {
	const keys = [...new Set(inspections.map(templateKey))].filter((key) => key !== '');
	const found = await mapConcurrently(keys, CONCURRENT_TEMPLATES, async (key) => {
		const template = await templates(key).catch(undefinedWhereUnreadable);
		if (template === undefined || !hasControls(template)) return [];
		return [[key, knownTemplate(template)]] as const;
	});
	return new Map(found.flat());
}
