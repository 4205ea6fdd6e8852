/** Parameters of the action node as the editor saves them: what tests have in common, the rest stands in the test. */
import type { ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

const locator = (mode: string, value: string) => ({ __rl: true as const, mode, value });

/** A template chosen "By Identifier". */
export const templateBy = (identifier: string) => locator('identifier', identifier);

/** A template chosen "By ID". */
export const templateById = (id: string) => locator('id', id);

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
export const createParameters = <Others extends object>(
	templateId: ReturnType<typeof locator>,
	others?: Others,
) => ({
	resource: 'inspection',
	operation: 'create',
	templateId,
	responses: MAP_AUTOMATICALLY,
	...others,
});

export const getManyParameters = <Others extends object>(others?: Others) => ({
	resource: 'inspection',
	operation: 'getAll',
	...others,
});
