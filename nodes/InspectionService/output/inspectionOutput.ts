import type { IBinaryKeyData, IDataObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { InspectionRecord } from '../domain/list/inspectionPage';
import { INCLUDES, type Include } from '../domain/list/inspectionQuery';
import type { JsonRecord } from '../domain/json';
import { rowsOf, templateKey } from '../domain/row/row';
import { simplified } from '../domain/list/simplified';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import type { TemplateCache } from '../transport/templateCache';
import { downloadInspectionFiles } from './fileDownload';

export const OUTPUT_MODES = ['simplified', 'raw', 'row'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

/** What a user chose about the output, by the names of the contract. */
export interface OutputChoice {
	readonly output: OutputMode;
	readonly includes: readonly Include[];
	readonly downloadFiles: boolean;
}

/** One inspection as an item of n8n. */
export interface InspectionItem {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** What making items needs; templates live in a cache so that each is asked for once per execution or poll. */
export interface OutputContext {
	readonly context: IExecuteFunctions | IPollFunctions;
	readonly service: InspectionServiceClient;
	readonly templates: TemplateCache;
	/** Told what the items lack: one sentence for each file that could not be downloaded. */
	readonly report: (problem: string) => void;
	/** Why a file could not come in time; undefined while there is time. */
	readonly timeLimit?: () => string | undefined;
}

/** Templates asked for at once: as many as Create has requests in flight by default (contract, `concurrency`). */
const CONCURRENT_TEMPLATES = 5;
/** Refusals after which a template counts as not readable (interface, "Errors"); any other failure is one. */
const NOT_READABLE = new Set(['401', '403', '404']);

/** What the list has to be asked for besides the inspections, so that the chosen output can be made. */
export function includesFor({ output, includes, downloadFiles }: OutputChoice): Include[] {
	const wanted = new Set(includes);
	if (output === 'row') wanted.add('data');
	if (downloadFiles) wanted.add('files');
	return INCLUDES.filter((include) => wanted.has(include));
}

/**
 * Inspections as items, one each, in the same order. With their files, `downloaded_files` says what became of
 * each: see `downloadInspectionFiles`; as JSON text where the output is flat. Throws what the service's calls throw.
 */
export async function inspectionItems(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
): Promise<InspectionItem[]> {
	const records = await recordsFor(inspections, choice.output, output);
	if (!choice.downloadFiles) return records.map((json) => ({ json }));
	const downloads = await Promise.all(
		inspections.map(async (inspection) => await filesOf(inspection, output)),
	);
	return records.map((record, index) => {
		const { binary, files = [] } = downloads[index] ?? {};
		const downloaded_files = choice.output === 'raw' ? files : JSON.stringify(files);
		return { json: { ...record, downloaded_files }, ...(binary === undefined ? {} : { binary }) };
	});
}

/** A lost file costs only itself: the inspection is there, and what is missing is reported. */
async function filesOf(
	inspection: InspectionRecord,
	{ context, service, report, timeLimit }: OutputContext,
): Promise<{ binary?: IBinaryKeyData; files: JsonRecord[] }> {
	const { binary, files } = await downloadInspectionFiles(context, service, inspection, timeLimit);
	for (const { id, error } of files) {
		if (typeof error !== 'string') continue;
		report(`File ${String(id)} of inspection ${inspection.id} was not downloaded: ${error}`);
	}
	return Object.keys(binary).length === 0 ? { files } : { binary, files };
}

async function recordsFor(
	inspections: readonly InspectionRecord[],
	mode: OutputMode,
	{ templates }: OutputContext,
): Promise<readonly JsonRecord[]> {
	switch (mode) {
		case 'raw':
			return inspections;
		case 'row':
			return rowsOf(inspections, await readableTemplates(inspections, templates));
		case 'simplified':
			return inspections.map(simplified);
	}
}

/** The templates of the inspections, by `templateKey`; those that the key's owner may not read are left out. */
async function readableTemplates(
	inspections: readonly InspectionRecord[],
	templates: TemplateCache,
): Promise<Map<string, JsonRecord>> {
	const keys = [...new Set(inspections.map(templateKey))].filter((key) => key !== '');
	const found = new Map<string, JsonRecord>();
	let next = 0;
	const work = async () => {
		for (let key = keys[next++]; key !== undefined; key = keys[next++]) {
			const template = await templates(key).catch(undefinedWhereRefused);
			if (template !== undefined) found.set(key, template);
		}
	};
	await Promise.all(Array.from({ length: Math.min(CONCURRENT_TEMPLATES, keys.length) }, work));
	return found;
}

function undefinedWhereRefused(error: unknown): undefined {
	if (error instanceof NodeApiError && NOT_READABLE.has(error.httpCode ?? '')) return undefined;
	throw error;
}
