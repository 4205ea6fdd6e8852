// @module-tag slow
/**
 * Tests Retry On Fail, with which n8n runs the node again on the same items. A later attempt doesn't create an
 * inspection that an earlier attempt created, and doesn't report it as not sent.
 */
import fc from 'fast-check';
import type { OnError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { Outcome } from '#harness/actionNode.mts';
import { required, text } from '#harness/controls.mts';
import { createForTests, type CreateRun, LOST, REFUSED } from '#harness/createForTests.mts';
import { executionData } from '#harness/inspectionNodes.mts';
import type { Fault } from '#sandbox/service/faults.mts';

const AREA = required(text('Area', 'area'));
const { sandbox, reset, create, attempts, stored, creates, failCreate } = await createForTests([
	AREA,
]);

const ROWS = Array.from({ length: 6 }, (_, row) => ({ Area: `A${String(row)}` }));
const name = '={{ "Walk " + $json.Area }}';

const withRetries = async (run: CreateRun = {}) =>
	await Array.fromAsync(attempts(ROWS, { name, ...run }));

const areas = () => stored().flat().toSorted();
const areasOf = (rows: typeof ROWS) => rows.map(({ Area }) => `Area=${Area}`);

describe('if an error ends the execution', () => {
	test.each(['simplified', 'raw'])(
		'a retry after a rejected row creates all inspections once, in order: %s',
		async (output) => {
			failCreate(REFUSED, { body: '"A2"', times: 1 });
			const outcomes = await withRetries({ others: { output } });
			expect(outcomes).toHaveLength(2);
			expect(areas()).toEqual(areasOf(ROWS));
			const walk = output === 'raw' ? { name: 'Site walk' } : 'Site walk';
			const jsons = ROWS.map(({ Area }) => ({ name: `Walk ${Area}`, template: walk }));
			expect(outcomes.at(-1)).toMatchObject({ jsons });
		},
	);

	test.each([
		['had not taken effect', { kind: 'status', status: 500 }, 5],
		['had taken effect', { kind: 'status', status: 500, when: 'after' }, 6],
	] as const)('a create with the server error %s is never resent', async (_, fault, made) => {
		failCreate(fault, { body: '"A2"', times: 1 });
		const outcomes = await withRetries();
		expect(creates()).toBe(6);
		expect(areas()).toHaveLength(made);
		const [first, ...others] = outcomes.map((outcome) => (outcome as Error).message);
		expect(first).toMatch(/^Row 3 \("A2"\): .* unknown whether the inspection was created/);
		expect(others).toHaveLength(2);
		for (const message of others) {
			expect(message).toMatch(/^Nothing more was sent: 1 of 6 rows needs a correction$/);
		}
		expect(outcomes.at(-1)).toMatchObject({
			description: expect.stringMatching(/"Walk A2".*5 inspections were created/),
		});
	});
});

test('if the execution continues, a row with an unknown outcome stays unknown', async () => {
	failCreate(LOST, { body: '"A0"', times: 1 });
	const outcomes = await withRetries({ onError: 'continueErrorOutput' });
	expect(creates()).toBe(6);
	const errors = outcomes.map((outcome) => (outcome as Outcome).jsons[0]?.error);
	expect(errors).toEqual([errors[0], errors[0], errors[0]]);
	expect(errors[0]).toContain('unknown whether the inspection was created');
});

test.each<[string, CreateRun]>([
	['another node', { nodeId: 'another' }],
	['the next round of a loop', { runIndex: 1 }],
	['another execution', { executionId: '2' }],
])('creates inspections from the same items again in %s', async (_, other) => {
	const input = [{ json: { Area: 'A' } }];
	const where = { input, executionId: 'one' };
	await create([], where);
	await create([], { ...where, ...other });
	expect(areas()).toEqual(['Area=A', 'Area=A']);
});

test('one item at two positions is two rows, each created once', async () => {
	const [row = { json: {} }] = ROWS.map((json) => ({ json }));
	const run = { input: [row, row], onError: 'continueErrorOutput' };
	failCreate(REFUSED, { nth: 1, times: 1 });
	await Array.fromAsync(attempts([], run as CreateRun));
	expect(areas()).toEqual(['Area=A0', 'Area=A0']);
});

const DOUBTS: readonly Fault[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 503, when: 'after' },
	LOST,
	{ kind: 'malformed' },
];

/**
 * A row of a sheet. `isBad`: its cell is empty. `fault`: a fault of its create request, on every attempt or only on the
 * first attempt (`once`).
 */
interface Row {
	isBad: boolean;
	fault: Fault | undefined;
	once: boolean;
}
const row = {
	fault: fc.constantFrom(undefined, undefined, REFUSED, ...DOUBTS),
	once: fc.boolean(),
};
const isBad = fc.constantFrom(true, false, false, false, false, false);
const rows = fc.oneof(
	fc.array(fc.record<Row>({ ...row, isBad }), { minLength: 2, maxLength: 5 }),
	// Ten requests run at the same time, so only longer sheets have rows that aren't sent after a failed request.
	fc.array(fc.record<Row>({ ...row, isBad: fc.constant(false) }), { minLength: 12, maxLength: 14 }),
);
/** The sheets that a loop passes to the node, one per round. */
const rounds = fc.array(rows, { minLength: 1, maxLength: 2 });
const ON_ERROR: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const settings = fc.record({
	onError: fc.constantFrom(...ON_ERROR),
	maxTries: fc.integer({ min: 1, max: 3 }),
});

const areaOf = (round: number, row: number) => `R${String(round)}-${String(row)}`;

/** Whether the row's inspection exists, or its create request was sent and had an unknown outcome. */
function isTouched({ fault }: Row, area: string): boolean {
	const isStored = stored().flat().includes(`Area=${area}`);
	const creates = sandbox.requests.all('createInspection');
	const isSent = creates.some(({ body }) => body.includes(`"${area}"`));
	return isStored || (isSent && fault !== undefined && fault !== REFUSED);
}

/** Returns the indexes of the rows that a message reports as not sent. */
function rowsNotSent(said: string): number[] {
	const [, list = ''] = /Not sent: rows? ([^.]*)\./.exec(said) ?? [];
	return [...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to]) => {
		const first = Number(from);
		return Array.from({ length: Number(to ?? from) - first + 1 }, (_, at) => first + at - 1);
	});
}

/** Returns all messages of an attempt as one text. */
function messagesOf(outcome: Outcome | Error): string {
	if (!(outcome instanceof Error)) return outcome.jsons.map(({ error }) => error).join('\n');
	const { message, description } = outcome as Error & { description?: string };
	return `${message} ${description ?? ''}`;
}

// These words have to be true, because a user who reads them runs the whole sheet again.
test('no message claims that a row is unsent if its inspection can exist', async () => {
	const seen = { nothing: 0, nothingMore: 0, notSent: 0 };
	await fc.assert(
		fc.asyncProperty(rounds, settings, async (sheets, { onError, maxTries }) => {
			reset();
			const execution = { runData: executionData(), executionId: 'one' };
			const isAnyTouched = () =>
				sheets.some((sheet, round) => sheet.some((row, at) => isTouched(row, areaOf(round, at))));
			for (const [round, sheet] of sheets.entries()) {
				for (const [row, { fault, once }] of sheet.entries()) {
					if (fault === undefined) continue;
					failCreate(fault, { body: `"${areaOf(round, row)}"`, times: once ? 1 : undefined });
				}
				const items = sheet.map(({ isBad }, row) => ({
					Area: isBad ? '' : areaOf(round, row),
					Note: 'x',
				}));
				const run = { ...execution, runIndex: round, onError };
				for await (const outcome of attempts(items, run, maxTries)) {
					const said = messagesOf(outcome);
					if (said.includes('Nothing was sent')) {
						seen.nothing += 1;
						expect(isAnyTouched(), said).toBe(false);
					}
					if (said.includes('Nothing more was sent')) {
						seen.nothingMore += 1;
						expect(isAnyTouched(), said).toBe(true);
					}
					for (const at of rowsNotSent(said)) {
						seen.notSent += 1;
						const row = sheet[at];
						expect(row && isTouched(row, areaOf(round, at)), said).toBe(false);
					}
				}
			}
		}),
		{ numRuns: 100 },
	);
	// Checks that each of these phrases appeared in at least one run. Otherwise, this test would prove nothing.
	for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});
