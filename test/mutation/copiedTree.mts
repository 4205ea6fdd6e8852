import { createHash } from 'node:crypto';
import {
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import ts from 'typescript';

import { PROJECT } from '../../sandbox/demo/projectPaths.mts';

/** Where mutants live: the project's own files are never changed. */
export const TREE = join(PROJECT, '.local', 'mutation', String(process.pid));

const COPIED = ['nodes', 'credentials', 'icons', 'test', 'sandbox', 'docs', 'examples', 'dist'];
const FILES = ['package.json', 'tsconfig.json', 'vitest.config.mts', 'README.md'];

/** A fresh copy of what tests need, with the packages of the project itself. */
export function copyTree(): void {
	rmSync(TREE, { recursive: true, force: true });
	mkdirSync(TREE, { recursive: true });
	for (const name of COPIED) cpSync(join(PROJECT, name), join(TREE, name), { recursive: true });
	for (const name of FILES) cpSync(join(PROJECT, name), join(TREE, name));
	symlinkSync(join(PROJECT, 'node_modules'), join(TREE, 'node_modules'));
}

/** The JavaScript that n8n loads for a source file, as the build makes it. */
export function compiled(text: string): string {
	const { compilerOptions } = JSON.parse(readFileSync(join(PROJECT, 'tsconfig.json'), 'utf8'));
	const options = ts.convertCompilerOptionsFromJson(compilerOptions, PROJECT).options;
	return ts.transpileModule(text, { compilerOptions: options }).outputText;
}

const sources = new Map<string, string>();

/** A source file as it was when it was first read: somebody may go on writing in it. */
export function readSource(file: string): string {
	const text = sources.get(file) ?? readFileSync(join(PROJECT, file), 'utf8');
	sources.set(file, text);
	return text;
}

/** Puts a text in the place of a source file, and what n8n loads of it. */
export function placeSource(file: string, text: string): void {
	writeFileSync(join(TREE, file), text);
	const built = builtPath(file);
	mkdirSync(dirname(join(TREE, built)), { recursive: true });
	writeFileSync(join(TREE, built), compiled(text));
}

/** `nodes/a.ts` → `dist/nodes/a.js` */
export function builtPath(file: string): string {
	return join('dist', file.replace(/\.ts$/, '.js'));
}

/** Files of the connector below a folder or file of `nodes/InspectionService`. */
export function sourcesIn(target: string): string[] {
	const root = join('nodes', 'InspectionService', target);
	if (root.endsWith('.ts')) return [root];
	return readdirSync(join(PROJECT, root), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(root, name))
		.sort();
}

/** Another text for any change of the connector or of its tests through n8n. */
export function contentMark(): string {
	const hash = createHash('sha256');
	for (const folder of [
		'nodes',
		'credentials',
		'test/n8n',
		'test/trigger',
		'test/harness',
		'sandbox',
	]) {
		const names = readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' });
		for (const name of names.filter((each) => /\.m?ts$/.test(each)).sort()) {
			hash.update(name).update(readFileSync(join(PROJECT, folder, name)));
		}
	}
	return hash.digest('hex');
}
