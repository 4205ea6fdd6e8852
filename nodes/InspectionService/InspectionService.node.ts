import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { operationProperties } from './actions/description';
import {
	inspectionServiceApiTest,
	listSearch,
	loadOptions,
	resourceMapping,
} from './methods/methods';

export class InspectionService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inspection Service',
		name: 'inspectionService',
		icon: {
			light: 'file:../../icons/inspectionService.svg',
			dark: 'file:../../icons/inspectionService.dark.svg',
		},
		group: ['transform'],
		version: 1,
		// n8n's linter requires a single literal. JSON.stringify is used to get the template's name
		// (`cachedResultName`), because `$parameter.templateId` is only the ID.
		subtitle:
			'={{ ({ create: "Create", get: "Get", getAll: "Get Many", getUrl: "Get URL", download: "Download" })[$parameter["operation"]] + ": " + (JSON.parse(JSON.stringify($parameter)).templateId?.cachedResultName || $parameter["resource"]) }}',
		description: 'Create inspections, get them as rows, and download their files',
		defaults: { name: 'Inspection Service' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Inspections, audits, checklists, and forms: create them from templates with answers and a task, list them as spreadsheet rows, or download their photos',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-inspection-service.inspectionServiceTrigger',
					relationHint: 'Starts a workflow when inspections are created, updated, or completed',
				},
				{
					nodeType: 'n8n-nodes-base.extractFromFile',
					relationHint: 'Reads the rows of a spreadsheet that Create maps to questions',
				},
				{
					nodeType: 'n8n-nodes-base.googleSheets',
					relationHint: "Stores the rows that Get Many returns with 'Output' set to 'Row'",
				},
			],
		},
		credentials: [
			{ name: 'inspectionServiceApi', required: true, testedBy: 'inspectionServiceApiTest' },
		],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Inspection', value: 'inspection' },
					{ name: 'File', value: 'file' },
					{ name: 'Template', value: 'template' },
				],
				default: 'inspection',
			},
			...operationProperties(),
		],
	};

	methods = {
		credentialTest: { inspectionServiceApiTest },
		listSearch,
		loadOptions,
		resourceMapping,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { runNode } = await import('./actions/router');
		return [await runNode(this)];
	}
}
