/**
 * Checks the words of the pages: one thing has one word. The rules ignore code, such as `response`. "Writing" in
 * CONTRIBUTING.md has more rules, which no program can check.
 */
import { globSync } from 'node:fs';

import { marked, type Token, type Tokens } from 'marked';
import { expect, test } from 'vitest';

import { builtNode, builtPackage } from '#harness/builtPackage.mts';
import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { projectFile } from '#harness/pages.mts';
import { literalsIn, SOURCES } from '#harness/sourceTexts.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const PAGES = globSync(['{README,SECURITY}.md', '{docs,sandbox,bench}/**/*.md'], { cwd: PROJECT });
const USER_PAGES = PAGES.filter((page) => /^(?:README|docs\/[^/]+)\.md$/.test(page));

/** Words with two meanings, or with a simpler form, by what to write instead. */
const RULES: Readonly<Record<string, RegExp>> = {
	'immediately, at the same time': /\bat once\b/i,
	'what happens, such as "is rejected"': /\b(?:that's|is|are) an? error\b/i,
	'including, even': /, also (?:of|in|if|when|for|those|with)\b/i,
	'case-sensitive, is ignored': /\b(?:don't|doesn't|case) counts?\b/i,
	'May 31, 2026': /\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\b/,
	'two sentences': /; /,
	'a noun in a heading': /^#+ .*\bit\b/i,
	finding: /\bhazards?\b/i,
	completed: /\bfinished inspections?\b|\binspections? (?:is|are) finished\b/i,
	'Map Automatically': /\bautomatic(?:ally)? mapp/i,
	'n8n administrator, service administrator': /\b(?:whoever|the person who) (?:runs|manages)\b/i,
	'if or when': /\bwhere (?:there|none) is\b/i,
	'a shorter sentence': /\b(?:anew|in vain|for good|all the same|it may not)\b/i,
};
/** Words that maintainers know in one more meaning, such as the key of an object. */
const USER_RULES: Readonly<Record<string, RegExp>> = {
	'unique key, API key, column': /(?<!unique |API )\bkeys?\b/i,
	'header row, column name, HTTP header': /(?<!HTTP |`code` )\bheaders?\b(?! row)/i,
	'the rule, without the story of its test':
		/\b[Ii]n (?:a|one|another) (?:test|measurement)\b|\bwe haven't\b/,
	'bold, not italic': /(?<![\w*`])_[A-Z][^_]+_/,
};

const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
const isBlock = (token: Token) =>
	['paragraph', 'heading', 'text'].includes(token.type) && 'tokens' in token;

/** Returns the prose of a page: paragraphs, headings, and cells of tables, without code, pictures, and addresses. */
function proseOf(page: string): string[] {
	const found: string[] = [];
	void marked.walkTokens(marked.lexer(projectFile(page)), (token) => {
		if (isTable(token))
			found.push(...[...token.header, ...token.rows.flat()].map(({ text }) => text));
		else if (isBlock(token)) found.push(token.raw);
	});
	return found.map((text) =>
		text
			.replace(/!\[[^\]]*\]/g, '')
			.replace(/`[^`]*`/g, '`code`')
			.replace(/\]\([^)]*\)/g, ']')
			.replace(/\s+/g, ' '),
	);
}

/** Returns the parts of a page that a rule finds, each with what to write instead. */
const found = (page: string, rules: Readonly<Record<string, RegExp>>) =>
	proseOf(page).flatMap((text) =>
		Object.entries(rules).flatMap(([instead, avoid]) => {
			const part = avoid.exec(text);
			return part === null ? [] : [`"${part[0]}" in "${text}": write ${instead}`];
		}),
	);

test.each(PAGES)('%s has one word for one thing', (page) => {
	expect(found(page, RULES)).toEqual([]);
});

test.each(USER_PAGES)('%s has no words that only maintainers understand', (page) => {
	expect(found(page, USER_RULES)).toEqual([]);
});

const DESCRIBED = [
	builtPackage.getCredential(CREDENTIAL_TYPE).type,
	...['inspectionService', 'inspectionServiceTrigger'].map((name) => builtNode(name).description),
];
/** The labels of the editor with several words. The name of the service is also used in sentences. */
const LABELS = [...JSON.stringify(DESCRIBED).matchAll(/"displayName":"([^"]+)"/g)]
	.map(([, label = '']) => label)
	.filter((label) => /^[A-Z]\S* \S/.test(label) && label.length < 40)
	.filter((label) => !label.startsWith('Inspection Service'));

test.each(USER_PAGES)('%s has labels of the editor in bold', (page) => {
	expect(LABELS).toContain('Check Only');
	const plain = proseOf(page)
		.filter((text) => !text.startsWith('#'))
		.map((text) => text.replace(/\*\*[^*]+\*\*|"[^"]*"/g, ''));
	// The header row of a table can be a label.
	const sentences = plain.filter((text) => !LABELS.includes(text));
	expect(sentences.filter((text) => LABELS.some((label) => text.includes(label)))).toEqual([]);
});

test.each(USER_PAGES)('%s promises that nothing is repeated only with the condition', (page) => {
	const claims = /\b(?:none missed|misses none|repeats none|no inspection twice|nothing twice)\b/i;
	const condition = /unique key/i;
	const overclaims = proseOf(page).filter((text) => claims.test(text) && !condition.test(text));
	expect(overclaims).toEqual([]);
});

/** Matches the HTML and the CSS of the report, which separate their parts with semicolons. */
const MARKUP = /^\W*(?:doctype html|root \{)/i;

test('messages have one word for one thing', () => {
	const messages = SOURCES.flatMap(literalsIn)
		.filter((text) => /[a-z]+ [a-z]+ [a-z]+/.test(text))
		.filter((text) => !MARKUP.test(text));
	expect(messages.length).toBeGreaterThan(300);
	expect(messages.filter((text) => Object.values(RULES).some((avoid) => avoid.test(text)))).toEqual(
		[],
	);
});
