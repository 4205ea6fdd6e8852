import type {
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import type { JsonRecord } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently } from '../domain/mapConcurrently';
import { isShallow, MAX_LEVELS, shallowCopy } from '../domain/nesting';
import { answerRecordsOf } from '../domain/row/answerRecords';
import { fileRecordsOf } from '../domain/row/fileRecords';
import { missingSection } from '../domain/row/instanceSection';
import {
	knownTemplate,
	type KnownTemplates,
	missingFields,
	onlyFields,
	rowsOf,
	simplified,
	templateKey,
} from '../domain/row/row';
import { hasControls } from '../domain/template/control';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { type TemplateCache, undefinedWhereUnreadable } from '../transport/templateCache';
import { storeInspectionFiles } from './binaryFiles';
import { hasFilesCount, type OutputChoice } from './outputChoice';

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
	received: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
): Promise<InspectionItem[][]> {
	const inspections = received.map((inspection) => shallow(inspection, output));
	const drafts = await draftsOf(inspections, choice, output);
	const { fields } = choice;
	if (fields.length === 0) return drafts;
	const records = drafts.flat().map(({ json }) => json);
	for (const problem of missingFields(records, fields)) output.report(problem);
	return drafts.map((items) =>
		items.map((item) => ({ ...item, json: onlyFields(item.json, fields) })),
	);
}

/** Cuts an inspection that is nested too deep. n8n could neither copy nor store it, and all others would fail with it. */
function shallow(inspection: InspectionRecord, { report }: OutputContext): InspectionRecord {
	if (isShallow(inspection)) return inspection;
	report(
		`Inspection ${inspection.id} is nested more than ${MAX_LEVELS} levels deep. What lies deeper is left out.`,
	);
	return { ...shallowCopy(inspection), id: inspection.id };
}

async function draftsOf(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
): Promise<Draft[][]> {
	const localZone = localZoneOf(choice, output);
	switch (choice.output) {
		case 'simplified':
			return await withDownloads(
				inspections,
				inspections.map((inspection) => [simplified(inspection, localZone)]),
				choice,
				output,
			);
		case 'raw':
			return await withDownloads(inspections, inspections.map(asList), choice, output);
		case 'row':
			return await withDownloads(
				inspections,
				await rowRecords(inspections, choice, output),
				choice,
				output,
			);
		case 'answers': {
			const templates = await templatesOf(inspections, output.templates);
			return answerRecordsOf(inspections, templates, localZone).map(asDrafts);
		}
		case 'files':
			return await fileDrafts(inspections, choice, output);
	}
}

async function rowRecords(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
): Promise<JsonRecord[][]> {
	const { templates, report } = output;
	const { columnNames, rowPerInstanceOf, downloadFiles } = choice;
	const known = await templatesOf(inspections, templates);
	if (rowPerInstanceOf !== undefined && inspections.length > 0) {
		const forms = [...known.values()].map(({ form }) => form);
		const problem = missingSection(forms, rowPerInstanceOf);
		if (problem !== undefined) report(problem);
	}
	return rowsOf(inspections, known, {
		columnNames,
		rowPerInstanceOf,
		localZone: localZoneOf(choice, output),
		hasFiles: hasFilesCount(choice),
		hasDownloads: downloadFiles,
	});
}

/** The zone in which dates are shown; undefined for dates as they are. */
function localZoneOf(
	{ hasLocalDates }: OutputChoice,
	{ context }: OutputContext,
): string | undefined {
	return hasLocalDates ? context.getTimezone() : undefined;
}

/** Adds the files of each inspection to the first of its records. */
async function withDownloads(
	inspections: readonly InspectionRecord[],
	records: readonly (readonly JsonRecord[])[],
	{ downloadFiles, maxBytes, output: mode }: OutputChoice,
	output: OutputContext,
): Promise<Draft[][]> {
	if (!downloadFiles) return records.map(asDrafts);
	const downloads = await downloadsOf(inspections, maxBytes, output);
	return downloads.map(({ binary, files }, index) => {
		const downloaded_files = mode === 'raw' ? files : JSON.stringify(files);
		const hasFiles = Object.keys(binary).length > 0;
		return asDrafts(records[index] ?? []).map((draft, place) => {
			if (place > 0) return draft;
			return { json: { ...draft.json, downloaded_files }, ...(hasFiles ? { binary } : {}) };
		});
	});
}

async function fileDrafts(
	inspections: readonly InspectionRecord[],
	{ downloadFiles, maxBytes }: OutputChoice,
	output: OutputContext,
): Promise<Draft[][]> {
	const records = inspections.map(fileRecordsOf);
	if (!downloadFiles) return records.map(asDrafts);
	const downloads = await downloadsOf(inspections, maxBytes, output);
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
	maxBytes: number,
	{ context, service, report, timeLimit }: OutputContext,
) {
	return await Promise.all(
		inspections.map(async (inspection) => {
			const found = await storeInspectionFiles(context, service, inspection, {
				maxBytes,
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
