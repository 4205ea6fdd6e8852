import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

import type { INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { builtNode, builtPackage } from '#harness/builtPackage.mts';
import { CREDENTIAL_TYPE } from '#harness/credential.mts';

/**
 * Returns one line for each parameter and choice that n8n saves in workflows. A line has the path, the display
 * condition, the type, the default, and the values. Displayed texts are omitted, because they can change.
 */
function savedLines(properties: INodeProperties[], parent = ''): string[] {
	return properties.flatMap((property) => {
		const path = `${parent}${property.name}`;
		return [
			`${path}${shownWhen(property)}: ${property.type}${defaultOf(property)}`,
			...choiceLines(path, property),
			...(property.modes ?? []).map((mode) => `${path} mode ${mode.name}: ${mode.type}`),
		];
	});
}

const shownWhen = ({ displayOptions }: INodeProperties) =>
	displayOptions === undefined ? '' : ` ${oneLine(displayOptions)}`;

/**
 * Formats a property's default. A changed default would change saved workflows, because n8n doesn't save values that
 * equal the default.
 */
const defaultOf = (property: INodeProperties) =>
	property.default === undefined ? '' : ` = ${oneLine(property.default)}`;

/** Formats a value with single quotes, because double quotes would have to be escaped in JSON. */
const oneLine = (value: unknown) =>
	inspect(value, { breakLength: Infinity, depth: null, compact: true });

function choiceLines(path: string, { options = [] }: INodeProperties): string[] {
	return options.flatMap((option) => {
		if ('values' in option) return savedLines(option.values, `${path}.${option.name}.`);
		if ('type' in option) return savedLines([option], `${path}.`);
		return [`${path} value ${oneLine(option.value)}`];
	});
}

function describeNode(name: string) {
	const { description } = builtNode(name);
	return {
		version: description.version,
		outputs: String(description.outputs),
		credentials: description.credentials?.map((credential) => credential.name).join(', '),
		// n8n adds the field `pollTimes` to every polling trigger.
		parameters: savedLines(description.properties.filter((one) => one.name !== 'pollTimes')),
	};
}

const SAVED_NAMES = join(import.meta.dirname, 'savedNames.json');

const ADVICE =
	'A line that changes or goes breaks saved workflows: that takes a new version of the node. A new line is fine: UPDATE_SAVED_NAMES=1 npm test -- savedNames writes it down.';

it('no name or default that users save in their workflows changes', async () => {
	const { type } = builtPackage.getCredential(CREDENTIAL_TYPE);
	const saved = {
		nodes: {
			inspectionService: describeNode('inspectionService'),
			inspectionServiceTrigger: describeNode('inspectionServiceTrigger'),
		},
		credentials: { [CREDENTIAL_TYPE]: savedLines(type.properties) },
	};
	const text = `${JSON.stringify(saved, null, '\t')}\n`;
	if (process.env['UPDATE_SAVED_NAMES'] === '1') writeFileSync(SAVED_NAMES, text);
	await expect(text, ADVICE).toMatchFileSnapshot(SAVED_NAMES);
});
