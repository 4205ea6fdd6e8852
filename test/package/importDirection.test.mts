import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';

import { expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';

const CONNECTOR = 'nodes/InspectionService';

/** What each room may import from, besides itself. The picture of it is in CONTRIBUTING.md. */
const ROOMS: Record<string, readonly string[]> = {
	domain: [],
	transport: ['domain'],
	output: ['domain', 'transport'],
	fields: ['domain', 'transport', 'output'],
	operations: ['domain', 'transport', 'output', 'fields'],
	editor: ['domain', 'transport', 'output', 'fields'],
	trigger: ['domain', 'transport', 'output', 'fields'],
	'.': ['domain', 'transport', 'output', 'fields', 'operations', 'editor', 'trigger'],
};

/** What each folder of domain may import from, besides itself and the files directly in domain. */
const FOLDERS_OF_DOMAIN: Record<string, readonly string[]> = {
	domain: [],
	'domain/template': [],
	'domain/answer': ['domain/template'],
	'domain/file': [],
	'domain/request': [],
	'domain/list': ['domain/request'],
	'domain/create': ['domain/template', 'domain/answer', 'domain/list'],
	'domain/row': ['domain/template', 'domain/answer', 'domain/list'],
	'domain/changes': ['domain/list'],
};

/** The names, or `type`, and where they come from. */
const IMPORT = /^(?:import|export) (?:([^;']*)from )?'([^']+)';/gm;
const COMMENT = /\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm;
/** Names of n8n's `helpers` that make requests; `request` alone is a word for other things. */
const HTTP_HELPER = /\b(?:httpRequest|requestWith|requestOAuth)\w*|\bhelpers\??\.request\b/;

const roomOf = (folder: string) => folder.split('/')[0] ?? '';

/** Paths relative to the connector's folder. A `target` that is a package stays as it is written. */
const FILES = globSync(`${CONNECTOR}/**/*.ts`, { cwd: PROJECT }).map((path) => {
	const code = readFileSync(join(PROJECT, path), 'utf8').replace(COMMENT, '');
	const folder = relative(CONNECTOR, dirname(path)) || '.';
	const imports = [...code.matchAll(IMPORT)].map(([, names = '', from = '']) => ({
		names,
		target: from.startsWith('.') ? join(folder, dirname(from)) : from,
		isPackage: !from.startsWith('.'),
	}));
	return { path, code, folder, imports };
});

/** Every import of the connector's own modules, as `file imports folder`, that is not allowed. */
function forbidden(isAllowed: (from: string, to: string) => boolean): string[] {
	return FILES.flatMap(({ path, folder, imports }) =>
		imports
			.filter(({ target, isPackage }) => !isPackage && !isAllowed(folder, target))
			.map(({ target }) => `${path} imports ${target}`),
	);
}

it('rooms of the connector import from rooms to their left only', () => {
	expect(FILES.flatMap(({ imports }) => imports).length).toBeGreaterThan(500);
	const isAllowed = (from: string, to: string) =>
		roomOf(from) === roomOf(to) || ROOMS[roomOf(from)]?.includes(roomOf(to)) === true;
	expect(forbidden(isAllowed)).toEqual([]);
});

it('folders of domain import from folders to their left only', () => {
	const isAllowed = (from: string, to: string) =>
		roomOf(from) !== 'domain' ||
		from === to ||
		(from !== 'domain' && to === 'domain') ||
		FOLDERS_OF_DOMAIN[from]?.includes(to) === true;
	expect(forbidden(isAllowed)).toEqual([]);
});

it('no file of the connector imports from more than 18 others', () => {
	const crowded = FILES.filter(({ imports }) => imports.length > 18);
	expect(crowded.map(({ path, imports }) => `${path}: ${String(imports.length)}`)).toEqual([]);
});

it('domain knows types of n8n only', () => {
	const isType = (names: string) =>
		names.startsWith('type ') ||
		names.match(/\w[\w ]*/g)?.every((name) => name.startsWith('type ')) === true;
	const wrong = FILES.filter(({ folder }) => roomOf(folder) === 'domain').flatMap((file) =>
		file.imports
			.filter(({ target, names }) => target.startsWith('n8n') && !isType(names))
			.map(({ target }) => `${file.path} imports ${target}`),
	);
	expect(wrong).toEqual([]);
});

it('requests are made in transport only', () => {
	const callers = FILES.filter(({ code }) => HTTP_HELPER.test(code));
	expect(new Set(callers.map(({ folder }) => folder))).toEqual(new Set(['transport']));
});
