import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { isRecord, type JsonRecord, recordsOf, textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { fileKind, listedName } from '../domain/row/fileRecords';
import { connectToService } from '../transport/connectToService';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { FIRST_POSITION, type ListPosition, readRecent } from './recentInspections';

/**
 * How many inspections are looked through for the chosen one. The service lists files only with an inspection, and
 * inspections only page by page. As many as a list without a filter reads (`recentSearch`).
 */
const INSPECTIONS_READ = 2_500;

/** The list of the file locator: the files of the chosen inspection, where that is among the recent ones. */
export async function searchFiles(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const locator: unknown = this.getCurrentNodeParameter('inspectionId');
	const id = textOf(isRecord(locator) ? locator.value : locator)
		?.trim()
		.toLowerCase();
	if (id === undefined || id.startsWith('=')) {
		return note('Choose the inspection first: its files are listed here');
	}
	const inspection = await findRecent(await connectToService(this), id);
	if (inspection === undefined) {
		return note(
			`The inspection is not among the last ${INSPECTIONS_READ.toLocaleString('en')}: choose "By ID"`,
		);
	}
	const files = recordsOf(inspection.files).flatMap(fileEntry);
	if (files.length === 0) return note('This inspection has no files');
	const wanted = filter.trim().toLowerCase();
	return { results: files.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}

async function findRecent(
	service: InspectionServiceClient,
	id: string,
): Promise<InspectionRecord | undefined> {
	let next: ListPosition | undefined = FIRST_POSITION;
	let count = 0;
	while (next !== undefined && count < INSPECTIONS_READ) {
		const read = await readRecent(service, next, ['files']);
		const found = read.inspections.find((inspection) => inspection.id.toLowerCase() === id);
		if (found !== undefined) return found;
		next = read.next;
		count += read.inspections.length;
	}
	return undefined;
}

function fileEntry(file: JsonRecord): { name: string; value: string }[] {
	const value = textOf(file.id);
	if (value === undefined) return [];
	const kind = fileKind(file);
	const title = listedName(file) ?? value;
	return [{ value, name: kind === null ? title : `${title} (${kind})` }];
}

function note(name: string): INodeListSearchResult {
	return { results: [{ name, value: '' }] };
}
