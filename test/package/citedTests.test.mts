/** Checks that the test files that the project's pages cite exist. */
import { globSync } from 'node:fs';

import { marked } from 'marked';
import { expect, test } from 'vitest';

import { projectFile } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const PAGES = globSync(['*.md', '{docs,sandbox,examples,bench}/**/*.md'], { cwd: PROJECT });

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
