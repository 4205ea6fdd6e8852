import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import type { Sandbox } from '#sandbox/service/sandbox.mts';
import { builtNode } from './builtPackage.mts';
import type { Credential } from './credential.mts';
import {
	executeNode,
	loadOptionsContext,
	oneNodeWorkflow,
	pollContext,
} from './inspectionNodes.mts';

/** A node's inputs, apart from the service's responses. */
export interface Given {
	credential: Credential;
	parameters: INodeParameters;
	item?: IDataObject;
	/** The trigger's static data, as stored by n8n. */
	state?: IDataObject;
}

/** One use of the package by n8n, such as running an operation. All its requests go to one service. */
export interface Scenario {
	name: string;
	given: Omit<Given, 'credential'>;
	/**
	 * Runs the scenario. Resolves with the data that n8n would display or pass to the next node. Rejects with the node's
	 * error.
	 */
	run(given: Given): Promise<unknown>;
}

/** The data in the sandbox that the scenarios use. */
export interface KnownIds {
	templateId: string;
	inspectionId: string;
	fileId: string;
	/** An item that Create accepts, with answers by label. */
	item: IDataObject;
	/**
	 * A text for all fields that accept any text, each field in a separate scenario. Without it, there are no such
	 * scenarios.
	 */
	text?: string;
}

/**
 * Returns all uses of the package. They come from the nodes' descriptions, so new operations, options, and methods are
 * included.
 */
export function scenariosOf(ids: KnownIds): Scenario[] {
	return [...operationScenarios(ids), ...editorScenarios(ids), ...triggerScenarios(ids)];
}

/** Finds an inspection of the demo data that has a file. `item` is that inspection's row, which Create accepts. */
export async function knownIds(sandbox: Sandbox): Promise<KnownIds> {
	const organization = sandbox.tenants.north.organization.id;
	const inspection = sandbox.store.inspections(organization).find(({ files }) => files.length > 0);
	const file = inspection?.files[0];
	if (inspection === undefined || file === undefined) throw new Error('no inspection has a file');
	const { items } = await executeNode({
		credential: { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
		parameters: { resource: 'inspection', operation: 'getAll', returnAll: true, output: 'row' },
	});
	const row = items.find(({ json }) => json.id === inspection.id);
	if (row === undefined) throw new Error('the inspection has no row');
	const { templateId, id: inspectionId } = inspection;
	return { templateId, inspectionId, fileId: file.id, item: row.json };
}

function operationScenarios(ids: KnownIds): Scenario[] {
	const { properties } = builtNode('inspectionService').description;
	return operationsOf(properties).flatMap(({ resource, operation }) => {
		const fields = properties.filter(({ displayOptions }) => {
			const { resource: resources, operation: operations } = displayOptions?.show ?? {};
			return resources?.includes(resource) && operations?.includes(operation);
		});
		return variantsOf(fields, ids).map(([name, parameters]) => ({
			name: `${resource} ${operation}, ${name}`,
			given: { parameters, item: ids.item },
			run: async ({ credential, parameters: given, item = {} }: Given) => {
				const all = { resource, operation, ...given };
				return await executeNode({ credential, items: [item], parameters: all });
			},
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

type Variant = [name: string, parameters: INodeParameters];

/** Returns the parameters of a run with default fields, and of one run for each other value of each field. */
function variantsOf(fields: readonly INodeProperties[], ids: KnownIds): Variant[] {
	const plain = plainParameters(fields, ids);
	const all: Variant[] = [['plain', {}], ...otherValuesOf(fields, ids.text)];
	return all.map(([name, other]) => [name, { ...plain, ...other }]);
}

/** Returns parameters in which all fields for IDs have a value. Every other field has its default. */
function plainParameters(
	fields: readonly INodeProperties[],
	{ templateId, inspectionId, fileId }: KnownIds,
): INodeParameters {
	const asked: Record<string, string> = { templateId, inspectionId, fileId };
	const parameters: INodeParameters = {};
	for (const { name, type } of fields) {
		const value = asked[name];
		if (type === 'resourceMapper')
			parameters[name] = { mappingMode: 'autoMapInputData', value: null };
		else if (value !== undefined)
			parameters[name] = type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
	}
	return parameters;
}

const otherValuesOf = (fields: readonly INodeProperties[], text: string | undefined): Variant[] =>
	fields.flatMap((field) =>
		otherValues(field, text).map(
			([name, value]): Variant => [`${field.name} ${name}`, { [field.name]: value }],
		),
	);

function otherValues(
	{ type, default: preset, options = [] }: INodeProperties,
	text: string | undefined,
): [name: string, value: INodeParameters[string]][] {
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	const members = options.filter((option) => 'type' in option);
	switch (type) {
		case 'boolean':
			return [[String(preset !== true), preset !== true]];
		case 'options':
			return choices.filter((value) => value !== preset).map((value) => [String(value), value]);
		case 'multiOptions':
			return [['all', choices.map(String)]];
		case 'collection':
			return otherValuesOf(members, text);
		case 'string':
		case 'dateTime':
		case 'json':
			return text === undefined ? [] : [['text', text]];
		default:
			return [];
	}
}

function editorScenarios(ids: KnownIds): Scenario[] {
	const { methods = {}, description } = builtNode('inspectionService');
	const create: INodeParameters = { resource: 'inspection', operation: 'create' };
	const parameters = { ...create, ...plainParameters(description.properties, ids) };
	const asking = (name: string, ask: (context: ILoadOptionsFunctions) => Promise<unknown>) => ({
		name: `editor ${name}`,
		given: { parameters },
		run: async (given: Given) => await ask((await loadOptionsContext(given)).context),
	});
	const { listSearch = {}, resourceMapping = {}, loadOptions = {} } = methods;
	type Call = (this: ILoadOptionsFunctions) => Promise<unknown>;
	const calls: Record<string, Call> = { ...listSearch, ...resourceMapping, ...loadOptions };
	const plain = Object.entries(calls).map(([name, call]) =>
		asking(name, async (context) => await call.call(context)),
	);
	const searches = Object.entries(listSearch).map(([name, search]) =>
		asking(`${name} with text`, async (context) => await search.call(context, ids.text ?? 'a')),
	);
	return [...plain, ...searches];
}

const LONG_AGO = { startFrom: '2000-01-01T00:00:00Z' };

/**
 * Returns scenarios of the trigger. In each scenario, the first poll reads old inspections. A second poll and a test in
 * the editor follow.
 */
function triggerScenarios(ids: KnownIds): Scenario[] {
	const { properties } = builtNode('inspectionServiceTrigger').description;
	const fields = properties.filter(({ name }) => name !== 'pollTimes');
	return variantsOf(fields, ids).map(([name, { options, ...parameters }]) => ({
		name: `trigger, ${name}`,
		given: { parameters: { ...parameters, options: { ...LONG_AGO, ...Object(options) } } },
		run: polls,
	}));
}

async function polls({ credential, parameters, state }: Given) {
	const options = { credential, parameters, ...(state && { staticData: state }) };
	const workflow = await oneNodeWorkflow('inspectionServiceTrigger', options);
	const poll = async (mode: 'trigger' | 'manual') =>
		await workflow.nodeType.poll?.call(pollContext(workflow, mode));
	const emitted = [await poll('trigger'), await poll('trigger'), await poll('manual')];
	return { emitted, state: workflow.workflow.staticData };
}
