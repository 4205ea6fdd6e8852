import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { shownValue } from '../domain/answer/shownValue';
import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { isRecord } from '../domain/json';
import { isBlank } from '../domain/plainText';
import { locatorValue } from './parameterValue';

/** Milliseconds that a list may load before n8n says how to do without it. By then people begin to wonder. */
const SLOW_AFTER_MS = 3_000;
/** Characters of a template's identifier (Template of docs/service.openapi.yaml). */
export const MAX_IDENTIFIER_LENGTH = 20;

/** What the locators differ in. The names are saved in workflows. */
interface Locator {
	displayName: string;
	name: string;
	description: string;
	required?: boolean;
	/** The node's method that lists it. */
	searchListMethod: string;
	hint: string;
	/** What to do while the list takes long. */
	cure?: string;
	moreModes?: INodePropertyMode[];
}

/** A resource locator with the modes `list` (searchable) and `id`; the mode names are saved in workflows. */
function locator(thing: Locator): INodeProperties {
	const { displayName, name, description, required = false, searchListMethod, hint } = thing;
	const { cure = '"By ID" needs no list', moreModes = [] } = thing;
	const what = displayName.toLowerCase();
	const message = `The list is read from recent inspections, which may take a while. ${cure}.`;
	const slowLoadNotice = { message, timeout: SLOW_AFTER_MS };
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
				placeholder: `Select a ${what}…`,
				hint,
				typeOptions: { searchListMethod, searchable: true, slowLoadNotice },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f',
				validation: [guidPattern(what)],
			},
			...moreModes,
		],
	};
}

function guidPattern(what: string) {
	return pattern(
		'^\\s*\\{?[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}\\}?\\s*$',
		`Not the ID of a ${what}: 32 hexadecimal digits in five groups (8-4-4-4-12)`,
	);
}

function pattern(regex: string, errorMessage: string) {
	return { type: 'regex' as const, properties: { regex, errorMessage } };
}

/** A team; empty where any team will do. */
export function teamLocator(description: string): INodeProperties {
	return locator({
		displayName: 'Team',
		name: 'teamId',
		description,
		searchListMethod: 'searchTeams',
		hint: 'Teams seen in recent inspections and their templates',
	});
}

export function inspectionLocator(description: string): INodeProperties {
	return locator({
		displayName: 'Inspection',
		name: 'inspectionId',
		description,
		required: true,
		searchListMethod: 'searchInspections',
		hint: 'Recent inspections, the last updated ones first',
	});
}

export function fileLocator(): INodeProperties {
	return locator({
		displayName: 'File',
		name: 'fileId',
		description: 'The file. For the files of many inspections use Get Many with the output Files.',
		required: true,
		searchListMethod: 'searchFiles',
		hint: 'Files of the inspection chosen above, where it is a recent one',
	});
}

/** The template's locator; as a filter it may be left empty. */
export function templateLocator(
	description = 'The template: the form that inspections are made from',
	required = true,
): INodeProperties {
	return locator({
		displayName: 'Template',
		name: 'templateId',
		description,
		required,
		searchListMethod: 'searchTemplates',
		hint: 'Templates seen in recent inspections. One that was never used is found by its ID or identifier.',
		cure: '"By ID" and "By Identifier" need no list',
		moreModes: BY_IDENTIFIER.modes,
	});
}

const BY_IDENTIFIER = {
	modes: [
		{
			displayName: 'By Identifier',
			name: 'identifier',
			type: 'string',
			placeholder: 'e.g. SITE-SAFETY',
			hint: 'The short text set in the template’s settings, at most 20 characters, in any case',
			validation: [
				pattern(
					`^\\s*\\S(.{0,${MAX_IDENTIFIER_LENGTH - 2}}\\S)?\\s*$`,
					`A template identifier has 1 to ${MAX_IDENTIFIER_LENGTH} characters`,
				),
			],
		},
	],
} satisfies Partial<INodeProperties>;

/**
 * The GUID in a locator, or in plain text from an expression, in its usual form. Undefined for nothing.
 * @throws InputError for anything else: it is sent, and may be any text that an expression gives
 */
function locatorId(label: string, locator: unknown, cure: string): string | undefined {
	const given = locatorValue(locator);
	if (isBlank(given)) return undefined;
	const id = guidOf(given);
	if (id !== undefined) return id;
	throw new InputError(`${label}: ${shownValue(given)} is not a UUID. ${cure}`);
}

/** The team of a filter; undefined for any. Throws InputError for what is no UUID. */
export function teamOf(locator: unknown): string | undefined {
	return locatorId('Team', locator, 'Pick a team from the list, or give its ID.');
}

/** The id in a locator that needs one. Throws InputError for what is no UUID; `cure` says where a right one is found. */
export function requiredUuid(label: string, locator: unknown, cure: string): string {
	const id = locatorId(label, locator, cure);
	if (id !== undefined) return id;
	throw new InputError(`${label}: nothing is chosen. ${cure}`);
}

/**
 * The template id or identifier in a locator; undefined where nothing is chosen. The locator is its object or, as an
 * expression may give it, plain text. A GUID comes in its usual form.
 * @throws InputError where the text cannot be an id or identifier of its mode
 * (getTemplate of docs/service.openapi.yaml)
 */
export function templateReference(locator: unknown): string | undefined {
	const value = locatorValue(locator);
	if (isBlank(value)) return undefined;
	if (typeof value === 'object') {
		throw new InputError(
			`Template: ${shownValue(value)} is not a template. Give its ID or identifier as text.`,
		);
	}
	const reference = String(value).trim();
	const guid = guidOf(reference);
	if (guid !== undefined) return guid;
	if (isRecord(locator) && locator.mode === 'id') {
		throw new InputError(
			`Template: "${reference}" is not a template ID. Give a GUID such as 3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f, or choose the mode "By Identifier".`,
		);
	}
	if (reference.length <= MAX_IDENTIFIER_LENGTH) return reference;
	throw new InputError(
		`Template: "${reference}" is neither a GUID nor an identifier of at most ${MAX_IDENTIFIER_LENGTH} characters (it has ${reference.length}).`,
	);
}

/**
 * Like `templateReference`, for operations that need a template.
 * @throws InputError also where nothing is chosen
 */
export function requiredTemplateReference(locator: unknown): string {
	const reference = templateReference(locator);
	if (reference !== undefined) return reference;
	throw new InputError(
		'Template: nothing is chosen. Pick a template from the list, or give its ID or identifier.',
	);
}
