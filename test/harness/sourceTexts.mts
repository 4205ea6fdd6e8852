/** The connector's sources and their texts, for tests that check the words of messages. */
import { globSync } from 'node:fs';

import ts from 'typescript';

import { PROJECT } from '#scripts/projectPaths.mts';
import { projectFile } from './pages.mts';

export const SOURCES = globSync('{nodes,credentials}/**/*.ts', { cwd: PROJECT }).map((file) =>
	ts.createSourceFile(file, projectFile(file), ts.ScriptTarget.Latest, true),
);

/** Calls `visit` with a node of a source, and with all nodes below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
	visit(node);
	ts.forEachChild(node, (child) => {
		walk(child, visit);
	});
}

/** Returns the text literals of a source. A text with variables is returned as it's written. */
export function literalsIn(source: ts.Node): string[] {
	const found: string[] = [];
	walk(source, (node) => {
		if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
		if (ts.isTemplateExpression(node)) found.push(node.getText());
	});
	return found;
}
