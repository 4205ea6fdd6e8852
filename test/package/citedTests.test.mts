/** Checks that the tests that the project's pages cite exist: test titles in docs/how-it-reads.md, files in all pages. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

import { marked } from 'marked';
import ts from 'typescript';
import { expect, test } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const PAGES = globSync(['*.md', '{docs,sandbox,examples,bench}/**/*.md'], { cwd: PROJECT });
const [, PIECES = ''] = projectFile('docs/how-it-reads.md').split('\n## Why each piece exists\n');
const SCENARIOS = 'test/trigger/scenarios.mts';

/** The source of a citation, and quoted parts of test titles. No titles if the source is cited as a whole. */
interface Citation {
	file: string;
	titles: string[];
}

/** Returns the citations in a cell such as `` `readAll`: "ignores page", "misses none"; storm "late backlog" ``. */
function citationsIn(cell: string): Citation[] {
	return cell.split('; ').map((citation) => {
		const [source = '', ...parts] = citation.split('"');
		return {
			file: fileOf(source.replace(/[`:]/g, '').trim()),
			// Between two titles, there is a comma.
			titles: parts.filter((_, index) => index % 2 === 0),
		};
	});
}

function fileOf(source: string): string {
	if (source === 'storm' || source === 'storms') return SCENARIOS;
	if (source.endsWith('.mts')) return source;
	return source.includes('/') ? `test/${source}.test.mts` : `test/unit/${source}.test.mts`;
}

/**
 * Returns all strings in the code of a file. They include test titles with their placeholders, and the names in the
 * tables of `test.each`.
 */
function stringsIn(file: string): string[] {
	const source = ts.createSourceFile(file, projectFile(file), ts.ScriptTarget.Latest);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) found.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const ROWS = tableRows(PIECES).map((cells) => ({
	piece: cells[0] ?? '',
	citations: citationsIn(cells.at(-1) ?? ''),
}));

test('docs/how-it-reads.md cites tests', () => expect(ROWS).not.toEqual([]));

test.each(ROWS)('the tests that are cited for "$piece" exist', ({ citations }) => {
	for (const { file, titles } of citations) {
		expect(existsSync(join(PROJECT, file)), file).toBe(true);
		const strings = stringsIn(file);
		for (const title of titles) {
			expect(
				strings.some((text) => text.includes(title)),
				`"${title}" in ${file}`,
			).toBe(true);
		}
	}
});

/** Returns the paths and names of test files in a page, such as `test/e2e/outputs` and `readAll.test.mts`. */
function testFilesIn(page: string): string[] {
	const found: string[] = [];
	void marked.walkTokens(marked.lexer(projectFile(page)), (token) => {
		if (token.type !== 'codespan') return;
		const { text } = token as { text: string };
		if (text.startsWith('test/') || /^\w+\.(?:test|e2e)\.mts$/.test(text)) found.push(text);
	});
	return found;
}

test.each(PAGES)('the test files that %s cites exist', (page) => {
	const exists = (file: string) =>
		globSync(file.includes('/') ? `${file}{,.*}` : `test/**/${file}`, { cwd: PROJECT }).length > 0;
	expect(testFilesIn(page).filter((file) => !exists(file))).toEqual([]);
});
