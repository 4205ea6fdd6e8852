import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { type JsonRecord, recordsOf, textOf } from '../domain/json';
import { fileKind, listedName } from '../domain/row/fileRecords';
import { connectToService } from '../transport/inspectionServiceClient';
import { type FoundEntry, locatorEntries, note } from './locatorEntries';
import { chosenInspection } from './outputTemplate';
import { findRecent } from './recentInspections';

/** The list of the file locator: the files of the chosen inspection, where that is among the recent ones. */
export async function searchFiles(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const id = chosenInspection(this);
	if (id === undefined) return note('Choose the inspection first: its files are listed here');
	const inspection = await findRecent(await connectToService(this), id, ['files']);
	if (inspection === undefined) return note('The inspection is not a recent one: choose "By ID"');
	const files = recordsOf(inspection.files).flatMap(fileEntry);
	if (files.length === 0) return note('This inspection has no files');
	const wanted = filter.trim().toLowerCase();
	const found = files.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results: locatorEntries(found, 'file') };
}

function fileEntry(file: JsonRecord): FoundEntry[] {
	const value = textOf(file.id);
	if (value === undefined) return [];
	const kind = fileKind(file);
	const title = listedName(file) ?? value;
	return [{ value, name: kind === null ? title : `${title} (${kind})` }];
}
