import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { explanationOf } from '../../nodes/InspectionService/domain/request/explanation.js';
import { PROJECT } from '../../scripts/projectPaths.mts';

const PAGE = readFileSync(join(PROJECT, 'docs', 'errors.md'), 'utf8');

/** The first cells of the tables that begin with "the error says". */
const MESSAGES = PAGE.split(/^#+ /m)
	.filter((section) => section.includes('| the error says'))
	.flatMap((section) => [...section.matchAll(/^\| (.+?) +\| .*\|$/gm)])
	.map(([, cell = '']) => cell)
	.filter((cell) => !/^(-+|the error says)$/.test(cell))
	.flatMap((cell) => cell.split(' · '));

/** What stands between the parts that differ: "was cut off" of "The file from … was cut off: …". */
const wordsOf = (message: string) =>
	message
		.replace(/ \(\d{3}\)/g, '…')
		.split('…')
		.map((words) => words.replace(/^[\s"';:,.]+|[\s"';:,.]+$/g, ''))
		.filter((words) => words !== '');

it('the page has messages', () => {
	expect(MESSAGES.length).toBeGreaterThan(60);
});

it('every message of docs/errors.md is in the code', () => {
	const code = globSync('nodes/**/*.ts', { cwd: PROJECT })
		.map((file) => readFileSync(join(PROJECT, file), 'utf8'))
		.join('\n');
	expect(MESSAGES.flatMap(wordsOf).filter((words) => !code.includes(words))).toEqual([]);
});

it('docs/errors.md has what every status of every operation means', () => {
	const calls = ['getTemplate', 'createInspection', 'listInspections', 'getFileUrl'] as const;
	const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
	const meanings = [...calls, 'downloadFile' as const].flatMap((operation) =>
		statuses.map((status) => explanationOf(operation, { kind: 'status', status, body: '' }).what),
	);
	expect([...new Set(meanings)].filter((what) => !PAGE.includes(what))).toEqual([]);
});
