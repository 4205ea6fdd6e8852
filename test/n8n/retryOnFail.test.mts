/** n8n's Retry On Fail runs the node again on the same items: what a try has made is not made again. */
import { describe, expect, test } from 'vitest';

import type { Outcome } from '#harness/actionNode.mts';
import { required, text } from '#harness/controls.mts';
import { createForTests, type CreateRun, LOST, REFUSED } from '#harness/createForTests.mts';

const TRIES = 3;

const AREA = required(text('Area', 'area'));
const { create, tries, stored, creates, failCreate } = await createForTests([AREA]);

const ROWS = Array.from({ length: 6 }, (_, row) => ({ Area: `A${String(row)}` }));
const additionalFields = { name: '={{ "Walk " + $json.Area }}' };

const withRetries = async (run: CreateRun = {}) =>
	await Array.fromAsync(tries(ROWS, { additionalFields, ...run }, TRIES));

const areas = () => stored().flat().toSorted();
const areasOf = (rows: typeof ROWS) => rows.map(({ Area }) => `Area=${Area}`);

describe('where an error ends the execution', () => {
	test.each(['simplified', 'row'])(
		'a row that the service refuses at first: all are there once, and come out in order as %s',
		async (output) => {
			failCreate(REFUSED, { body: '"A2"', times: 1 });
			const outcomes = await withRetries({ others: { output } });
			expect(outcomes).toHaveLength(2);
			expect(areas()).toEqual(areasOf(ROWS));
			const jsons = ROWS.map(({ Area }) => ({
				...{ name: `Walk ${Area}`, template: 'Site walk', ...(output === 'row' && { Area }) },
			}));
			expect(outcomes.at(-1)).toMatchObject({ jsons });
		},
	);

	test.each([
		['had not taken effect', { kind: 'status', status: 500 }, 5],
		['had taken effect', { kind: 'status', status: 500, when: 'after' }, 6],
	] as const)('a create whose server error %s is never sent again', async (_, fault, made) => {
		failCreate(fault, { body: '"A2"', times: 1 });
		const outcomes = await withRetries();
		expect(creates()).toBe(6);
		expect(areas()).toHaveLength(made);
		const [first, ...others] = outcomes.map((outcome) => (outcome as Error).message);
		expect(first).toMatch(/^Row 3 \("A2"\): .* may have been created, or not/);
		expect(others).toHaveLength(TRIES - 1);
		for (const message of others) {
			expect(message).toMatch(/^Nothing more was sent. 1 of 6 rows needs a correction /);
		}
		expect(outcomes.at(-1)).toMatchObject({
			description: expect.stringMatching(/"Walk A2".*5 inspections were created/),
		});
	});
});

test('where the execution goes on, a row in doubt stays in doubt', async () => {
	failCreate(LOST, { body: '"A0"', times: 1 });
	const outcomes = await withRetries({ onError: 'continueErrorOutput' });
	expect(creates()).toBe(6);
	const errors = outcomes.map((outcome) => (outcome as Outcome).jsons[0]?.error);
	expect(errors).toEqual(Array.from({ length: TRIES }, () => errors[0]));
	expect(errors[0]).toContain('may have been created, or not');
});

test.each<[string, CreateRun]>([
	['another node', { nodeId: 'another' }],
	['the next round of a loop', { runIndex: 1 }],
	['another execution', { executionId: '2' }],
])('the same items in %s are created there too', async (_, other) => {
	const input = [{ json: { Area: 'A' } }];
	const where = { input, executionId: 'one' };
	await create([], where);
	await create([], { ...where, ...other });
	expect(areas()).toEqual(['Area=A', 'Area=A']);
});

test('one item at two places is two rows, each of which is made once', async () => {
	const [row = { json: {} }] = ROWS.map((json) => ({ json }));
	const run = { input: [row, row], onError: 'continueErrorOutput', options: { concurrency: 1 } };
	failCreate(REFUSED, { nth: 1, times: 1 });
	await Array.fromAsync(tries([], run as CreateRun, TRIES));
	expect(areas()).toEqual(['Area=A0', 'Area=A0']);
});
