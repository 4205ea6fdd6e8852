/** The action node's parameters as the editor saves them. */
import type { ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

const locator = (mode: string, value: string) => ({ __rl: true as const, mode, value });

/** Returns a template that is selected "By Identifier". */
export const templateBy = (identifier: string) => locator('identifier', identifier);

/** Returns a template that is selected "By ID". */
export const templateById = (id: string) => locator('id', id);

/** The mapper with "Map Automatically": the keys of items are names of questions. */
export const MAP_AUTOMATICALLY = { mappingMode: 'autoMapInputData', value: null, schema: [] };

/**
 * Returns the mapper with "Map Each Column Manually": values by column ID. `schema` has the columns that the editor
 * loaded last.
 */
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

/** Returns the parameters of Create. By default, items are mapped automatically. */
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
