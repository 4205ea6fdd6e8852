import { optionsCollection, propertiesOf, time } from '../../fields/field';
import { inspection } from '../../fields/locators';
import { OUTPUT, OUTPUT_OPTIONS } from '../../fields/output';
import type { OperationDescription } from '../operation';

const CURE =
	'Choose it from the list, or give the ID that a row, the trigger or Get Many has under "id"';

/** The fields of Get. */
export const GET_FIELDS = {
	inspectionId: inspection('The inspection to get', CURE),
	output: OUTPUT,
	options: optionsCollection({
		changedAround: time({
			displayName: 'Changed Around',
			description:
				"A time near which the inspection was created or last changed, such as the updated_at of a row: then it is found with one or two requests. Without it, or where it is not found there, the list is searched, newest first. A time without a zone is in the workflow's time zone.",
		}),
		...OUTPUT_OPTIONS,
	}),
};

export const getDescription: OperationDescription = {
	resource: 'inspection',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get inspection by ID',
		description: 'Get one inspection by its ID: as it is, as a row, as answers or as files',
	},
	fields: propertiesOf(GET_FIELDS),
};
