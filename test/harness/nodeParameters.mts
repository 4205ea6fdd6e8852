/** Parameters of the action node as the editor saves them, shared by tests. */
import type { ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

const locator = (mode: string, value: string) => ({ __rl: true as const, mode, value });

/** A template chosen "By Identifier". */
export const templateBy = (identifier: string) => locator('identifier', identifier);

/** A template chosen "By ID". */
export const templateById = (id: string) => locator('id', id);

/** "Map Automatically": an item's keys are names of questions. */
export const MAP_AUTOMATICALLY = { mappingMode: 'autoMapInputData', value: null, schema: [] };

/** "Map Each Column Manually": values by column ID. `schema` has the columns that the editor last saw. */
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

/** Create, mapped automatically if `others` has no `responses`. */
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
