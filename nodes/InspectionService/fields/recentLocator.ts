import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { shownValue } from '../domain/answer/shownValue';
import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { isBlank } from '../domain/plainText';
import { locatorValue } from './parameterValue';

/** Milliseconds that a list may load before n8n says how to do without it. By then people begin to wonder. */
const SLOW_AFTER_MS = 3_000;

/** The differences between the locators of teams, inspections and files. All are listed from recent inspections. */
interface RecentThing {
	displayName: string;
	/** Saved in workflows. */
	name: string;
	description: string;
	required: boolean;
	/** The node's method that lists it. */
	searchListMethod: string;
	hint: string;
	/** The name of the id with its article, as in "Not a team ID". */
	id: string;
}

/** A resource locator with the modes `list` (searchable) and `id`; the mode names are saved in workflows. */
export function recentLocator(thing: RecentThing): INodeProperties {
	const { displayName, name, description, required, searchListMethod, hint, id } = thing;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${displayName.toLowerCase()}…`,
				hint,
				typeOptions: {
					searchListMethod,
					searchable: true,
					slowLoadNotice: slowLoadNotice('"By ID" needs no list'),
				},
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f',
				validation: [guidPattern(id)],
			},
		],
	};
}

/** A team filter; empty where any team will do. */
export function teamLocator(): INodeProperties {
	return recentLocator({
		displayName: 'Team',
		name: 'teamId',
		description: 'Only inspections of this team',
		required: false,
		searchListMethod: 'searchTeams',
		hint: 'Teams seen in recent inspections and their templates',
		id: 'a team ID',
	});
}

export function inspectionLocator(description: string): INodeProperties {
	return recentLocator({
		displayName: 'Inspection',
		name: 'inspectionId',
		description,
		required: true,
		searchListMethod: 'searchInspections',
		hint: 'Recent inspections, the last updated ones first',
		id: 'an inspection ID',
	});
}

export function fileLocator(): INodeProperties {
	return recentLocator({
		displayName: 'File',
		name: 'fileId',
		description: 'The file. For the files of many inspections use Get Many with the output Files.',
		required: true,
		searchListMethod: 'searchFiles',
		hint: 'Files of the inspection chosen above, where it is a recent one',
		id: 'a file ID',
	});
}

/**
 * The GUID in a locator, or in plain text from an expression, in its usual form. Undefined for nothing.
 * @throws InputError for anything else: it is sent, and may be any text that an expression gives
 */
export function locatorId(label: string, locator: unknown, cure: string): string | undefined {
	const given = locatorValue(locator);
	if (isBlank(typeof given === 'string' ? given.trim() : given)) return undefined;
	const id = guidOf(given);
	if (id !== undefined) return id;
	throw new InputError(`${label}: ${shownValue(given)} is not a UUID. ${cure}`);
}

/** The team of a filter; undefined for any. Throws InputError for what is no UUID. */
export function teamOf(locator: unknown): string | undefined {
	return locatorId('Team', locator, 'Pick a team from the list, or give its ID.');
}

/** Like `locatorId`, for a locator that needs an id; `cure` says where a right one is found. */
export function requiredUuid(label: string, locator: unknown, cure: string): string {
	const id = locatorId(label, locator, cure);
	if (id !== undefined) return id;
	throw new InputError(`${label}: nothing is chosen. ${cure}`);
}

export function guidPattern(id: string): NonNullable<INodePropertyMode['validation']>[number] {
	return {
		type: 'regex',
		properties: {
			regex:
				'^\\s*\\{?[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}\\}?\\s*$',
			errorMessage: `Not ${id}: 32 hexadecimal digits in five groups (8-4-4-4-12)`,
		},
	};
}

export function slowLoadNotice(cure: string) {
	return {
		message: `The list is read from recent inspections, which may take a while. ${cure}.`,
		timeout: SLOW_AFTER_MS,
	};
}
