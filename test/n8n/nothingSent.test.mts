/** "Nothing was sent" and "Not sent" are promises: whoever reads them runs the whole sheet again. */
import fc from 'fast-check';
import type { OnError } from 'n8n-workflow';
import { expect, test } from 'vitest';

import type { Outcome } from '#harness/actionNode.mts';
import { required, text } from '#harness/controls.mts';
import { createForTests, LOST, REFUSED } from '#harness/createForTests.mts';
import { executionData } from '#harness/inspectionNodes.mts';
import type { Fault } from '#sandbox/service/faults.mts';

const AREA = required(text('Area', 'area'));
const { sandbox, reset, tries, stored, failCreate } = await createForTests([AREA]);

const DOUBTS: readonly Fault[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 503, when: 'after' },
	LOST,
	{ kind: 'malformed' },
];

/** One row: whether its cell is empty, and what the service does with its create, at the first try or at each. */
interface Row {
	isBad: boolean;
	fault: Fault | undefined;
	once: boolean;
}
const rows = fc.array(
	fc.record<Row>({
		isBad: fc.constantFrom(true, false, false, false, false, false),
		fault: fc.constantFrom(undefined, undefined, REFUSED, ...DOUBTS),
		once: fc.boolean(),
	}),
	{ minLength: 2, maxLength: 5 },
);
/** The sheets of the rounds of a loop. */
const rounds = fc.array(rows, { minLength: 1, maxLength: 2 });
const ON_ERROR: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const settings = fc.record({
	onError: fc.constantFrom(...ON_ERROR),
	maxTries: fc.integer({ min: 1, max: 3 }),
	concurrency: fc.constantFrom(1, 10),
});

const areaOf = (round: number, row: number) => `R${String(round)}-${String(row)}`;

/** Whether an inspection of the row exists, or its create was sent and nobody knows. */
function isTouched({ fault }: Row, area: string): boolean {
	const isStored = stored().flat().includes(`Area=${area}`);
	const creates = sandbox.requests.all('createInspection');
	const isSent = creates.some(({ body }) => body.includes(`"${area}"`));
	return isStored || (isSent && fault !== undefined && fault !== REFUSED);
}

/** The rows that a message tells as not sent, from 0. */
function toldNotSent(said: string): number[] {
	const [, list = ''] = /Not sent: rows? ([^.]*)\./.exec(said) ?? [];
	return [...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to]) => {
		const first = Number(from);
		return Array.from({ length: Number(to ?? from) - first + 1 }, (_, at) => first + at - 1);
	});
}

/** All that a try has said. */
function saidBy(outcome: Outcome | Error): string {
	if (!(outcome instanceof Error)) return outcome.jsons.map(({ error }) => error).join('\n');
	const { message, description } = outcome as Error & { description?: string };
	return `${message} ${description ?? ''}`;
}

test('they stand only where nothing of the execution was made or is in doubt', async () => {
	const seen = { nothing: 0, nothingMore: 0, notSent: 0 };
	await fc.assert(
		fc.asyncProperty(rounds, settings, async (sheets, { onError, maxTries, concurrency }) => {
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
					...{ Area: isBad ? '' : areaOf(round, row), Note: 'x' },
				}));
				const options = { concurrency };
				const run = { ...execution, runIndex: round, onError, options };
				for await (const outcome of tries(items, run, maxTries)) {
					const said = saidBy(outcome);
					if (said.includes('Nothing was sent')) {
						seen.nothing += 1;
						expect(isAnyTouched(), said).toBe(false);
					}
					if (said.includes('Nothing more was sent')) {
						seen.nothingMore += 1;
						expect(isAnyTouched(), said).toBe(true);
					}
					for (const at of toldNotSent(said)) {
						seen.notSent += 1;
						const row = sheet[at];
						expect(row && isTouched(row, areaOf(round, at)), said).toBe(false);
					}
				}
			}
		}),
		{ numRuns: 100 },
	);
	// Each of the words was said, so that the property is about something.
	for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});
