import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

const PAGES = [
	...globSync('*.md', { cwd: PROJECT }),
	...globSync('{docs,sandbox}/*.md', { cwd: PROJECT }),
];

/** `#the-way-it-goes` for `## The way: it goes`, as GitHub makes it. */
function anchorsOf(page: string): string[] {
	const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm);
	return [...headings].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} -]/gu, '')
			.replaceAll(' ', '-'),
	);
}

it.each(PAGES)('every link of %s leads somewhere', (file) => {
	const page = join(PROJECT, file);
	const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
	const broken = [...links].flatMap(([link, path = '', anchor]) => {
		const target = path === '' ? page : join(dirname(page), path);
		if (!existsSync(target)) return [link];
		return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [link];
	});
	expect(broken).toEqual([]);
});

const FOLDERS = 'bench|docs|examples|nodes|sandbox|scripts|test|\\.ci';

it.each(PAGES)('every file that %s names is there', (file) => {
	const named = new RegExp(`\`((?:${FOLDERS})/[\\w./-]+\\.\\w+)\``, 'g');
	const paths = [...readFileSync(join(PROJECT, file), 'utf8').matchAll(named)];
	const gone = paths.filter(([, path = '']) => !existsSync(join(PROJECT, path)));
	expect(gone.map(([, path]) => path)).toEqual([]);
});

it('the README clones the repository that package.json names', () => {
	const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
	const [, address] = /^git clone (\S+)$/m.exec(readme) ?? [];
	expect(address).toBe(manifest.repository.url);
});
