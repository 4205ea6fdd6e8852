import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { fileRecordsOf } from '../domain/file/file';
import { uniqueFileNames } from '../domain/file/fileName';
import { type JsonRecord, textOf } from '../domain/json';
import { NEWEST_FIRST } from '../domain/list/inspectionQuery';
import { answerRecordsOf } from '../domain/row/placedAnswer';
import { rowsOf } from '../domain/row/row';
import { simplified } from '../domain/row/simplified';
import { formOf } from '../domain/template/form';
import { templateIdOf, templateKey } from '../domain/template/templateOfInspection';
import { valuesOf } from '../fields/field';
import { templateReference } from '../fields/locators';
import { OUTPUT, OUTPUT_OPTIONS } from '../fields/output';
import { expressionOf, locatorValue, membersOf } from '../fields/parameterValue';
import { downloadsFiles, includesFor, type OutputChoice } from '../output/outputChoice';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import { listEntry } from './literalValue';
import { findRecent } from './recentInspections';
import { locatorEntries, matches, showNote } from './recentLists';

export async function searchFiles(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const id = chosenInspection(this);
	if (id === undefined) return showNote('Choose the inspection first');
	const inspection = await findRecent(await connectToService(this), id, ['files']);
	if (inspection === undefined)
		return showNote("The inspection isn't among the recent ones", "Choose 'By ID'");
	const records = fileRecordsOf(inspection);
	const titles = uniqueFileNames(records.map((one) => textOf(one.name ?? one.file_id) ?? ''));
	const files = records.flatMap(({ file_id, type }, index) => {
		const value = textOf(file_id);
		if (value === undefined) return [];
		const title = titles[index] ?? value;
		return [{ value, name: type === null ? title : `${title} (${String(type)})` }];
	});
	if (files.length === 0) return showNote('This inspection has no files');
	const found = files.filter((file) => matches(file, filter));
	return { results: locatorEntries(found, 'file') };
}

/** Loads the choices of the option Row per Instance Of. */
export async function searchSections(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const template = await chosenTemplate(this, await connectToService(this));
	if (template === undefined) return showNote(templateUnknown(this), "Or choose 'By Name'");
	const { sections } = formOf(template);
	if (sections.length === 0) return showNote('This template has no repeatable sections');
	const entries = sections.map(({ name, columnId }) => listEntry(name, columnId));
	return { results: entries.filter((entry) => matches(entry, filter)) };
}

/** Loads the choices of the option Fields: all fields that an item has with the chosen output, in the same order. */
export async function getOutputFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const service = await connectToService(this);
	const choice = chosenOutput(this);
	const isRow = choice.output === 'row';
	const template = isRow ? await chosenTemplate(this, service) : undefined;
	const [sample = {}] = await sampleRecords(service, choice, template);
	const entries = Object.keys(sample).map((name) => listEntry(name, name));
	if (!isRow || template !== undefined) return entries;
	return [...entries, { name: `${templateUnknown(this)} to list its questions`, value: '' }];
}

async function sampleRecords(
	service: InspectionServiceClient,
	choice: OutputChoice,
	template: JsonRecord | undefined,
): Promise<JsonRecord[]> {
	const sample = { id: '', template: { id: template?.id ?? '' }, data: [{}], files: [{}] };
	const { output, columnNames, rowPerInstanceOf, downloadFiles: hasDownloads } = choice;
	switch (output) {
		case 'answers':
			return answerRecordsOf([sample], new Map()).flat();
		case 'files':
			return fileRecordsOf(sample);
		case 'row': {
			const how = { columnNames, rowPerInstanceOf, hasDownloads, hasFiles: true };
			const forms = new Map(template && [[templateKey(sample), formOf(template)]]);
			return rowsOf([{ ...sample, data: [] }], forms, how).flat();
		}
		case 'report':
		case 'simplified':
			return [{ ...simplified(sample), ...(downloadsFiles(choice) && { downloaded_files: '' }) }];
		case 'raw': {
			// Uses all fields of the most recent inspections, because the fields of an inspection aren't documented.
			const query = { ...NEWEST_FIRST, page: 1, includes: includesFor(choice) };
			const { inspections } = await service.list(query);
			return [Object.fromEntries(inspections.flatMap((one) => Object.entries(one)))];
		}
	}
}

/** Reads the output settings in the editor. Options with an expression that n8n can't evaluate yet count as not set. */
function chosenOutput(context: ILoadOptionsFunctions): OutputChoice {
	const options = membersOf(context.getCurrentNodeParameter('options'));
	const output = context.getCurrentNodeParameter('output');
	const given: Record<string, unknown> = { ...options, output };
	return valuesOf({ output: OUTPUT, ...OUTPUT_OPTIONS }, (name) => resolved(given[name]), '');
}

/** Returns the template of the filter or of the chosen recent inspection. Undefined if it isn't known yet. */
async function chosenTemplate(
	context: ILoadOptionsFunctions,
	service: InspectionServiceClient,
): Promise<JsonRecord | undefined> {
	const filter = context.getCurrentNodeParameter('filters.templateId');
	const id = chosenInspection(context);
	const reference =
		templateReference(resolved(filter)) ??
		(id && templateIdOf((await findRecent(service, id)) ?? {}));
	if (reference === undefined) return undefined;
	return await service.getTemplate(reference, { includeControls: true });
}

function templateUnknown(context: ILoadOptionsFunctions): string {
	return context.getCurrentNodeParameter('operation') === 'get'
		? 'Choose a recent inspection first'
		: "Choose a template under 'Filters' first";
}

function chosenInspection(context: ILoadOptionsFunctions): string | undefined {
	return textOf(locatorValue(resolved(context.getCurrentNodeParameter('inspectionId'))));
}

/**
 * Returns a parameter's value. Undefined for an expression that n8n can't evaluate yet: the parameter then contains the
 * expression's text, which begins with `=`.
 */
export function resolved(given: unknown): unknown {
	return expressionOf(locatorValue(given)) === undefined ? given : undefined;
}
