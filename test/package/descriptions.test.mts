// @module-tag slow
/**
 * Lints the texts of the editor with the rules of n8n's scanner for verified nodes. The rules only see literal texts,
 * but here functions create most fields. So the scanner gets each built description as one literal.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { ESLint } from 'eslint';
import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { format } from 'prettier';
import { expect, it, vi } from 'vitest';

import { MAX_EMITTED } from '#connector/domain/changes/checkpoint.ts';
import { literalsIn, SOURCES } from '#harness/sourceTexts.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

// Vitest sets NODE_ENV=test. With that value, n8n's ESLint plugin would treat every file as a node.
vi.stubEnv('NODE_ENV', 'production');

const require = createRequire(import.meta.url);
const scanner: {
	buildScanConfig(): Promise<ESLint.Options['overrideConfig']>;
} = require('@n8n/scan-community-package/scanner/scanner.mjs');
const eslint = new ESLint({
	cwd: PROJECT,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: await scanner.buildScanConfig(),
});

const NODES = manifest.n8n.nodes.map((path) => {
	const built: Record<string, new () => INodeType> = require(join(PROJECT, path));
	const [[name, Node] = []] = Object.entries(built);
	if (name === undefined || Node === undefined) throw new Error(`${path} exports no node`);
	return {
		name,
		description: new Node().description,
		source: join(PROJECT, path.replace(/^dist\/(.*)\.js$/, '$1.ts')),
	};
});

/** Returns the code of a node whose description is a literal. */
async function literalNode(name: string, description: INodeTypeDescription): Promise<string> {
	const literal = JSON.stringify(description).replaceAll('["main"]', '[NodeConnectionTypes.Main]');
	return await format(
		`export class ${name} implements INodeType { description: INodeTypeDescription = ${literal}; }`,
		{ parser: 'typescript' },
	);
}

it.each(NODES)(
	"everything that $name shows in the editor follows n8n's rules",
	async ({ name, description, source }) => {
		const code = await literalNode(name, description);
		const lines = code.split('\n');
		const results = await eslint.lintText(code, { filePath: source });
		const found = results
			.flatMap(({ messages }) => messages)
			.map(({ ruleId, message, line }) => [lines[line - 1]?.trim(), ruleId, message].join(' '));
		expect(found).toEqual([]);
	},
);

/** Returns all texts in a value, except expressions. With `key`, only the texts of this key. */
function textsIn(value: unknown, key?: string): string[] {
	return Object.entries(Object(value)).flatMap(([name, member]) => {
		if (typeof member !== 'string') return textsIn(member, key);
		return member.startsWith('=') || (key ?? name) !== name ? [] : [member];
	});
}

/** Names in n8n's editor that messages mention: settings of every node, its buttons, and fields of other nodes. */
const NAMES_OF_N8N = [
	...[
		'Execute Once',
		'On Error',
		'Continue (using error output)',
		'Expression',
		'Refresh Question List',
	],
	...['Execute step', 'Execute workflow', 'Mapping Column Mode', 'Map Automatically'],
	...[
		'Map Each Column Manually',
		'Append Row',
		'Append or Update Row',
		'Cell Format',
		'Let n8n format',
	],
	...['Encoding', 'Range', 'Delimiter', 'Latin1', 'UTF-8', 'CSV UTF-8', 'Proxy'],
];

const CREDENTIALS = manifest.n8n.credentials.map((path) => {
	const built: Record<string, new () => ICredentialType> = require(join(PROJECT, path));
	return Object.values(built).map((Credential) => new Credential());
});
const LABELS = new Set([
	...['displayName', 'name'].flatMap((key) => textsIn([NODES, CREDENTIALS], key)),
	...NAMES_OF_N8N,
]);

/** Returns the labels in a text that have double quotes. */
const quotedTwice = (text: string) =>
	[...text.matchAll(/"([A-Z][^"]*)"/g)].filter(([, quoted = '']) => LABELS.has(quoted));

// https://docs.n8n.io/integrations/creating-nodes/build/reference/ux-guidelines/#referring-to-parameter-and-field-name
it('labels in the editor are put into single quotes', () => {
	const texts = textsIn([NODES.map(({ description }) => description), CREDENTIALS]);
	expect(texts.filter((text) => quotedTwice(text).length > 0)).toEqual([]);
});

/** The values of the constants that messages contain, by their names. */
const CONSTANTS = new Map(
	SOURCES.flatMap(({ text }) => [...text.matchAll(/const (\w+) = '([^']+)';/g)]).map(
		([, name, value]) => [name, value],
	),
);

it('labels in messages are put into single quotes', () => {
	const messages = SOURCES.flatMap(literalsIn)
		.filter((text) => !text.startsWith('={{'))
		.map((text) =>
			text.replace(/\$\{(\w+)\}/g, (hole, name: string) => CONSTANTS.get(name) ?? hole),
		);
	expect(messages.filter((text) => text.includes("'Check Only'")).length).toBeGreaterThan(1);
	expect(messages.filter((text) => quotedTwice(text).length > 0)).toEqual([]);
});

it('Once per Inspection mentions how many inspections it remembers', () => {
	const remembered = `remembers the last ${MAX_EMITTED.toLocaleString('en')} inspections.`;
	expect(JSON.stringify(NODES)).toContain(remembered);
});
