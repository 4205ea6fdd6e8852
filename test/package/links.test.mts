import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { projectFile, quotedIn } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

const PAGES = globSync(['*.md', '{docs,sandbox}/*.md'], { cwd: PROJECT });

/** `#the-way-it-goes` for `## The way: it goes`, as GitHub makes it. */
function anchorsOf(page: string): string[] {
	const headings = projectFile(page).matchAll(/^#+ (.+)$/gm);
	return [...headings].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} -]/gu, '')
			.replaceAll(' ', '-'),
	);
}

it.each(PAGES)('every link of %s leads somewhere', (page) => {
	const links = projectFile(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
	const broken = [...links].flatMap(([link, path = '', anchor]) => {
		const target = path === '' ? page : join(dirname(page), path);
		if (!existsSync(join(PROJECT, target))) return [link];
		return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [link];
	});
	expect(broken).toEqual([]);
});

/** A file, a folder (`domain/`) or the beginning of several (`test/unit/rowProblems`). `M/d/yyyy` is none. */
const PATH = /^[a-z.][\w.-]+(\/[\w.-]+)*\/([\w.-]+)?$/;
/** What a command makes, and what belongs to the machine. */
const MADE = /^(\.local|dist|node_modules)\b/;

it.each(PAGES)(
	'every path that %s names is there: from the top, beside it, or in the code',
	(page) => {
		const words = quotedIn(projectFile(page)).flatMap((quoted) => quoted.split(/\s/));
		const paths = words.filter((word) => PATH.test(word) && !MADE.test(word));
		const roots = [PROJECT, dirname(page), 'nodes/InspectionService{,/domain}'];
		const isThere = (path: string) =>
			globSync(
				roots.map((root) => `${root}/${path}{,.*}`),
				{ cwd: PROJECT },
			).length > 0;
		if (page === 'CONTRIBUTING.md') expect(paths.length).toBeGreaterThan(40);
		expect(paths.filter((path) => !isThere(path))).toEqual([]);
	},
);

it('the README clones the repository that package.json names', () => {
	const [, address] = /^git clone (\S+)$/m.exec(projectFile('README.md')) ?? [];
	expect(address).toBe(manifest.repository.url);
});
