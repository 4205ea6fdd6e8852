import { shownValue } from '../domain/formatting';
import { EXAMPLE_ID, guidAsGiven } from '../domain/id';
import { InputError } from '../domain/inputError';
import { STATUSES } from '../domain/list/inspectionQuery';
import { choices, collection, endTime, field, type Fields, time, toggle } from './field';
import { optionalTemplate, team } from './locators';
import { chosenValues, textsOf } from './parameterValue';

const STATUS = choices({
	displayName: 'Status',
	options: [
		{ name: 'Canceled', value: 'canceled' },
		{ name: 'Completed', value: 'completed' },
		{ name: 'In Progress', value: 'in_progress' },
		{ name: 'New', value: 'new' },
	],
	description:
		'Only inspections with one of these statuses. If none is chosen, all statuses match.',
});

/** Shared by Get Many and the trigger. */
export const SHARED_FILTERS = {
	flaggedItemsOnly: toggle({
		displayName: 'Flagged Items Only',
		description: 'Whether to get only inspections with flagged items',
	}),
	// Errors list the statuses in the order of an inspection's life cycle.
	status: { ...STATUS, read: (given: unknown) => chosenValues('Status', given, STATUSES) },
	teamId: team('Only inspections of this team'),
	templateId: optionalTemplate('Only inspections created from this template'),
};

const IN_ZONE = "A time without a zone is in the workflow's time zone.";
const TO_ITS_END =
	'A day without a time includes the whole day. The time 00:00:00 is the start of the day: to include the whole day, pick its last minute';

const { flaggedItemsOnly, ...otherFilters } = SHARED_FILTERS;

export const FILTER_FIELDS = {
	createdAfter: time({
		displayName: 'Created After',
		description: `Only inspections that were created at this time or later. For the last 30 days, use {{ $now.minus({ days: 30 }) }}. ${IN_ZONE}`,
	}),
	createdBefore: endTime({
		displayName: 'Created Before',
		description: `Only inspections that were created at this time or earlier. ${TO_ITS_END}. ${IN_ZONE}`,
	}),
	flaggedItemsOnly,
	templateControlIds: field(
		{
			displayName: 'Questions (Control IDs)',
			type: 'string',
			default: '',
			placeholder: `e.g. ${EXAMPLE_ID}`,
			description:
				"Only inspections that answer one of these questions. Enter template_control_id values, separated by commas. To find these values, use Template → Get and set 'Output' to 'Questions'.",
		},
		(given) => textsOf(given).map(controlIdOf),
	),
	...otherFilters,
	updatedAfter: time({
		displayName: 'Updated After',
		description: `Only inspections that were updated at this time or later. ${IN_ZONE}`,
	}),
	updatedBefore: endTime({
		displayName: 'Updated Before',
		description: `Only inspections that were updated at this time or earlier. ${TO_ITS_END}. ${IN_ZONE}`,
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
