import type { INodeProperties } from 'n8n-workflow';

import { readChoices } from '../domain/answer/choices';
import { FILE_KINDS } from '../domain/fileKind';
import { shownValue } from '../domain/formatting';
import { InputError } from '../domain/inputError';
import { textOf } from '../domain/json';
import { choice, choices, field, optionalChoice, titled, toggle } from './field';
import { locator, textMode } from './locators';
import { locatorValue } from './parameterValue';

// Output fields of the inspection operations and the trigger. Workflows save the names and values.

const RAW = {
	name: 'Raw',
	value: 'raw',
	description: 'Each inspection as the service returns it',
} as const;

export const OUTPUT = choice({
	displayName: 'Output',
	options: [
		{
			name: 'Answers',
			value: 'answers',
			description: 'One item per answer, ready for a database table',
		},
		{ name: 'Files', value: 'files', description: 'One item per file of the inspections' },
		RAW,
		{
			name: 'Report',
			value: 'report',
			description: 'A printable HTML file with answers and photos, for each inspection',
		},
		{ name: 'Row', value: 'row', description: 'One column per question, ready for a spreadsheet' },
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'Name, status, template, team, and dates, without the answers',
		},
	],
	default: 'simplified',
});

/** Hides Report from the tool of an AI Agent, because n8n passes no binary data to a model. */
export function withoutReportForTools(properties: readonly INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		if (property.name !== 'output') return [property];
		const options = property.options?.filter((one) => !('value' in one) || one.value !== 'report');
		const [asTool, asNode] = [{ show: { '@tool': [true] } }, { hide: { '@tool': [true] } }];
		return [
			{ ...property, displayOptions: asNode },
			{ ...property, options, displayOptions: asTool },
		];
	});
}

export const CREATE_OUTPUT = choice({
	displayName: 'Output',
	options: [
		RAW,
		{
			name: 'Simplified',
			value: 'simplified',
			description:
				'Name, status, whether it already existed, warnings, and the answers that were not stored',
		},
	],
	default: 'simplified',
});

/** The options of all outputs: `OutputChoice` without `output`. */
export const OUTPUT_OPTIONS = {
	columnNames: choice({
		displayName: 'Column Names',
		options: [
			{
				name: 'Field ID',
				value: 'fieldId',
				description: 'Stays the same when a question is renamed',
			},
			{
				name: 'Label',
				value: 'label',
				description: "The question's label, or its path if several have the same label",
			},
		],
		default: 'label',
		description: "How to name the questions' columns",
		displayOptions: { show: { '/output': ['row'] } },
	}),
	/**
	 * Dates are in UTC unless this option is added, except in the page of a report. Its default isn't UTC, so that adding
	 * the option has an effect.
	 */
	datesAs: optionalChoice({
		displayName: 'Date Style',
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
		default: 'local',
		description: 'How dates are written',
		displayOptions: { hide: { '/output': ['raw', 'files'] } },
	}),
	downloadFiles: toggle({
		displayName: 'Download Files',
		description: 'Whether to download the files of each inspection as binary data',
		displayOptions: { hide: { '/output': ['answers', 'report'] } },
	}),
	/** A list, or an expression of names with commas between them. */
	fields: field<string[]>(
		{
			displayName: 'Field Names or IDs',
			type: 'multiOptions',
			typeOptions: {
				loadOptionsMethod: 'getOutputFields',
				loadOptionsDependsOn: [
					'output',
					'options.columnNames',
					'options.rowPerInstanceOf.value',
					'filters.templateId.value',
					'inspectionId.value',
				],
			},
			allowArbitraryValues: true,
			default: [],
			description:
				'Only these fields of each item, in this order. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		(given) => {
			const { choices: names } = readChoices(given, []);
			if (names !== undefined) return names;
			throw new InputError(
				`Field Names or IDs: ${shownValue(given)} isn't a list of names. Enter names, separated by commas.`,
			);
		},
	),
	fileKinds: choices(
		{
			displayName: 'File Kinds',
			options: titled(FILE_KINDS),
			description: 'Only files of these kinds, or all kinds if none is chosen',
			displayOptions: { hide: { '/output': ['answers'] } },
		},
		FILE_KINDS,
	),
	include: choices({
		displayName: 'Include',
		options: [
			{ name: 'Answers', value: 'data' },
			{ name: 'Files', value: 'files' },
			{ name: 'Shared Users', value: 'shared_with_users' },
		],
		description: 'Which parts to include in addition to the inspection itself',
		displayOptions: { show: { '/output': ['raw'] } },
	}),
	photos: toggle({
		displayName: 'Photos',
		default: true,
		description: 'Whether the report shows photos and signatures, or only lists their names',
		displayOptions: { show: { '/output': ['report'] } },
	}),
	/** A repeatable section by its label, path, or field ID. Also accepts plain text instead of a locator. */
	rowPerInstanceOf: locator(
		{
			displayName: 'Row per Instance Of',
			description: 'A repeatable section whose instances become separate rows',
			searchListMethod: 'searchSections',
			placeholder: 'Select a section…',
			listHint: 'The repeatable sections of the template',
			modes: [
				textMode('By Name', 'name', 'Findings', 'The label, path or field ID of the section'),
			],
			displayOptions: { show: { '/output': ['row'] } },
		},
		(given) => textOf(String(locatorValue(given) ?? '').trim()),
	),
};
