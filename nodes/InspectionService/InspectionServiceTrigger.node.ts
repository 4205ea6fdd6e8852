import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
	type NodeHint,
} from 'n8n-workflow';

import { propertiesOf } from './fields/field';
import { inspectionServiceApiTest, listSearch, loadOptions } from './methods/methods';
import { sheetHints, TRIGGER_FIELDS } from './trigger/fields';

/**
 * Warns that a trigger on creation doesn't wait for files, answers, or a status. Otherwise, the test event is
 * misleading: it returns an inspection with files as if it had started the workflow.
 */
const CREATED_ONLY: NodeHint = {
	message:
		"'Inspection Created' checks each inspection only once, when it's new. If files, answers, flagged items, or the chosen status come later, the workflow doesn't start. To include such inspections, set 'Trigger On' to 'Inspection Completed'. Or choose 'Inspection Created or Updated', and turn on the option 'Once per Inspection'.",
	type: 'warning',
	location: 'outputPane',
	displayCondition:
		'={{ $parameter["event"] === "created" && (["answers", "files"].includes($parameter["output"]) || $parameter["filters"]["flaggedItemsOnly"] || ($parameter["filters"]["status"]?.length > 0 && !$parameter["filters"]["status"].includes("new"))) }}',
};

export class InspectionServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inspection Service Trigger',
		name: 'inspectionServiceTrigger',
		icon: {
			light: 'file:../../icons/inspectionService.svg',
			dark: 'file:../../icons/inspectionService.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["event"] === "updated" ? "inspection created or updated" : "inspection " + $parameter["event"] }}',
		description: 'Start a workflow when inspections are created, updated, or completed',
		defaults: { name: 'Inspection Service Trigger' },
		polling: true,
		hints: [...sheetHints(), CREATED_ONLY],
		builderHint: {
			searchHint: 'Start a workflow when inspections, audits, or checklists change',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-inspection-service.inspectionService',
					relationHint: 'Reads templates and files, creates inspections',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'inspectionServiceApi', required: true, testedBy: 'inspectionServiceApiTest' },
		],
		properties: propertiesOf(TRIGGER_FIELDS),
	};

	methods = {
		credentialTest: { inspectionServiceApiTest },
		listSearch,
		loadOptions,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { pollInspections } = await import('./trigger/poll');
		return await pollInspections(this);
	}
}
