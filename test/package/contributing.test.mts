import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';

const PAGE = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');

/** Texts in backquotes, those that are a whole block of code left out. */
const quotedIn = (text: string) =>
	[...text.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);

/** `domain/row/row.ts` is below the nodes' folder; other paths are the project's, and may be the beginning of several. */
const filesOf = (path: string) =>
	globSync(
		[path, `${path}.*`].flatMap((name) => [name, `nodes/InspectionService/${name}`]),
		{
			cwd: PROJECT,
		},
	);

/** A file, a folder (`domain/`) or the beginning of several (`test/unit/rowProblems`). */
const PATH = /^[\w.-]+(\/[\w.-]+)+\/?$|^[\w.-]+\/$/;
/** What a command makes, and what belongs to the machine. */
const MADE = /^(\.local|dist|node_modules)\b/;

it('every path that CONTRIBUTING names is there', () => {
	const words = quotedIn(PAGE).flatMap((quoted) => quoted.split(/\s/));
	const paths = words.filter((word) => PATH.test(word) && !MADE.test(word));
	expect(paths.length).toBeGreaterThan(40);
	expect(paths.filter((path) => filesOf(path).length === 0)).toEqual([]);
});

it('every test that CONTRIBUTING runs by a word of its name is there', () => {
	const commands = [...PAGE.matchAll(/`(?:\S+ )?npm (?:test|run test:e2e) -- ([^`]+)`/g)];
	const words = commands.flatMap(([, rest = '']) => rest.split(' '));
	const tests = globSync('test/**/*.{test,e2e}.mts', { cwd: PROJECT });
	expect(words.length).toBeGreaterThan(10);
	expect(words.filter((word) => !tests.some((file) => file.includes(word)))).toEqual([]);
});

/** The rows of "You want to …": the wish, and the cell that says what to change. */
const [, WISHES = ''] = /^## You want to …\n([^]*?)^## /m.exec(PAGE) ?? [];
const ROWS = [...WISHES.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].slice(2);

it('CONTRIBUTING has a list of wishes', () => {
	expect(ROWS.length).toBeGreaterThanOrEqual(15);
});

it.each(ROWS.map(([, wish = '', change = '']) => [wish, change] as const))(
	'CONTRIBUTING, "%s": the function is in the file',
	(_, change) => {
		const names = quotedIn(change);
		const code = names
			.filter((name) => name.endsWith('.ts') || name.endsWith('.mts'))
			.flatMap(filesOf)
			.map((file) => readFileSync(join(PROJECT, file), 'utf8'))
			.join('\n');
		const exported = [...code.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)];
		const known = exported.map(([, name]) => name);
		const functions = names.filter((name) => !name.includes('/'));
		expect(functions.filter((name) => !known.includes(name))).toEqual([]);
	},
);
