import { shownValue } from '../domain/formatting';
import { EXAMPLE_ID, guidAsGiven } from '../domain/id';
import { InputError } from '../domain/inputError';
import { STATUSES } from '../domain/list/inspectionQuery';
import { choices, collection, field, type Fields, textsOf, time, titled, toggle } from './field';
import { optionalTemplate, team } from './locators';

/** Shared by Get Many and the trigger. */
export const SHARED_FILTERS = {
	flaggedItemsOnly: toggle({
		displayName: 'Flagged Items Only',
		description: 'Whether to get only inspections with flagged items',
	}),
	status: choices({
		displayName: 'Status',
		options: titled(STATUSES.toSorted()),
		description: 'Only inspections with one of these statuses, or all if none is chosen',
	}),
	teamId: team('Only inspections of this team'),
	templateId: optionalTemplate('Only inspections created from this template'),
};

const TO_ITS_END = 'To include a whole day, pick 23:59';

export const FILTER_FIELDS = {
	...SHARED_FILTERS,
	createdAfter: time({
		displayName: 'Created After',
		description: `Only inspections created at this time or later, such as {{ $now.minus({ days: 30 }) }}`,
	}),
	createdBefore: time({
		isEnd: true,
		displayName: 'Created Before',
		description: `Only inspections created at this time or earlier. ${TO_ITS_END}.`,
	}),
	templateControlIds: field(
		{
			displayName: 'Questions (Control IDs)',
			type: 'string',
			default: '',
			placeholder: `e.g. ${EXAMPLE_ID}`,
			description:
				"Only inspections that answer one of these questions. To find the control IDs, use Template → Get and set 'Output' to 'Questions'.",
		},
		(given) => textsOf(given).map(controlIdOf),
	),
	updatedAfter: time({
		displayName: 'Updated After',
		description: `Only inspections updated at this time or later`,
	}),
	updatedBefore: time({
		isEnd: true,
		displayName: 'Updated Before',
		description: `Only inspections updated at this time or earlier. ${TO_ITS_END}.`,
	}),
};

/**
 * Rejects text that isn't a control ID. The service would return no inspections for it, which looks like a valid
 * result.
 */
function controlIdOf(text: string): string {
	const id = guidAsGiven(text);
	if (id !== undefined) return id;
	throw new InputError(
		`Questions (Control IDs): ${shownValue(text)} isn't a control ID. Enter template_control_id values, such as ${EXAMPLE_ID}, separated by commas. To find these values, use Template → Get and set 'Output' to 'Questions'.`,
	);
}

export function filtersCollection<All extends Fields>(fields: All) {
	return collection({ displayName: 'Filters', placeholder: 'Add Filter' }, fields);
}
