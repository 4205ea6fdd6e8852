import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';

const NODES = join(PROJECT, 'nodes', 'InspectionService');

/** `domain/row/row.ts` is below the nodes' folder; other paths are the project's. */
function fileOf(name: string): string | undefined {
	return [join(NODES, name), join(PROJECT, name)].find((file) => existsSync(file));
}

/** The rows of the list of wishes: the wish, and the cell that says what to change. */
function wishes(): [string, string][] {
	const text = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
	const [, section = ''] = /^## You want to …\n([^]*?)^## /m.exec(text) ?? [];
	const rows = section.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\|$/gm);
	return [...rows].slice(2).map(([, wish = '', change = '']) => [wish, change]);
}

/** A file, a folder (`domain/`) or the beginning of several (`test/unit/rowProblems`). */
const PATH = /^[\w.-]+(\/[\w.-]+)*\/?$/;
/** What a command makes, and what belongs to the machine. */
const MADE = /^(\.local|dist|node_modules)\b/;

it('every path that the page names is there', () => {
	const text = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8').replace(
		/^```[^]*?^```/gm,
		'',
	);
	const named = [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
	const words = named.flatMap((name) => name.split(/\s/)).filter((name) => name.includes('/'));
	const paths = words.filter((name) => PATH.test(name) && !MADE.test(name));
	expect(paths.length).toBeGreaterThan(40);
	const isThere = (path: string) =>
		fileOf(path) !== undefined ||
		globSync([`${path}.*`, `nodes/InspectionService/${path}.*`], { cwd: PROJECT }).length > 0;
	expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

it('every test that the page runs by a word of its name is there', () => {
	const text = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
	const commands = [...text.matchAll(/`(?:\S+ )?npm (?:test|run test:e2e) -- ([^`]+)`/g)];
	const words = commands.flatMap(([, rest = '']) => rest.split(' '));
	const tests = globSync('test/**/*.{test,e2e}.mts', { cwd: PROJECT });
	expect(words.length).toBeGreaterThan(10);
	expect(words.filter((word) => !tests.some((file) => file.includes(word)))).toEqual([]);
});

it('the list of wishes has some', () => {
	expect(wishes().length).toBeGreaterThanOrEqual(15);
});

it.each(wishes())('to "%s", the files and functions are there', (_, change) => {
	const names = [...change.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
	const files = names.filter((name) => name.includes('/'));
	const missing = files.filter((name) => fileOf(name) === undefined);
	expect(missing).toEqual([]);
	const texts = files.flatMap((name) => {
		const file = fileOf(name);
		return file === undefined || name.endsWith('/') ? [] : [readFileSync(file, 'utf8')];
	});
	const functions = names.filter((name) => !name.includes('/'));
	const unknown = functions.filter(
		(name) =>
			!texts.some((text) =>
				new RegExp(
					`export (async )?(function\\*?|const) ${name}\\b|export async function\\* ${name}\\b`,
				).test(text),
			),
	);
	expect(unknown).toEqual([]);
});
