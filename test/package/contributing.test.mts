import { globSync } from 'node:fs';

import { expect, it } from 'vitest';

import { projectFile, quotedIn, tableRows } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const PAGE = projectFile('CONTRIBUTING.md');

it('every test that CONTRIBUTING runs by a word of its name is there', () => {
	const commands = [...PAGE.matchAll(/`(?:\S+ )?npm (?:test|run test:e2e) -- ([^`]+)`/g)];
	const words = commands.flatMap(([, rest = '']) => rest.split(' '));
	const tests = globSync('test/**/*.{test,e2e}.mts', { cwd: PROJECT });
	expect(words.length).toBeGreaterThan(10);
	expect(words.filter((word) => !tests.some((file) => file.includes(word)))).toEqual([]);
});

/** The functions that a cell names and its files do not export. */
function unknownIn(change: string): string[] {
	const names = quotedIn(change);
	const paths = names.filter((name) => /\.m?ts$/.test(name));
	const files = globSync(
		paths.map((path) => `{,nodes/InspectionService/}${path}`),
		{ cwd: PROJECT },
	);
	const code = files.map((file) => projectFile(file)).join('\n');
	const exported = [...code.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)];
	const known = exported.map(([, name]) => name);
	return names.filter((name) => !name.includes('/') && !known.includes(name));
}

it('CONTRIBUTING, "You want to …": each function is in its file', () => {
	const [, wishes = ''] = /^## You want to …\n([^]*?)^## /m.exec(PAGE) ?? [];
	const changes = tableRows(wishes).map(([, change = '']) => change);
	expect(changes.length).toBeGreaterThanOrEqual(15);
	expect(changes.flatMap(unknownIn)).toEqual([]);
});
