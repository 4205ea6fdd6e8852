'use strict';

const { readFileSync } = process.getBuiltinModule('node:fs');

/**
 * A node that has only a resource mapper, whose columns come from columns.json next to this file. editorPanel.mts uses
 * it as the baseline.
 */
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
