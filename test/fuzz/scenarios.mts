import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Credential } from '#harness/additionalData.mts';
import { loadNode } from '#harness/builtPackage.mts';
import {
	executeNode,
	loadOptionsContext,
	oneNodeWorkflow,
	pollContext,
} from '#harness/inspectionNodes.mts';

/** What a node is given beside the responses of the service. */
export interface Given {
	credential: Credential;
	parameters: INodeParameters;
	item?: IDataObject;
	/** What the trigger has stored. */
	state?: IDataObject;
}

/** Something that n8n does with the package, with all its requests to one service. */
export interface Scenario {
	name: string;
	given: Omit<Given, 'credential'>;
	/** Resolves with what n8n would show or hand on; rejects with the node's error. `state`: of the trigger. */
	run(given: Given): Promise<unknown>;
}

/** What the scenarios ask for, all of it in the sandbox. */
export interface KnownIds {
	templateId: string;
	inspectionId: string;
	fileId: string;
	/** An item that Create takes: answers by label. */
	item: IDataObject;
	/** What every field that takes any text gets, each in a scenario of its own; none where it is left out. */
	text?: string;
}

/** Fields that say what to ask for; every other field keeps its default or gets a variant. */
function askedFor({ templateId, inspectionId, fileId }: KnownIds): Record<string, string> {
	return { templateId, inspectionId, fileId };
}

/** Everything that the package can do: new operations, outputs, options and editor calls are found by themselves. */
export async function scenariosOf(ids: KnownIds): Promise<Scenario[]> {
	return [
		...(await operationScenarios(ids)),
		...(await editorScenarios(ids)),
		...(await triggerScenarios(ids)),
	];
}

async function operationScenarios(ids: KnownIds): Promise<Scenario[]> {
	const { properties } = (await loadNode('inspectionService')).description;
	return operationsOf(properties).flatMap(({ resource, operation }) => {
		const fields = properties.filter(({ displayOptions }) => {
			const { resource: resources, operation: operations } = displayOptions?.show ?? {};
			return resources?.includes(resource) && operations?.includes(operation);
		});
		return variantsOf(fields, ids).map(({ name, parameters }) => ({
			name: `${resource} ${operation}, ${name}`,
			given: { parameters, item: ids.item },
			run: async ({ credential, parameters, item = {} }: Given) =>
				await executeNode({
					credential,
					items: [item],
					parameters: { resource, operation, ...parameters },
				}),
		}));
	});
}

function operationsOf(properties: INodeProperties[]) {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) => {
			const resource = String(displayOptions?.show?.resource?.[0]);
			return options.flatMap((option) =>
				'value' in option ? [{ resource, operation: String(option.value) }] : [],
			);
		});
}

/** The fields as a user leaves them, and once for each value that one of them could have instead. */
function variantsOf(
	fields: INodeProperties[],
	ids: KnownIds,
): { name: string; parameters: INodeParameters }[] {
	const plain = plainParameters(fields, ids);
	const variants = fields.flatMap((field) =>
		otherValues(field, ids.text).map(({ name, value }) => ({
			name: `${field.name} ${name}`,
			parameters: { ...plain, [field.name]: value },
		})),
	);
	return [{ name: 'plain', parameters: plain }, ...variants];
}

function plainParameters(fields: INodeProperties[], ids: KnownIds): INodeParameters {
	const parameters: INodeParameters = {};
	for (const { name, type } of fields) {
		const value = askedFor(ids)[name];
		if (value !== undefined) {
			parameters[name] = type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
		} else if (type === 'resourceMapper') {
			parameters[name] = { mappingMode: 'autoMapInputData', value: null };
		}
	}
	return parameters;
}

interface Variant {
	name: string;
	value: INodeParameters[string];
}

function otherValues(field: INodeProperties, text: string | undefined): Variant[] {
	const { type, default: preset, options = [] } = field;
	switch (type) {
		case 'boolean':
			return [{ name: String(preset !== true), value: preset !== true }];
		case 'options':
			return options.flatMap((option) =>
				'value' in option && option.value !== preset
					? [{ name: String(option.value), value: option.value }]
					: [],
			);
		case 'multiOptions':
			return [
				{ name: 'all', value: options.flatMap((o) => ('value' in o ? [String(o.value)] : [])) },
			];
		case 'collection':
			return options.flatMap((child) =>
				'type' in child
					? otherValues(child, text).map(({ name, value }) => ({
							name: `${child.name} ${name}`,
							value: { [child.name]: value },
						}))
					: [],
			);
		case 'string':
		case 'dateTime':
		case 'json':
			return text === undefined ? [] : [{ name: 'text', value: text }];
		default:
			return [];
	}
}

async function editorScenarios(ids: KnownIds): Promise<Scenario[]> {
	const { methods = {}, description } = await loadNode('inspectionService');
	const parameters: INodeParameters = {
		resource: 'inspection',
		operation: 'create',
		...plainParameters(description.properties, ids),
	};
	const asking = (name: string, ask: (context: never) => Promise<unknown>) => ({
		name: `editor ${name}`,
		given: { parameters },
		run: async (given: Given) => {
			const { context } = await loadOptionsContext(given);
			return await ask(context as never);
		},
	});
	const searches = Object.entries(methods.listSearch ?? {}).flatMap(([name, search]) => [
		asking(name, async (context) => await search.call(context)),
		asking(`${name} with text`, async (context) => await search.call(context, ids.text ?? 'a')),
	]);
	const mappings = Object.entries(methods.resourceMapping ?? {}).map(([name, map]) =>
		asking(name, async (context) => await map.call(context)),
	);
	const options = Object.entries(methods.loadOptions ?? {}).map(([name, load]) =>
		asking(name, async (context) => await load.call(context)),
	);
	return [...searches, ...mappings, ...options];
}

/** A first poll that goes back, two more, and a test from the editor. */
async function triggerScenarios(ids: KnownIds): Promise<Scenario[]> {
	const { properties } = (await loadNode('inspectionServiceTrigger')).description;
	const fields = properties.filter(({ name }) => name !== 'pollTimes');
	return variantsOf(fields, ids).map(({ name, parameters }) => ({
		name: `trigger, ${name}`,
		given: {
			parameters: {
				...parameters,
				options: { ...FROM_THE_BEGINNING, ...Object(parameters.options) },
			},
		},
		run: polls,
	}));
}

const FROM_THE_BEGINNING = { startFrom: '2000-01-01T00:00:00Z' };

async function polls({ credential, parameters, state }: Given) {
	const workflow = await oneNodeWorkflow('inspectionServiceTrigger', {
		credential,
		parameters,
		...(state && { staticData: state }),
	});
	const poll = async (mode: 'trigger' | 'manual') =>
		await workflow.nodeType.poll?.call(pollContext(workflow, mode));
	const emitted = [await poll('trigger'), await poll('trigger'), await poll('manual')];
	return { emitted, state: workflow.workflow.staticData };
}
