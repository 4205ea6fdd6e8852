import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { PROJECT } from '#scripts/projectPaths.mts';

/**
 * Returns the connector's source files. `target` is a folder in `nodes/InspectionService` or a pattern such as
 * `domain/*.ts`.
 */
export function sourcesIn(target: string): string[] {
	const pattern = target.endsWith('.ts') ? target : `${target}/**/*.ts`;
	return globSync(`nodes/InspectionService/${pattern}`, { cwd: PROJECT }).sort();
}

/**
 * Returns a random sample of statements as locations for Stryker: `nodes/InspectionService/domain/id.ts:8:1-8:30`. The
 * same seed selects the same statements, as long as their text doesn't change.
 */
export function sampleOf(files: readonly string[], count: number, seed: string): string[] {
	return files
		.flatMap(statementsOf)
		.map(({ text, location }) => ({ location, order: hash('sha256', seed + text) }))
		.sort((a, b) => (a.order < b.order ? -1 : 1))
		.slice(0, count)
		.map(({ location }) => location);
}

function statementsOf(file: string) {
	const text = readFileSync(join(PROJECT, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const found: { text: string; location: string }[] = [];
	const visit = (node: ts.Node): void => {
		if (isForTypes(node)) return;
		if (isInmost(node))
			found.push({ text: node.getText(source), location: locationOf(node, source) });
		else ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Whether a node is a statement without a block, or the condition of a statement with a block. */
function isInmost(node: ts.Node): boolean {
	if (ts.isBlock(node) || hasBlock(node)) return false;
	return ts.isStatement(node) || (ts.isExpression(node) && ts.isStatement(node.parent));
}

function hasBlock(node: ts.Node): boolean {
	return ts.forEachChild(node, (child) => ts.isBlock(child) || hasBlock(child)) ?? false;
}

/** Returns a node's location for Stryker, which counts lines from 1 and columns from 0. */
function locationOf(node: ts.Node, source: ts.SourceFile): string {
	const [start, end] = [node.getStart(source), node.end].map((position) => {
		const { line, character } = source.getLineAndCharacterOfPosition(position);
		return `${String(line + 1)}:${String(character)}`;
	});
	return `${source.fileName}:${String(start)}-${String(end)}`;
}

function isForTypes(node: ts.Node): boolean {
	const isMoved = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
	return isMoved || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}
