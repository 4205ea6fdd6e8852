/** Parameters of the action node as the editor saves them: what tests have in common, the rest stands in the test. */
import type {
	INodeParameters,
	NodeParameterValueType,
	ResourceMapperField,
	ResourceMapperValue,
} from 'n8n-workflow';

/** A template chosen "By Identifier". */
export const templateBy = (identifier: string) => ({
	__rl: true as const,
	mode: 'identifier',
	value: identifier,
});

/** A template chosen "By ID". */
export const templateById = (id: string) => ({ __rl: true as const, mode: 'id', value: id });

/** "Map Automatically": the keys of an item name the questions. */
export const MAP_AUTOMATICALLY = { mappingMode: 'autoMapInputData', value: null, schema: [] };

/** "Map Each Column Manually": values by column id; `schema` are the columns as the editor has last seen them. */
export const mapColumns = (
	value: ResourceMapperValue['value'],
	schema: ResourceMapperField[] = [],
): ResourceMapperValue => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns: [],
	schema,
	attemptToConvertTypes: false,
	convertFieldsToString: false,
});

/** Create, mapped automatically where `others` has no `responses`. */
export const createParameters = (
	templateId: NodeParameterValueType,
	others: INodeParameters = {},
): INodeParameters => ({
	resource: 'inspection',
	operation: 'create',
	templateId,
	responses: MAP_AUTOMATICALLY,
	...others,
});

/** Get Many. */
export const getManyParameters = (others: INodeParameters = {}): INodeParameters => ({
	resource: 'inspection',
	operation: 'getAll',
	...others,
});
