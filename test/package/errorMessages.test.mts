import { globSync } from 'node:fs';

import { expect, it } from 'vitest';

import { explanationOf } from '#connector/domain/request/statusFailure.ts';
import { projectFile, tableRows } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const PAGE = projectFile('docs', 'errors.md');

/** The messages that the page lists: the first cells of tables whose header begins with "the error says". */
const MESSAGES = PAGE.split(/^#+ /m)
	.filter((section) => section.includes('| the error says'))
	.flatMap(tableRows)
	.flatMap(([cell = '']) => cell.split(' · '));

/**
 * Returns the fixed words of a message, without the variable parts. For "The file from … was cut off: …", these are
 * "The file from" and "was cut off".
 */
const wordsOf = (message: string) =>
	message
		.replace(/ \(\d{3}\)/g, '…')
		.split('…')
		.map((words) => words.replace(/^[\s"';:,.]+|[\s"';:,.]+$/g, ''))
		.filter((words) => words !== '');

const CODE = globSync('nodes/**/*.ts', { cwd: PROJECT })
	.map((file) => projectFile(file))
	.join('\n');

it('every message of docs/errors.md is in the code', () => {
	expect(MESSAGES.length).toBeGreaterThan(60);
	expect(MESSAGES.flatMap(wordsOf).filter((words) => !CODE.includes(words))).toEqual([]);
});

/** Matches an error that is created with a literal message. */
const THROWN =
	/new (?:Input|UnexpectedResponse|NodeOperation)Error\(\s*(?:\S+getNode\(\),\s*)?([`'])(.+?)\1[,)\s]/g;

it('every error of the code is on the page', () => {
	const made = [...CODE.matchAll(THROWN)].map(([, , message = '']) => message);
	// Ignores errors whose message comes from elsewhere, such as `${problem}.`
	const thrown = made.filter((message) => / [a-z]+ /.test(message.replace(/\$\{.*?\}/g, '')));
	expect(thrown.length).toBeGreaterThan(30);
	const isTold = (text: string) =>
		MESSAGES.map(wordsOf).some((words) => words.every((part) => text.includes(part)));
	expect(thrown.filter((message) => !isTold(message))).toEqual([]);
});

it('docs/errors.md explains every status of every operation', () => {
	const calls = ['getTemplate', 'createInspection', 'listInspections', 'getFileUrl'] as const;
	const others = ['downloadFile', 'testCredential'] as const;
	const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
	const meanings = [...calls, ...others].flatMap((operation) =>
		statuses.map((status) => explanationOf(operation, status).what),
	);
	expect([...new Set(meanings)].filter((what) => !PAGE.includes(what))).toEqual([]);
});
