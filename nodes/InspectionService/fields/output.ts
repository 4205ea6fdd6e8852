import type { INodeProperties } from 'n8n-workflow';

import { readChoices } from '../domain/answer/choices';
import { FILE_KINDS } from '../domain/fileKind';
import { shownValue } from '../domain/formatting';
import { InputError } from '../domain/inputError';
import { textOf } from '../domain/json';
import {
	choice,
	choices,
	type Field,
	field,
	optionalChoice,
	shownFor,
	toggle,
	wholeNumber,
} from './field';
import { locatorValue } from './parameterValue';

// Output fields of the inspection operations and the trigger. Workflows save the names and values.

const RAW = {
	name: 'Raw',
	value: 'raw',
	description: 'Each inspection as the service returns it',
} as const;
const ROW = {
	name: 'Row',
	value: 'row',
	description: 'One column per question, ready for a spreadsheet',
} as const;

const OUTPUTS = choice({
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
		ROW,
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'Name, status, template, team, and dates, without the answers',
		},
	],
	default: 'simplified',
});

/** An AI Agent's tool doesn't have Report, because n8n passes no binary data to a model. */
export const OUTPUT: typeof OUTPUTS = {
	properties: [
		{ ...OUTPUTS.properties[0], displayOptions: { hide: { '@tool': [true] } } },
		{
			...OUTPUTS.properties[0],
			options: OUTPUTS.properties[0].options?.filter(({ name }) => name !== 'Report'),
			displayOptions: { show: { '@tool': [true] } },
		},
	],
	read: OUTPUTS.read,
};

export const CREATE_OUTPUT = choice({
	displayName: 'Output',
	options: [
		RAW,
		ROW,
		{
			name: 'Simplified',
			value: 'simplified',
			description:
				'Name, status, whether it already existed, warnings, and the answers that were not stored',
		},
	],
	default: 'simplified',
});

export const MAX_SIZE = wholeNumber({
	displayName: 'Max Size (MB)',
	min: 1,
	// 2 GB is enough for about 15 minutes of a phone's video in Full HD. Any server that stores files has more disk
	// space.
	default: 2_000,
	description: "Maximum size of an unpacked file. Larger files cause an error and aren't kept.",
});

/** A repeatable section by its label, path, or field ID. Also accepts plain text instead of a locator. */
const ROW_PER_INSTANCE_OF = field(
	{
		displayName: 'Row per Instance Of',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description:
			'A repeatable section: each of its instances becomes a separate row, with the columns "row_key" and "instance". To update a sheet, match on "row_key". To create inspections from these rows, set the option "Group Rows By" of Create to "id".',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a section…',
				hint: 'The repeatable sections of the template',
				typeOptions: { searchListMethod: 'searchSections', searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. Findings',
				hint: 'The label, path or field ID of the section',
			},
		],
		displayOptions: { show: { '/output': ['row'] } },
	},
	(given) => textOf(String(locatorValue(given) ?? '').trim()),
);

/**
 * Matches if Fields is text or an expression. Its element 0 is then one character, and not a field's name. A regular
 * expression isn't used, because n8n (2.41) fails to evaluate it when the computer is busy.
 */
const IS_TEXT = { '/options.fields[0].length': [1] };

const LIST_OF_FIELDS: INodeProperties['typeOptions'] = {
	loadOptionsMethod: 'getOutputFields',
	loadOptionsDependsOn: [
		'output',
		'options.columnNames',
		'options.rowPerInstanceOf.value',
		'filters.templateId.value',
		'inspectionId.value',
	],
};

/**
 * The option Fields: a list, or a text field if the value is text or an expression. n8n would show such a value as an
 * empty list.
 */
const CHOSEN_FIELDS: Field<string[]> = {
	properties: [
		{
			displayName: 'Fields',
			type: 'multiOptions',
			typeOptions: LIST_OF_FIELDS,
			allowArbitraryValues: true,
			default: [],
			description:
				'Only these fields of each item, in this order. To type names, switch to "Expression" and separate them with commas. Fields that an item doesn\'t have are empty.',
			displayOptions: { hide: IS_TEXT },
		},
		{
			displayName: 'Fields',
			type: 'string',
			default: '',
			placeholder: 'e.g. name, status, Weather',
			description:
				"Only these fields of each item, in this order, separated by commas. Put a name with a comma into double quotes. Fields that an item doesn't have are empty. Clear the text to choose from a list.",
			displayOptions: { show: IS_TEXT },
		},
	],
	read(given) {
		const { choices: names } = readChoices(given, []);
		if (names !== undefined) return names;
		throw new InputError(
			`Fields: ${shownValue(given)} isn't a list of names. Enter names, separated by commas.`,
		);
	},
};

/** Dates are in UTC unless this option is added, except in the page of a report. Its default isn't UTC, so that adding the option has an effect. */
const DATE_STYLE = optionalChoice({
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
	description:
		'How dates are written. With "Local Time", answers to questions that don\'t ask for a time contain only the day. Create reads both styles in the same way, if its workflow has the same time zone.',
	displayOptions: { hide: { '/output': ['raw', 'files'] } },
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
			{
				name: 'Path',
				value: 'path',
				description: 'The labels of the page, sections, and question, separated by slashes',
			},
		],
		default: 'label',
		description: "How to name the questions' columns",
		displayOptions: { show: { '/output': ['row'] } },
	}),
	datesAs: DATE_STYLE,
	downloadFiles: toggle({
		displayName: 'Download Files',
		description:
			'Whether to download the files of each inspection, as binary data file_0, file_1, and so on. If "Output" is "Files", each item has its own file as binary data instead.',
		displayOptions: { hide: { '/output': ['answers', 'report'] } },
	}),
	fileKinds: choices(
		{
			displayName: 'File Kinds',
			options: FILE_KINDS.map((value) => ({ name: capitalized(value), value })),
			description:
				'Only files of these kinds. Applies if "Download Files" is on, or if "Output" is "Files" or "Report". If none is chosen, all kinds are included.',
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
	maxSize: shownFor(MAX_SIZE, { hide: { '/output': ['answers', 'report'] } }),
	photos: toggle({
		displayName: 'Photos',
		default: true,
		description:
			'Whether the report shows the photos and signatures. Otherwise, it lists their names.',
		displayOptions: { show: { '/output': ['report'] } },
	}),
	rowPerInstanceOf: ROW_PER_INSTANCE_OF,
	fields: CHOSEN_FIELDS,
};

function capitalized(word: string): string {
	return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
