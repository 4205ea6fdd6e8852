import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { fileKind, fileRecordsOf, listedName } from '../domain/file/file';
import { type JsonRecord, recordsOf, textOf } from '../domain/json';
import { answerRecordsOf } from '../domain/row/placedAnswer';
import { rowsOf, simplified } from '../domain/row/row';
import { formOf } from '../domain/template/form';
import { templateIdOf, templateKey } from '../domain/template/templateOfInspection';
import { valuesOf } from '../fields/field';
import { templateReference } from '../fields/locators';
import { OUTPUT, OUTPUT_OPTIONS } from '../fields/output';
import { expressionOf, locatorValue, membersOf } from '../fields/parameterValue';
import { includesFor, type OutputChoice } from '../output/outputChoice';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import { findRecent, locatorEntries, NEWEST_FIRST, note } from './recentLists';

export async function searchFiles(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const id = chosenInspection(this);
	if (id === undefined) return note('Choose the inspection first: its files are listed here');
	const inspection = await findRecent(await connectToService(this), id, ['files']);
	if (inspection === undefined) return note('The inspection is not a recent one: choose "By ID"');
	const files = recordsOf(inspection.files).flatMap((file) => {
		const value = textOf(file.id);
		if (value === undefined) return [];
		const kind = fileKind(file);
		const title = listedName(file) ?? value;
		return [{ value, name: kind === null ? title : `${title} (${kind})` }];
	});
	if (files.length === 0) return note('This inspection has no files');
	return { results: locatorEntries(named(files, filter), 'file') };
}

/** The list of Row per Instance Of. */
export async function searchSections(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const template = await chosenTemplate(this, await connectToService(this));
	if (template === undefined) return note(`${templateUnknown(this)}, or choose "By Name"`);
	const { sections } = formOf(template);
	if (sections.length === 0) return note('This template has no repeatable sections');
	const entries = sections.map(({ name, columnId }) => ({ name, value: columnId }));
	return { results: named(entries, filter) };
}

function named<Entry extends { name: string }>(entries: readonly Entry[], filter: string): Entry[] {
	const wanted = filter.trim().toLowerCase();
	return entries.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** The list of Fields: those of an item of the chosen output, in their order. */
export async function getOutputFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const service = await connectToService(this);
	const choice = chosenOutput(this);
	const isRow = choice.output === 'row';
	const template = isRow ? await chosenTemplate(this, service) : undefined;
	const names =
		choice.output === 'raw' ? await rawFields(service, choice) : fieldsOf(choice, template);
	const entries = names.map((name) => ({ name, value: name }));
	if (!isRow || template !== undefined) return entries;
	return [...entries, { name: `${templateUnknown(this)} to list its questions`, value: '' }];
}

function fieldsOf(choice: OutputChoice, template: JsonRecord | undefined): string[] {
	const sample = { id: '', template: { id: template?.id ?? '' }, data: [{}], files: [{}] };
	switch (choice.output) {
		case 'answers':
			return keysOf(answerRecordsOf([sample], new Map()).flat());
		case 'files':
			return keysOf(fileRecordsOf(sample));
		case 'row': {
			const known =
				template === undefined ? [] : ([[templateKey(sample), formOf(template)]] as const);
			const { downloadFiles: hasDownloads, columnNames, rowPerInstanceOf } = choice;
			const how = { columnNames, rowPerInstanceOf, hasDownloads, hasFiles: true };
			return keysOf(rowsOf([{ ...sample, data: [] }], new Map(known), how).flat());
		}
		default:
			return keysOf([
				{ ...simplified(sample), ...(choice.downloadFiles && { downloaded_files: '' }) },
			]);
	}
}

function keysOf([record = {}]: readonly JsonRecord[]): string[] {
	return Object.keys(record);
}

/** Of the last inspections, because what an inspection has is not documented. */
async function rawFields(service: InspectionServiceClient, choice: OutputChoice) {
	const { inspections } = await service.list({
		...NEWEST_FIRST,
		page: 1,
		includes: includesFor(choice),
	});
	return [...new Set(inspections.flatMap((inspection) => Object.keys(inspection)))];
}

/** An option with an expression, which has no value yet, counts as not chosen. */
function chosenOutput(context: ILoadOptionsFunctions): OutputChoice {
	const options = membersOf(context.getCurrentNodeParameter('options'));
	const output = context.getCurrentNodeParameter('output');
	const given: Record<string, unknown> = { ...options, output };
	const resolved = (name: string) => (isUnresolved(given[name]) ? undefined : given[name]);
	return valuesOf({ output: OUTPUT, ...OUTPUT_OPTIONS }, resolved, '');
}

/** The template of the filter, or of the chosen recent inspection; undefined while it is not known. */
async function chosenTemplate(
	context: ILoadOptionsFunctions,
	service: InspectionServiceClient,
): Promise<JsonRecord | undefined> {
	const filtered = context.getCurrentNodeParameter('filters.templateId');
	let reference = isUnresolved(filtered) ? undefined : templateReference(filtered);
	const id = chosenInspection(context);
	if (reference === undefined && id !== undefined) {
		reference = templateIdOf((await findRecent(service, id)) ?? {});
	}
	if (reference === undefined) return undefined;
	return await service.getTemplate(reference, { includeControls: true });
}

function templateUnknown(context: ILoadOptionsFunctions): string {
	return context.getCurrentNodeParameter('operation') === 'get'
		? 'Choose a recent inspection first'
		: 'Choose a template under Filters first';
}

function chosenInspection(context: ILoadOptionsFunctions): string | undefined {
	const locator = context.getCurrentNodeParameter('inspectionId');
	return isUnresolved(locator) ? undefined : textOf(locatorValue(locator));
}

/** Whether a parameter is an expression without a value yet: n8n then hands over its text, which begins with `=`. */
export function isUnresolved(locator: unknown): boolean {
	return expressionOf(locatorValue(locator)) !== undefined;
}
