import type { INodeProperties } from 'n8n-workflow';

import { shownValue } from '../domain/answer/shownValue';
import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { isRecord } from '../domain/json';
import { locatorValue } from './parameterValue';
import { guidPattern, slowLoadNotice } from './recentLocator';

/** Characters of a template's identifier (Template of docs/service.openapi.yaml). */
export const MAX_IDENTIFIER_LENGTH = 20;

/** The template's resource locator with its three modes; `name` and mode names are saved in workflows. */
export function templateLocator(): INodeProperties {
	return {
		displayName: 'Template',
		name: 'templateId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'The template: the form that inspections are made from',
		...MODES,
	};
}

/** The names of the modes are saved in workflows. */
const MODES = {
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a template…',
			hint: 'Templates seen in recent inspections. One that was never used is found by its ID or identifier.',
			typeOptions: {
				searchListMethod: 'searchTemplates',
				searchable: true,
				slowLoadNotice: slowLoadNotice('"By ID" and "By Identifier" need no list'),
			},
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f',
			validation: [guidPattern('a template ID')],
		},
		{
			displayName: 'By Identifier',
			name: 'identifier',
			type: 'string',
			placeholder: 'e.g. SITE-SAFETY',
			hint: 'The short text set in the template’s settings, at most 20 characters, in any case',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `^\\s*\\S(.{0,${MAX_IDENTIFIER_LENGTH - 2}}\\S)?\\s*$`,
						errorMessage: `A template identifier has 1 to ${MAX_IDENTIFIER_LENGTH} characters`,
					},
				},
			],
		},
	],
} satisfies Partial<INodeProperties>;

/**
 * The template id or identifier in a locator; undefined where nothing is chosen. The locator is its object or, as an
 * expression may give it, plain text. A GUID comes in its usual form.
 * @throws InputError where the text cannot be an id or identifier of its mode
 * (getTemplate of docs/service.openapi.yaml)
 */
export function templateReference(locator: unknown): string | undefined {
	const value = locatorValue(locator);
	if (value === undefined || value === null || value === '') return undefined;
	if (typeof value === 'object') {
		throw new InputError(
			`Template: ${shownValue(value)} is not a template. Give its ID or identifier as text.`,
		);
	}
	const reference = String(value).trim();
	if (reference === '') return undefined;
	const guid = guidOf(reference);
	if (guid !== undefined) return guid;
	const mode = isRecord(locator) ? locator.mode : undefined;
	if (mode === 'id') {
		throw new InputError(
			`Template: "${reference}" is not a template ID. Give a GUID such as 3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f, or choose the mode "By Identifier".`,
		);
	}
	if (reference.length > MAX_IDENTIFIER_LENGTH) {
		throw new InputError(
			`Template: "${reference}" is neither a GUID nor an identifier of at most ${MAX_IDENTIFIER_LENGTH} characters (it has ${reference.length}).`,
		);
	}
	return reference;
}

/**
 * Like `templateReference`, for operations that need a template.
 * @throws InputError also where nothing is chosen
 */
export function requiredTemplateReference(locator: unknown): string {
	const reference = templateReference(locator);
	if (reference === undefined) {
		throw new InputError(
			'Template: nothing is chosen. Pick a template from the list, or give its ID or identifier.',
		);
	}
	return reference;
}
