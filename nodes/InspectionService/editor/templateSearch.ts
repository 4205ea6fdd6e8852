import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { isRecord, parseJson, textOf, type JsonRecord } from '../domain/json';
import { MAX_PAGE_SIZE } from '../domain/limits';
import { connectToService } from '../transport/connectToService';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

/** Pages read for one turn of the list; more are read when the user scrolls to its end. */
const PAGES_PER_TURN = 5;
/** Turns read until something is found: with PAGES_PER_TURN, 2,500 inspections before the list pauses. */
const MAX_TURNS = 5;
/** Fewer entries than this do not fill the dropdown, which then cannot be scrolled to load more. */
const ENOUGH_ENTRIES = 15;

interface SeenTemplate {
	id: string;
	name: string;
}

interface SearchPosition {
	page: number;
	seen: string[];
}

/**
 * The template locator's list. The service has no list of templates (interface, "Operations covered"):
 * the list is made of the templates seen in recent inspections, newest first.
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const service = await connectToService(this);
	const start = parsePosition(paginationToken);
	const { found, next } = await collectTemplates(service, start, (filter ?? '').trim());
	if (found.length === 0 && start.page === 1) return nothingFound(filter);
	return {
		results: found.map(({ id, name }) => ({ name, value: id })),
		...(next === undefined ? {} : { paginationToken: JSON.stringify(next) }),
	};
}

async function collectTemplates(
	service: InspectionServiceClient,
	start: SearchPosition,
	filter: string,
): Promise<{ found: SeenTemplate[]; next: SearchPosition | undefined }> {
	const seen = new Set(start.seen);
	const found: SeenTemplate[] = [];
	let page = start.page;
	for (let turn = 0; turn < MAX_TURNS && found.length < ENOUGH_ENTRIES; turn++) {
		const pages = await readPages(service, page);
		page += PAGES_PER_TURN;
		for (const template of pages.flat().flatMap(templateOf)) {
			if (seen.has(template.id)) continue;
			seen.add(template.id);
			if (matches(template, filter)) found.push(template);
		}
		if (pages.some((inspections) => inspections.length < MAX_PAGE_SIZE)) {
			return { found, next: undefined };
		}
	}
	return { found, next: { page, seen: [...seen] } };
}

/** The first page alone where it is the first of all: most organizations' templates are all on it. */
async function readPages(
	service: InspectionServiceClient,
	firstPage: number,
): Promise<JsonRecord[][]> {
	const read = async (page: number) =>
		await service.listInspections({
			sortBy: 'updated_at',
			sortOrder: 'desc',
			page,
			pageSize: MAX_PAGE_SIZE,
		});
	const first = await read(firstPage);
	if (first.length < MAX_PAGE_SIZE) return [first];
	const others = Array.from({ length: PAGES_PER_TURN - 1 }, async (_, index) => {
		return await read(firstPage + 1 + index);
	});
	return [first, ...(await Promise.all(others))];
}

function templateOf(inspection: JsonRecord): SeenTemplate[] {
	const { template } = inspection;
	if (!isRecord(template)) return [];
	const id = textOf(template.id);
	return id === undefined ? [] : [{ id, name: textOf(template.name) ?? id }];
}

function matches({ id, name }: SeenTemplate, filter: string): boolean {
	if (filter === '') return true;
	const wanted = filter.toLowerCase();
	return name.toLowerCase().includes(wanted) || id.toLowerCase() === wanted;
}

function nothingFound(filter: string | undefined): INodeListSearchResult {
	const name = filter
		? `No template matching "${filter}" in recent inspections: choose "By ID" or "By Identifier"`
		: 'No inspections yet, so no templates to list: choose "By ID" or "By Identifier"';
	return { results: [{ name, value: '' }] };
}

function parsePosition(paginationToken: string | undefined): SearchPosition {
	const start: SearchPosition = { page: 1, seen: [] };
	if (paginationToken === undefined || paginationToken === '') return start;
	const position: unknown = parseJson(paginationToken);
	if (!isRecord(position) || typeof position.page !== 'number') return start;
	const seen = Array.isArray(position.seen) ? position.seen : [];
	return { page: position.page, seen: seen.filter((id) => typeof id === 'string') };
}
