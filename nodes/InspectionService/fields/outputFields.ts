import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { readChoices } from '../domain/answer/choices';
import { type JsonRecord, textOf } from '../domain/json';
import { INCLUDES } from '../domain/list/inspectionQuery';
import { OUTPUT_MODES, type OutputChoice } from '../output/outputChoice';
import { maxBytesOf, maxSizeOption } from './maxSize';
import { rowPerInstanceOption } from './outputListFields';
import { booleanOf, choiceOf, choicesOf, locatorValue } from './parameterValue';

/** The outputs that all operations on inspections have. */
const RAW_AND_ROW: INodePropertyOptions[] = [
	{
		name: 'Raw',
		value: 'raw',
		description: 'Each inspection as the service returns it',
	},
	{
		name: 'Row',
		value: 'row',
		description: 'One column per question, ready for a spreadsheet',
	},
];

/** The field Output of the operations that read inspections. */
export function outputField(): INodeProperties {
	return outputOf([
		{
			name: 'Answers',
			value: 'answers',
			description: 'One item per answer, ready for a database table',
		},
		{
			name: 'Files',
			value: 'files',
			description: 'One item per file of the inspections',
		},
		...RAW_AND_ROW,
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields, the same for every inspection',
		},
	]);
}

/** The field Output of Create. */
export function createOutputField(): INodeProperties {
	return outputOf([
		...RAW_AND_ROW,
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields, and what became of the answers as text',
		},
	]);
}

/** How inspections come out of a node; names and values are saved in workflows. */
function outputOf(options: INodePropertyOptions[]): INodeProperties {
	return { displayName: 'Output', name: 'output', type: 'options', options, default: 'simplified' };
}

/** Options that Get Many and the trigger have in common. */
export function outputOptions(): INodeProperties[] {
	return [
		columnNamesOption(),
		datesAsOption(),
		downloadFilesOption(),
		includeOption(),
		{ ...maxSizeOption(), displayOptions: { hide: { '/output': ['answers'] } } },
		rowPerInstanceOption(),
	];
}

function columnNamesOption(): INodeProperties {
	return {
		displayName: 'Column Names',
		name: 'columnNames',
		type: 'options',
		options: [
			{
				name: 'Field ID',
				value: 'fieldId',
				description: 'Stays the same when a question is renamed',
			},
			{
				name: 'Label',
				value: 'label',
				description: 'The question as people know it; its path where several have the same label',
			},
			{
				name: 'Path',
				value: 'path',
				description: 'The labels of page, sections and question, with slashes between them',
			},
		],
		default: 'label',
		description: "What the questions' columns are named by",
		displayOptions: { show: { '/output': ['row'] } },
	};
}

function datesAsOption(): INodeProperties {
	return {
		displayName: 'Date Style',
		name: 'datesAs',
		type: 'options',
		options: [
			{
				name: 'Local Time',
				value: 'local',
				description: "As people write them in the workflow's time zone: 2026-05-24 08:30",
			},
			{
				name: 'UTC',
				value: 'utc',
				description: 'As the service sends them: 2026-05-24T06:30:00.000Z',
			},
		],
		default: 'utc',
		description:
			'How dates are written. A question that asks for no time has the day alone in local time. Create reads both as the same answers, in a workflow with the same time zone.',
		displayOptions: { hide: { '/output': ['raw', 'files'] } },
	};
}

function downloadFilesOption(): INodeProperties {
	return {
		displayName: 'Download Files',
		name: 'downloadFiles',
		type: 'boolean',
		default: false,
		description:
			'Whether to download the files of each inspection, as binary data file_0, file_1 and so on. With the output Files, each item has its own file as binary data.',
		displayOptions: { hide: { '/output': ['answers'] } },
	};
}

function includeOption(): INodeProperties {
	return {
		displayName: 'Include',
		name: 'include',
		type: 'multiOptions',
		options: [
			{ name: 'Answers', value: 'data' },
			{ name: 'Files', value: 'files' },
			{ name: 'Shared Users', value: 'shared_with_users' },
		],
		default: [],
		description: 'What to get in addition to the inspection itself',
		displayOptions: { show: { '/output': ['raw'] } },
	};
}

/**
 * Reads the fields above: `output` is the value of the field Output, `options` the members of the collection.
 * @throws InputError where a value cannot be used
 */
export function outputChoice(output: unknown, options: JsonRecord): OutputChoice {
	return {
		output: choiceOf('Output', output, OUTPUT_MODES) ?? 'simplified',
		includes: choicesOf('Include', options.include, INCLUDES),
		downloadFiles: booleanOf('Download Files', options.downloadFiles, false),
		maxBytes: maxBytesOf(options.maxSize),
		columnNames: columnNamesOf(options.columnNames),
		hasLocalDates: choiceOf('Date Style', options.datesAs, ['utc', 'local']) === 'local',
		rowPerInstanceOf: nameIn(options.rowPerInstanceOf),
		fields: readChoices(options.fields, []).choices ?? [],
	};
}

/** The name or ID in a locator, or the text in its place. */
function nameIn(locator: unknown): string | undefined {
	return textOf(String(locatorValue(locator) ?? '').trim());
}

function columnNamesOf(given: unknown) {
	return choiceOf('Column Names', given, ['label', 'path', 'fieldId']) ?? 'label';
}
