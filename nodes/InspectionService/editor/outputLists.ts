import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { JsonRecord } from '../domain/json';
import { MAX_PAGE_SIZE } from '../domain/list/inspectionQuery';
import { answerRecordsOf } from '../domain/row/answerRecords';
import { fileRecordsOf } from '../domain/row/fileRecords';
import { knownTemplate, rowsOf, simplified, templateKey } from '../domain/row/row';
import { formOf } from '../domain/template/form';
import { valuesOf } from '../fields/field';
import { OUTPUT, OUTPUT_OPTIONS } from '../fields/output';
import { membersOf } from '../fields/parameterValue';
import { includesFor, type OutputChoice } from '../output/outputChoice';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import { note } from './locatorEntries';
import { isUnresolved, outputTemplate, templateUnknown } from './outputTemplate';

// What the options of an output are chosen from: the sections and columns that the template of the inspections has.

/** The list of Row per Instance Of: the repeatable sections of the template. */
export async function searchSections(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const template = await outputTemplate(this, await connectToService(this));
	if (template === undefined) return note(`${templateUnknown(this)}, or choose "By Name"`);
	const { sections } = formOf(template);
	if (sections.length === 0) return note('This template has no repeatable sections');
	const wanted = filter.trim().toLowerCase();
	return {
		results: sections
			.map(({ name, columnId }) => ({ name, value: columnId }))
			.filter(({ name }) => name.toLowerCase().includes(wanted)),
	};
}

/** The list of Fields: the names of the fields that an item of the chosen output has, in their order. */
export async function getOutputFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const service = await connectToService(this);
	const choice = choiceOf(this);
	const template = choice.output === 'row' ? await outputTemplate(this, service) : undefined;
	const names =
		choice.output === 'raw' ? await rawFields(service, choice) : fieldsOf(choice, template);
	const entries = names.map((name) => ({ name, value: name }));
	if (choice.output !== 'row' || template !== undefined) return entries;
	return [...entries, { name: `${templateUnknown(this)} to list its questions`, value: '' }];
}

/** What is chosen about the output. An option with an expression, which has no value yet, counts as not chosen. */
function choiceOf(context: ILoadOptionsFunctions): OutputChoice {
	const output = context.getCurrentNodeParameter('output');
	const options = membersOf(context.getCurrentNodeParameter('options'));
	const chosen = (name: string) => (isUnresolved(options[name]) ? undefined : options[name]);
	return {
		output: OUTPUT.read(isUnresolved(output) ? undefined : output, ''),
		...valuesOf(OUTPUT_OPTIONS, chosen, ''),
	};
}

/** The fields of an item, which one sample shows. */
function fieldsOf(choice: OutputChoice, template: JsonRecord | undefined): string[] {
	const sample = { id: '', template: { id: template?.id ?? '' }, data: [{}], files: [{}] };
	switch (choice.output) {
		case 'answers':
			return keysOf(answerRecordsOf([sample], new Map()).flat());
		case 'files':
			return keysOf(fileRecordsOf(sample));
		case 'row': {
			const known =
				template === undefined ? [] : ([[templateKey(sample), knownTemplate(template)]] as const);
			const { downloadFiles: hasDownloads, columnNames, rowPerInstanceOf } = choice;
			const how = { columnNames, rowPerInstanceOf, hasDownloads, hasFiles: true };
			const noAnswers = { ...sample, data: [] };
			return keysOf(rowsOf([noAnswers], new Map(known), how).flat());
		}
		default:
			return [
				...keysOf([simplified(sample)]),
				...(choice.downloadFiles ? ['downloaded_files'] : []),
			];
	}
}

function keysOf([record = {}]: readonly JsonRecord[]): string[] {
	return Object.keys(record);
}

/** The fields of the last inspections, because what else an inspection has is not documented. */
async function rawFields(
	service: InspectionServiceClient,
	choice: OutputChoice,
): Promise<string[]> {
	const { inspections } = await service.list({
		...{ sortBy: 'updated_at', sortOrder: 'desc', page: 1, pageSize: MAX_PAGE_SIZE },
		includes: includesFor(choice),
	});
	return [...new Set(inspections.flatMap((inspection) => Object.keys(inspection)))];
}
