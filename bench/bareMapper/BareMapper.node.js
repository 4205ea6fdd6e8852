'use strict';

const { readFileSync } = process.getBuiltinModule('node:fs');

/** A node with only a resource mapper. Its columns come from a file next to it. See editorPanel.mts. */
class BareMapper {
	constructor() {
		this.description = {
			displayName: 'Bare Mapper',
			name: 'bareMapper',
			group: ['transform'],
			version: 1,
			description: 'A mapper with columns that stand fast',
			defaults: { name: 'Bare Mapper' },
			inputs: ['main'],
			outputs: ['main'],
			properties: [
				{
					displayName: 'Columns',
					name: 'responses',
					type: 'resourceMapper',
					noDataExpression: true,
					default: { mappingMode: 'defineBelow', value: null },
					typeOptions: {
						resourceMapper: {
							resourceMapperMethod: 'getColumns',
							mode: 'add',
							addAllFields: true,
							supportAutoMap: true,
						},
					},
				},
			],
		};
		this.methods = { resourceMapping: { getColumns } };
	}

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		return [this.getInputData()];
	}
}

async function getColumns() {
	return { fields: JSON.parse(readFileSync(`${__dirname}/columns.json`, 'utf8')) };
}

module.exports = { BareMapper };
