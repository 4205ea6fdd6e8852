import {
	choice,
	optionsCollection,
	propertiesOf,
	shownFor,
	time,
	toggle,
	wholeNumber,
} from '../../fields/field';
import { FILTER_FIELDS, filtersCollection } from '../../fields/filters';
import { INSPECTION_OR_KEY, UNIQUE_KEY_DAYS } from '../../fields/locators';
import { OUTPUT, OUTPUT_OPTIONS, withoutReportForTools } from '../../fields/output';
import type { OperationDescription } from '../action';

export const GET_FIELDS = {
	inspectionId: INSPECTION_OR_KEY,
	output: OUTPUT,
	options: optionsCollection({
		changedAround: time({
			displayName: 'Changed Around',
			description:
				'A time close to when the inspection was created or last changed, to find it faster',
		}),
		...OUTPUT_OPTIONS,
		uniqueKeyDays: shownFor(UNIQUE_KEY_DAYS, { show: { '/inspectionId.mode': ['uniqueKey'] } }),
	}),
};

export const getDescription: OperationDescription = {
	resource: 'inspection',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get an inspection',
		description:
			'Retrieve one inspection by its ID or unique key: its fields, a row, its answers, or its files',
	},
	fields: withoutReportForTools(propertiesOf(GET_FIELDS)),
};

export const LIST_FIELDS = {
	returnAll: toggle({
		displayName: 'Return All',
		description: 'Whether to return all results or only up to a given limit',
	}),
	limit: wholeNumber({
		displayName: 'Limit',
		min: 1,
		default: 50,
		// Unlike an option, Limit must not fall back to its default if an expression returns null.
		rejectsNull: true,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
	output: OUTPUT,
	filters: filtersCollection(FILTER_FIELDS),
	options: optionsCollection({
		...OUTPUT_OPTIONS,
		sortBy: choice({
			displayName: 'Sort By',
			options: [
				{ name: 'Created At', value: 'created_at' },
				{ name: 'Updated At', value: 'updated_at' },
			],
			default: 'updated_at',
			description: 'Which time to sort by',
		}),
		sortOrder: choice({
			displayName: 'Sort Order',
			options: [
				{ name: 'Newest First', value: 'desc' },
				{ name: 'Oldest First', value: 'asc' },
			],
			default: 'desc',
			description: 'Whether the newest or the oldest inspections come first',
		}),
	}),
};

export const getManyDescription: OperationDescription = {
	resource: 'inspection',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many inspections',
		description:
			'Retrieve a list of inspections: their fields, rows for a spreadsheet, answers, or files',
	},
	fields: withoutReportForTools(propertiesOf(LIST_FIELDS)),
};
