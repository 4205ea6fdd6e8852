import type { INodeProperties } from 'n8n-workflow';

// The options of an output that are chosen from lists of the template's sections and columns.

/** A locator. Text in its place, such as an expression gives, is taken as the name. */
export function rowPerInstanceOption(): INodeProperties {
	return {
		displayName: 'Row per Instance Of',
		name: 'rowPerInstanceOf',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description:
			'A repeatable section: each of its instances becomes a row of its own, with a column "instance". Create makes the same inspections of these rows with the option Group Rows By: ID.',
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
	};
}

/** The list of Fields depends on these parameters. */
const OUTPUT_FIELDS = {
	loadOptionsMethod: 'getOutputFields',
	loadOptionsDependsOn: [
		...['output', 'options.columnNames', 'options.rowPerInstanceOf.value'],
		...['filters.templateId.value', 'inspectionId.value'],
	],
};

/**
 * True where Fields holds text, also an expression: what stands in its first place is one character then. In a list it
 * is a name. A path into a value is all that `displayOptions` has to tell the two apart. (A pattern would do it, too,
 * but n8n 2.41 gives a pattern 250 ms, and on a busy computer refuses to run the workflow.)
 */
const IS_TEXT = { '/options.fields[0].length': [1] };

/**
 * The option that keeps only some fields of each item, chosen from a list. A text, as an imported workflow may have it, or
 * an expression shows in a field of its own: n8n would show an empty list for it.
 */
export function fieldsOption(): INodeProperties[] {
	return [
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			typeOptions: OUTPUT_FIELDS,
			allowArbitraryValues: true,
			default: [],
			description:
				'Only these fields of each item, in this order. To type names, switch to Expression and write them with commas between them. A field that an item does not have is null.',
			displayOptions: { hide: IS_TEXT },
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'string',
			default: '',
			placeholder: 'e.g. name, status, Weather',
			description:
				'Only these fields of each item, in this order, separated by commas; a name that has a comma itself stands in double quotes. A field that an item does not have is null. Clear the text to choose from a list.',
			displayOptions: { show: IS_TEXT },
		},
	];
}
