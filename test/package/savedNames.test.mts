import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

import type { INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { loadNode, loadPackage } from '#harness/builtPackage.mts';
import { CREDENTIAL_TYPE } from '#harness/credential.mts';

/**
 * One line per parameter that n8n saves in workflows: path, when it is shown, type, its modes, default, its values. Texts
 * that people read are left out: they may change.
 */
function savedLines(properties: INodeProperties[], parent = ''): string[] {
	return properties.flatMap((property) => {
		const { name, type, modes = [], options = [], displayOptions, default: preset } = property;
		const path = `${parent}${name}`;
		const parts = [
			`${path}${displayOptions === undefined ? '' : ` ${oneLine(displayOptions)}`}: ${type}`,
			listOf(' by ', modes, (mode) => `${mode.name}: ${mode.type}`),
			// A default belongs to what is saved: n8n leaves a value out of the workflow when it equals the default.
			preset === undefined ? '' : ` = ${oneLine(preset)}`,
			listOf(
				' of ',
				options.filter((option) => 'value' in option),
				({ value }) => oneLine(value),
			),
		];
		return [parts.join(''), ...options.flatMap((option) => memberLines(path, option))];
	});
}

const listOf = <T,>(begin: string, all: readonly T[], shown: (one: T) => string) =>
	all.length === 0 ? '' : begin + all.map(shown).join(', ');

/** Single quotes, so that the lines need no escapes in JSON. */
const oneLine = (value: unknown) =>
	inspect(value, { breakLength: Infinity, depth: null, compact: true });

function memberLines(path: string, option: NonNullable<INodeProperties['options']>[number]) {
	if ('values' in option) return savedLines(option.values, `${path}.${option.name}.`);
	return 'type' in option ? savedLines([option], `${path}.`) : [];
}

async function describeNode(name: string) {
	const { description } = await loadNode(name);
	return {
		version: description.version,
		outputs: String(description.outputs),
		credentials: description.credentials?.map((credential) => credential.name).join(', '),
		// n8n adds the poll times to every polling trigger.
		parameters: savedLines(description.properties.filter((one) => one.name !== 'pollTimes')),
	};
}

const SAVED_NAMES = join(import.meta.dirname, 'savedNames.json');

const ADVICE =
	'A line or value that changes or goes breaks saved workflows: that takes a new version of the node. A new one is fine: UPDATE_SAVED_NAMES=1 npm test -- savedNames writes it down.';

it('names and defaults that users save in their workflows stay as they are', async () => {
	const { type } = (await loadPackage()).getCredential(CREDENTIAL_TYPE);
	const saved = {
		nodes: {
			inspectionService: await describeNode('inspectionService'),
			inspectionServiceTrigger: await describeNode('inspectionServiceTrigger'),
		},
		credentials: { [CREDENTIAL_TYPE]: savedLines(type.properties) },
	};
	const text = `${JSON.stringify(saved, null, '\t')}\n`;
	if (process.env['UPDATE_SAVED_NAMES'] === '1') writeFileSync(SAVED_NAMES, text);
	await expect(text, ADVICE).toMatchFileSnapshot(SAVED_NAMES);
});
