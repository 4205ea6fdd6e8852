import type { INodePropertyMode } from 'n8n-workflow';

import { shownValue } from '../domain/formatting';
import { EXAMPLE_ID, guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { isRecord } from '../domain/json';
import { isBlank } from '../domain/normalizeText';
import { type Field, field, type Property, required, type Shown } from './field';
import { locatorValue } from './parameterValue';

/** How long a list can load before n8n suggests an alternative, in ms. */
const SLOW_AFTER_MS = 3_000;
/** Maximum length of a template's identifier in characters (Template in docs/service.openapi.yaml). */
export const MAX_IDENTIFIER_LENGTH = 20;

/** Properties that differ between locators. */
interface Locator extends Shown {
	/** Name of the node's method that loads the list. */
	searchListMethod: string;
	listHint: string;
	/** Suggests an alternative while the list loads slowly. */
	withoutList?: string;
	/** Shown after the two modes that all locators have. */
	modes?: INodePropertyMode[];
}

/**
 * A resource locator with the modes `list` (searchable) and `id`. Workflows save the names of modes. The modes have no
 * pattern, because n8n (2.41) fails if the machine is too busy to run one within 250 ms. `read` checks the value.
 */
function locator<Value>(thing: Locator, read: (given: unknown) => Value): Field<Value> {
	const { searchListMethod, listHint, withoutList, modes = [], ...shown } = thing;
	const what = shown.displayName.toLowerCase();
	const article = /^[aeiou]/.test(what) ? 'an' : 'a';
	const fix = withoutList ?? "To skip the list, use 'By ID'";
	const message = `The list is read from recent inspections, which can take a while. ${fix}.`;
	const slowLoadNotice = { message, timeout: SLOW_AFTER_MS };
	const property = {
		...shown,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${article} ${what}…`,
				hint: listHint,
				typeOptions: { searchListMethod, searchable: true, slowLoadNotice },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${EXAMPLE_ID}`,
			},
			...modes,
		],
	} satisfies Property;
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
		listHint: 'The teams of recent inspections and of their templates',
	};
	return idLocator(thing, 'Choose a team from the list, or enter its ID.');
}

const INSPECTION = {
	displayName: 'Inspection',
	searchListMethod: 'searchInspections',
	listHint: 'Recent inspections, most recently updated first',
};

/** The ID of an inspection. `fix` explains where to find one. */
export function inspection(description: string, fix: string): Field<string> {
	return inspectionLocator({ ...INSPECTION, description }, fix);
}

function inspectionLocator(thing: Locator, fix: string): Field<string> {
	return required(idLocator(thing, fix), `Inspection: nothing is chosen. ${fix}`);
}

/** How Get finds an inspection: by its ID, or by the unique key that Create was given. */
export type InspectionReference = { readonly id: string } | { readonly key: unknown };

/** Like `inspection`, with the mode By Unique Key. */
export function inspectionOrKey(description: string, fix: string): Field<InspectionReference> {
	const thing: Locator = {
		...INSPECTION,
		description,
		modes: [
			{
				displayName: 'By Unique Key',
				name: 'uniqueKey',
				type: 'string',
				placeholder: 'e.g. {{ $json.Reference }}',
				hint: "The value of 'Unique Key' with which Create created the inspection",
			},
		],
	};
	const { property, read } = inspectionLocator(thing, fix);
	return field(property, (given, timeZone) => {
		const isKey = isRecord(given) && given.mode === 'uniqueKey' && !isBlank(given.value);
		return isKey ? { key: given.value } : { id: read(given, timeZone) };
	});
}

const FILE_FIX =
	"Choose one from the list, or enter the ID that Get Many returns with 'Output' set to 'Files'";
const FILE = {
	displayName: 'File',
	description: 'The file to get',
	searchListMethod: 'searchFiles',
	listHint: 'Files of the inspection chosen above, if it was updated recently',
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
		listHint:
			'Templates of recent inspections. For any other template, enter its ID or identifier.',
		withoutList: "To skip the list, use 'By ID' or 'By Identifier'",
		modes: [
			{
				displayName: 'By Identifier',
				name: 'identifier',
				type: 'string',
				placeholder: 'e.g. SITE-SAFETY',
				hint: "The short text set in the template's settings, at most 20 characters. Not case-sensitive.",
			},
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
