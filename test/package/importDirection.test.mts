import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';

const CONNECTOR = join(PROJECT, 'nodes', 'InspectionService');

/** What each folder of domain may import from, besides itself and the files directly in domain. */
const ALLOWED_IN_DOMAIN: Record<string, readonly string[]> = {
	'domain/template': [],
	'domain/answer': ['domain/template'],
	'domain/file': [],
	'domain/request': [],
	'domain/list': ['domain/request'],
	'domain/create': ['domain/template', 'domain/answer', 'domain/list'],
	'domain/row': ['domain/template', 'domain/answer', 'domain/list'],
	'domain/changes': ['domain/list'],
};

/** What each room may import from, besides itself. The picture of it is in CONTRIBUTING.md. */
const ALLOWED: Record<string, readonly string[]> = {
	domain: [],
	transport: ['domain'],
	output: ['domain', 'transport'],
	fields: ['domain', 'transport', 'output'],
	operations: ['domain', 'transport', 'output', 'fields'],
	editor: ['domain', 'transport', 'output', 'fields'],
	trigger: ['domain', 'transport', 'output', 'fields'],
	nodes: ['domain', 'transport', 'output', 'fields', 'operations', 'editor', 'trigger'],
};

/** Names of n8n's `helpers` that make requests, however they are reached; `request` alone is a word for other things. */
const HTTP_HELPERS = /^(httpRequest|requestWith|requestOAuth)/;
const MAKES_REQUESTS = 'transport';

interface Import {
	from: string;
	typeOnly: boolean;
}

interface SourceFile {
	/** Relative to the connector's folder, with slashes. */
	path: string;
	room: string;
	imports: Import[];
	httpHelpers: string[];
}

function readSources(): SourceFile[] {
	return readdirSync(CONNECTOR, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => {
			const text = readFileSync(join(CONNECTOR, file), 'utf8');
			const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
			const path = file.replaceAll('\\', '/');
			return {
				path,
				room: roomOf(path),
				imports: importsOf(tree),
				httpHelpers: httpHelpersOf(tree),
			};
		});
}

function roomOf(path: string): string {
	const [first = '', ...rest] = path.split('/');
	return rest.length === 0 ? 'nodes' : first;
}

function importsOf(tree: ts.SourceFile): Import[] {
	return tree.statements.flatMap((statement) => {
		const isImport = ts.isImportDeclaration(statement);
		if (!isImport && !ts.isExportDeclaration(statement)) return [];
		const specifier = statement.moduleSpecifier;
		if (specifier === undefined || !ts.isStringLiteral(specifier)) return [];
		const typeOnly = isImport ? isTypeOnly(statement.importClause) : statement.isTypeOnly;
		return [{ from: specifier.text, typeOnly }];
	});
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
	if (clause === undefined) return false;
	const names = clause.namedBindings;
	const allTypes =
		names !== undefined &&
		ts.isNamedImports(names) &&
		names.elements.every((name) => name.isTypeOnly);
	return clause.isTypeOnly || (clause.name === undefined && allTypes);
}

function httpHelpersOf(tree: ts.SourceFile): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isIdentifier(node) && HTTP_HELPERS.test(node.text)) found.push(node.text);
		if (/\bhelpers\??\.request$/.test(node.getText())) found.push('request');
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
}

/** The room that a relative import leads to; undefined for packages. */
function targetRoom(file: SourceFile, from: string): string | undefined {
	return from.startsWith('.') ? roomOf(targetPath(file, from)) : undefined;
}

/** Where a relative import leads, relative to the connector's folder. */
function targetPath(file: SourceFile, from: string): string {
	const target = resolve(dirname(join(CONNECTOR, file.path)), from);
	return relative(CONNECTOR, target).replaceAll('\\', '/');
}

describe('rooms of the connector', () => {
	const sources = readSources();

	it('finds its sources', () => {
		expect(sources.map(({ path }) => path)).toContain('InspectionService.node.ts');
	});

	it('import to the left only', () => {
		const wrong = sources.flatMap((file) =>
			file.imports.flatMap(({ from }) => {
				const room = targetRoom(file, from);
				const fine = room === undefined || room === file.room || ALLOWED[file.room]?.includes(room);
				return fine === true ? [] : [`${file.path} imports ${from}`];
			}),
		);
		expect(wrong).toEqual([]);
	});

	it('import to the left only inside of domain', () => {
		const inside = sources.filter(({ room }) => room === 'domain');
		const wrong = inside.flatMap((file) =>
			file.imports.flatMap(({ from }) => {
				const own = dirname(file.path);
				const target = dirname(targetPath(file, from));
				const fine =
					target === own ||
					(own !== 'domain' && target === 'domain') ||
					ALLOWED_IN_DOMAIN[own]?.includes(target);
				return fine === true ? [] : [`${file.path} imports ${from}`];
			}),
		);
		expect(wrong).toEqual([]);
	});

	it('know n8n at run time, except for domain', () => {
		const wrong = sources
			.filter(({ room }) => room === 'domain')
			.flatMap((file) =>
				file.imports
					.filter(({ from, typeOnly }) => !from.startsWith('.') && !typeOnly)
					.filter(({ from }) => from.startsWith('n8n'))
					.map(({ from }) => `${file.path} imports ${from}`),
			);
		expect(wrong).toEqual([]);
	});

	it('make requests in transport only', () => {
		const wrong = sources
			.filter(({ room }) => room !== MAKES_REQUESTS)
			.flatMap(({ path, httpHelpers }) => httpHelpers.map((name) => `${path} calls ${name}`));
		expect(wrong).toEqual([]);
		expect(sources.some(({ httpHelpers }) => httpHelpers.length > 0)).toBe(true);
	});
});
