import type { INodePropertyMode } from 'n8n-workflow';

import { shownValue } from '../domain/formatting';
import { EXAMPLE_ID, guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { isRecord } from '../domain/json';
import { isBlank } from '../domain/normalizeText';
import { type Field, field, type Property, required, type Shown, wholeNumber } from './field';
import { locatorValue } from './parameterValue';

/** How long a list can load before n8n suggests an alternative, in ms. */
const SLOW_AFTER_MS = 3_000;
/** Maximum length of a template's identifier in characters (Template in docs/service.openapi.yaml). */
export const MAX_IDENTIFIER_LENGTH = 20;

/** Properties that differ between locators. `placeholder` is the one of the list. */
interface Locator extends Shown {
	/** Name of the node's method that loads the list. */
	searchListMethod: string;
	listHint: string;
	/** The modes after the list. */
	modes: INodePropertyMode[];
}

/** Returns a mode for text. Workflows save its `name`. */
export function textMode(
	displayName: string,
	name: string,
	example: string,
	hint?: string,
): INodePropertyMode {
	const shown = { displayName, hint, placeholder: `e.g. ${example}` };
	return { ...shown, name, type: 'string' };
}

const BY_ID = textMode('By ID', 'id', EXAMPLE_ID);

/**
 * A resource locator with a searchable list. Workflows save the names of modes. The modes have no pattern, because n8n
 * (2.41) fails if the machine is too busy to run one within 250 ms. `read` checks the value.
 */
export function locator<Value>(thing: Locator, read: (given: unknown) => Value): Field<Value> {
	const { searchListMethod, placeholder, listHint, modes, ...shown } = thing;
	const others = modes.map(({ displayName }) => `'${displayName}'`).join(' or ');
	const message = `The list is read from recent inspections, which can take a while. To skip the list, use ${others}.`;
	const slowLoadNotice = { message, timeout: SLOW_AFTER_MS };
	const property: Property = {
		...shown,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder,
				hint: listHint,
				typeOptions: { searchListMethod, searchable: true, slowLoadNotice },
			},
			...modes,
		],
	};
	return field(property, read);
}

/** Matches the text that an object becomes, for example if an AI model gives an object for an ID. */
const OBJECT_AS_TEXT = /^\s*\[object \w+\]\s*$/;

function shownReference(value: unknown): string {
	return typeof value === 'string' && OBJECT_AS_TEXT.test(value) ? 'an object' : shownValue(value);
}

/**
 * A locator for a resource with a GUID. Also accepts the GUID as plain text from an expression. Rejects any other
 * value, because the value is sent to the service.
 */
function idLocator(thing: Locator, fix: string): Field<string | undefined> {
	return locator(thing, (given) => {
		const value = locatorValue(given);
		if (isBlank(value)) return undefined;
		const id = guidOf(value);
		if (id !== undefined) return id;
		throw new InputError(
			`${thing.displayName}: ${shownReference(value)} is not an ID such as ${EXAMPLE_ID}. ${fix}`,
		);
	});
}

/** A team, or undefined for any team. */
export function team(description: string): Field<string | undefined> {
	const thing = {
		displayName: 'Team',
		description,
		searchListMethod: 'searchTeams',
		placeholder: 'Select a team…',
		listHint: 'The teams of recent inspections and of their templates',
		modes: [BY_ID],
	};
	return idLocator(thing, 'Choose a team from the list, or enter its ID.');
}

/** The ID of an inspection. `fix` explains where to find one. */
function inspection(
	description: string,
	fix: string,
	...modes: INodePropertyMode[]
): Field<string> {
	const thing = {
		displayName: 'Inspection',
		description,
		searchListMethod: 'searchInspections',
		placeholder: 'Select an inspection…',
		listHint: 'Recent inspections, most recently updated first',
		modes: [BY_ID, ...modes],
	};
	return required(idLocator(thing, fix), `Inspection: nothing is chosen. ${fix}`);
}

/** How Get finds an inspection: by its ID, or by the unique key that Create was given. */
export type InspectionReference = { readonly id: string } | { readonly key: unknown };

const INSPECTION_TO_GET = inspection(
	'The inspection to get',
	'Choose the inspection from the list, or enter its unique key or its ID, such as the "id" of a row from Get Many',
	textMode(
		'By Unique Key',
		'uniqueKey',
		'{{ $json.Reference }}',
		"The value of 'Unique Key' with which Create created the inspection",
	),
);

export const INSPECTION_OR_KEY = field<InspectionReference>(
	INSPECTION_TO_GET.property,
	(given, timeZone) => {
		const isKey = isRecord(given) && given.mode === 'uniqueKey' && !isBlank(given.value);
		return isKey ? { key: given.value } : { id: INSPECTION_TO_GET.read(given, timeZone) };
	},
);

/** The option of Create and Get. Default: 90 days (docs/no-duplicates.md). */
export const UNIQUE_KEY_DAYS = wholeNumber({
	displayName: 'Unique Key Days',
	min: 0,
	default: 90,
	description: 'How many days back to look for inspections with the same key, or 0 for all of them',
});

const FILE_FIX =
	"Choose one from the list, or enter the ID that Get Many returns with 'Output' set to 'Files'";
const FILE = {
	displayName: 'File',
	description: 'The file to get',
	searchListMethod: 'searchFiles',
	placeholder: 'Select a file…',
	listHint: 'Files of the inspection chosen above, if it was updated recently',
	modes: [BY_ID],
};

/** The two fields that identify a file. */
export const FILE_REFERENCE = {
	inspectionId: inspection('The inspection that the file belongs to', FILE_FIX),
	fileId: required(idLocator(FILE, FILE_FIX), `File: nothing is chosen. ${FILE_FIX}`),
};

/** The ID or identifier of a template, or undefined for any template. */
export function optionalTemplate(description: string): Field<string | undefined> {
	const thing: Locator = {
		displayName: 'Template',
		description,
		searchListMethod: 'searchTemplates',
		placeholder: 'Select a template…',
		listHint:
			'Templates of recent inspections. For any other template, enter its ID or identifier.',
		modes: [
			BY_ID,
			textMode(
				'By Identifier',
				'identifier',
				'SITE-SAFETY',
				"The short text set in the template's settings, at most 20 characters. Not case-sensitive.",
			),
		],
	};
	return locator(thing, templateReference);
}

/** The ID or identifier of a template. */
export const TEMPLATE = required(
	optionalTemplate('The template to create the inspection from'),
	'Template: nothing is chosen. Choose a template from the list, or enter its ID or identifier.',
);

/**
 * Parses the value of TEMPLATE. Throws InputError if it can't be an ID or identifier (getTemplate in
 * docs/service.openapi.yaml).
 */
export function templateReference(given: unknown): string | undefined {
	const value = locatorValue(given);
	if (isBlank(value)) return undefined;
	if (typeof value === 'object' || OBJECT_AS_TEXT.test(String(value))) {
		throw new InputError(
			`Template: ${shownReference(value)} isn't a template. Enter its ID or identifier as text.`,
		);
	}
	const reference = String(value).trim();
	const guid = guidOf(reference);
	if (guid !== undefined) return guid;
	if (isRecord(given) && given.mode === 'id') {
		throw new InputError(
			`Template: "${reference}" isn't a template ID. Enter an ID such as ${EXAMPLE_ID}, or choose the mode 'By Identifier'.`,
		);
	}
	if (reference.length <= MAX_IDENTIFIER_LENGTH) return reference;
	throw new InputError(
		`Template: "${reference}" has ${reference.length} characters, but an identifier has at most ${MAX_IDENTIFIER_LENGTH}. Choose the template from the list, or enter its ID or identifier.`,
	);
}
