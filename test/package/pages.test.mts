/** What the README, CONTRIBUTING and the pages of docs/ name is there, and what they count is so. */
import { existsSync, globSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { projectFile, quotedIn, tableRows } from '#harness/pages.mts';
import { serviceDocument } from '#sandbox/service/serviceDocument.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };
import { SCENARIOS } from '../trigger/scenarios.mts';

const PAGES = globSync(['*.md', '{docs,sandbox}/*.md'], { cwd: PROJECT });

/** `#the-way-it-goes` for `## The way: it goes`, as GitHub makes it. */
function anchorsOf(page: string): string[] {
	return [...projectFile(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
		const words = heading.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, '');
		return words.replaceAll(' ', '-');
	});
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
			roots.some((root) => globSync(`${root}/${path}{,.*}`, { cwd: PROJECT }).length > 0);
		if (page === 'CONTRIBUTING.md') expect(paths.length).toBeGreaterThan(40);
		expect(paths.filter((path) => !isThere(path))).toEqual([]);
	},
);

it('the README clones the repository that package.json names', () => {
	const [, address] = /^git clone (\S+)$/m.exec(projectFile('README.md')) ?? [];
	expect(address).toBe(manifest.repository.url);
});

const CONTRIBUTING = projectFile('CONTRIBUTING.md');

it('every test that CONTRIBUTING runs by a word of its name is there', () => {
	const commands = [...CONTRIBUTING.matchAll(/`(?:\S+ )?npm (?:test|run test:e2e) -- ([^`]+)`/g)];
	const words = commands.flatMap(([, rest = '']) => rest.split(' '));
	const tests = globSync('test/**/*.{test,e2e}.mts', { cwd: PROJECT });
	expect(words.length).toBeGreaterThan(10);
	expect(words.filter((word) => !tests.some((file) => file.includes(word)))).toEqual([]);
});

/** The functions and classes that a cell names and its files do not export. */
function unknownIn(change: string): string[] {
	const names = quotedIn(change);
	const paths = names.filter((name) => /\.m?ts$/.test(name));
	const files = globSync(
		paths.map((path) => `{,nodes/InspectionService/}${path}`),
		{ cwd: PROJECT },
	);
	const code = files.map((file) => projectFile(file)).join('\n');
	const exported = [...code.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)];
	const known = exported.map(([, name]) => name);
	return names.filter((name) => !name.includes('/') && !known.includes(name));
}

it('CONTRIBUTING, "You want to …": each function is in its file', () => {
	const [, wishes = ''] = /^## You want to …\n([^]*?)^## /m.exec(CONTRIBUTING) ?? [];
	const changes = tableRows(wishes).map(([, change = '']) => change);
	expect(changes.length).toBeGreaterThanOrEqual(15);
	expect(changes.flatMap(unknownIn)).toEqual([]);
});

/** The names of all assumptions: the keys under each `x-assumed`. */
function assumedIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, member]) =>
		key === 'x-assumed' ? Object.keys(Object(member)) : assumedIn(member),
	);
}

it('docs/what-is-assumed.md has a row for each assumption: what, in which file, what changes it', () => {
	const rows = tableRows(projectFile('docs', 'what-is-assumed.md'));
	const named = [...new Set(assumedIn(serviceDocument))].toSorted();
	expect(named.length).toBeGreaterThan(30);
	expect(rows.map(([name]) => name).toSorted()).toEqual(named);
	const isWhole = ([, what, file = '', change, ...more]: string[]) =>
		what && /^`\w+\/.+\.ts`$/.test(file) && change && more.length === 0;
	expect(rows.filter((row) => !isWhole(row))).toEqual([]);
});

const HOW_IT_READS = projectFile('docs', 'how-it-reads.md');
const PIECES = tableRows(HOW_IT_READS).filter(([, file = '']) => /^`\w+\/\w+`$/.test(file));

/** The words that have no test of `named` (such as `changePoller` or `trigger/poll`); those behind a `;` are of the same. */
function missing(shownBy: string): string[] {
	let named: string[] = [];
	return shownBy.split('; ').filter((part) => {
		if (part.startsWith('`bench/')) return !existsSync(join(PROJECT, part.replaceAll('`', '')));
		if (part.startsWith('storm')) {
			const storms = [...part.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
			return storms.some((storm) => !SCENARIOS.some(({ name }) => name === storm));
		}
		const files = quotedIn(part);
		if (files.length > 0) named = files;
		const words = part.replace(/^`.*`(: )?/, '').toLowerCase();
		return !named
			.map((file) => projectFile('test', `${file.includes('/') ? file : `unit/${file}`}.test.mts`))
			.some((tests) => tests.toLowerCase().includes(words));
	});
}

it('docs/how-it-reads.md says how many storms there are', () => {
	expect(PIECES.length).toBeGreaterThan(40);
	expect(HOW_IT_READS).toContain(`${SCENARIOS.length} scenarios`);
});

it.each(PIECES.map(([piece, , , shownBy = '']) => [piece, shownBy] as const))(
	'docs/how-it-reads.md, "%s": its tests are there',
	(_, shownBy) => {
		expect(missing(shownBy)).toEqual([]);
	},
);

const numberIn = (text: string) => Number(text.replace(',', ''));

const FOLDERS = tableRows(projectFile('docs', 'mutation.md')).map(
	([folder = '', sample = '', , , counts = '', percent = '']) => {
		const [noticed = NaN, mutants = NaN] = counts.split(' of ').map(numberIn);
		return { folder: folder.replaceAll('`', ''), sample, noticed, mutants, percent };
	},
);
const IN_DOMAIN = FOLDERS.filter(({ folder }) => folder.startsWith('domain/'));

it('each folder of the domain was tried whole', () => {
	const domain = join(PROJECT, 'nodes', 'InspectionService', 'domain');
	const folders = readdirSync(domain, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => `domain/${name}`);
	expect(IN_DOMAIN.map(({ folder }) => folder).toSorted()).toEqual(
		[...folders, 'domain/*.ts'].toSorted(),
	);
	expect(new Set(IN_DOMAIN.map(({ sample }) => sample))).toEqual(new Set(['whole']));
});

it.each(FOLDERS)('enough is noticed in $folder', ({ folder, noticed, mutants, percent }) => {
	expect(Math.floor((100 * noticed) / mutants)).toBe(Number(percent));
	expect(Number(percent)).toBeGreaterThanOrEqual(folder.startsWith('domain/') ? 90 : 80);
});

it('the README has the sums of the domain', () => {
	const sumOf = (name: 'noticed' | 'mutants') => IN_DOMAIN.reduce((sum, row) => sum + row[name], 0);
	const percent = String(Math.floor((100 * sumOf('noticed')) / sumOf('mutants')));
	const mutants = sumOf('mutants').toLocaleString('en');
	expect(projectFile('README.md')).toContain(
		`[${percent}%](docs/mutation.md) of ${mutants} small changes`,
	);
});
