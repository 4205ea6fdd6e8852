/** Checks that links in the project's pages and in the nodes' descriptions lead to an existing file and heading. */
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

import GithubSlugger from 'github-slugger';
import { marked, type Token, type Tokens } from 'marked';
import { expect, it } from 'vitest';

import { builtNode, builtPackage } from '#harness/builtPackage.mts';
import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { projectFile } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

const PAGES = globSync(['*.md', '{docs,sandbox,examples,bench}/**/*.md'], { cwd: PROJECT });
/** The address of the repository on GitHub, which displays the README. */
const [HOME = ''] = manifest.homepage.split('#');

function tokensOf<Type extends Token['type']>(page: string, type: Type) {
	const found: Extract<Token, { type: Type }>[] = [];
	const isWanted = (token: Token): token is Extract<Token, { type: Type }> => token.type === type;
	void marked.walkTokens(marked.lexer(projectFile(page)), (token) => {
		if (isWanted(token)) found.push(token);
	});
	return found;
}

/** Returns the plain text of a heading. GitHub derives the heading's anchor from this text. */
function textOf(tokens: readonly Token[] = []): string {
	const textOfToken = (token: Token) =>
		'tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? token.text : '';
	return tokens.map(textOfToken).join('');
}

function anchorsOf(page: string): string[] {
	const slugger = new GithubSlugger();
	return tokensOf(page, 'heading').map((heading) => slugger.slug(textOf(heading.tokens)));
}

/**
 * Whether a link leads to a missing file or heading of the project. `page` is the path of the page that contains the
 * link.
 */
function isBroken(link: string, page: string): boolean {
	if (/^(?!https:\/\/github\.com)[a-z]+:/.test(link)) return false;
	const inProject = link.replace(HOME, '').replace(/^\/blob\/[^/]+\//, '/');
	if (inProject.startsWith('http') || inProject.startsWith('/actions/')) return false;
	const isRelative = inProject === link;
	const [path = '', anchor] = inProject.split('#');
	const home = isRelative ? page : 'README.md';
	const target = path === '' ? home : join(isRelative ? dirname(page) : '.', decodeURI(path));
	if (!existsSync(join(PROJECT, target))) return true;
	if (anchor === undefined || anchor === 'readme') return false;
	return !anchorsOf(target).includes(anchor);
}

it.each(PAGES)('every link in %s leads to an existing file and heading', (page) => {
	const links: (Tokens.Link | Tokens.Image)[] = [
		...tokensOf(page, 'link'),
		...tokensOf(page, 'image'),
	];
	expect(links.map(({ href }) => href).filter((href) => isBroken(href, page))).toEqual([]);
});

it.each(globSync('docs/*.md', { cwd: PROJECT }))(
	"%s doesn't link to the maintainers' pages",
	(page) => {
		const links = tokensOf(page, 'link').map(({ href }) => join(dirname(page), href));
		expect(links.filter((link) => link.startsWith('docs/dev/'))).toEqual([]);
	},
);

/** Returns all links in a value's strings. */
const linksIn = (value: unknown) => JSON.stringify(value).match(/https?:\/\/[^\s"'\\<>)]+/g) ?? [];

it.each(globSync('nodes/**/*.node.json', { cwd: PROJECT }))(
	'every link to documentation in %s leads to an existing heading',
	(file) => {
		const links = linksIn(JSON.parse(projectFile(file)));
		expect(links).not.toEqual([]);
		expect(links.filter((link) => isBroken(link, 'README.md'))).toEqual([]);
	},
);

it('every link to documentation in the editor leads to an existing heading', () => {
	const { type } = builtPackage.getCredential(CREDENTIAL_TYPE);
	const nodes = ['inspectionService', 'inspectionServiceTrigger'].map(builtNode);
	const shown = [type, ...nodes.map(({ description }) => description)];
	const links = linksIn(shown);
	expect(links).not.toEqual([]);
	expect(links.filter((link) => isBroken(link, 'README.md'))).toEqual([]);
});
