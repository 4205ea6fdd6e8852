/** "Nothing was sent" and "Not sent" are promises: whoever reads them runs the whole sheet again. */
import fc from 'fast-check';
import type { IDataObject, OnError } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { executionData, nodeRun } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import type { LoggedRequest } from '#sandbox/service/requestLog.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [{ type: 'text', label: 'Area', is_required: true }],
});

const REFUSED: Fault = { kind: 'status', status: 403 };
const DOUBTS: readonly Fault[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 503, when: 'after' },
	{ kind: 'reset', when: 'after' },
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
const rounds = fc.array(rows, { minLength: 1, maxLength: 2 });
const settings = fc.record({
	onError: fc.constantFrom<OnError[]>(
		'stopWorkflow',
		'continueRegularOutput',
		'continueErrorOutput',
	),
	tries: fc.integer({ min: 1, max: 3 }),
	concurrency: fc.constantFrom(1, 10),
});

const areaOf = (round: number, row: number) => `R${String(round)}-${String(row)}`;
const asksFor =
	(area: string) =>
	({ operation, body }: LoggedRequest) =>
		operation === 'createInspection' && body.includes(`"${area}"`);

function addFaults(sheet: readonly Row[], round: number) {
	sheet.forEach(({ fault, once }, row) => {
		if (fault === undefined) return;
		sandbox.faults.add({
			on: { operation: 'createInspection', where: asksFor(areaOf(round, row)) },
			...(once ? { times: 1 } : {}),
			do: fault,
		});
	});
}

/** Whether an inspection of the row exists, or its create was sent and nobody knows. */
function isTouched({ fault }: Row, area: string): boolean {
	const isStored = sandbox.store
		.inspections()
		.some(({ answers }) => answers.some(({ value }) => value === area));
	const isSent = sandbox.requests.all().some(asksFor(area));
	return isStored || (isSent && fault !== undefined && fault !== REFUSED);
}

/** The rows that a message tells as not sent, from 0. */
function toldNotSent(text: string): number[] {
	const [, list = ''] = /Not sent: rows? ([^.]*)\./.exec(text) ?? [];
	return [...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to]) => {
		const first = Number(from);
		return Array.from({ length: Number(to ?? from) - first + 1 }, (_, at) => first + at - 1);
	});
}

/** Everything that a try has said: the error that ended it, or the errors of its items. */
interface Outcome {
	isError: boolean;
	/** Whether n8n tries again: the node threw, or its first item has an error. */
	isTriedAgain: boolean;
	text: string;
}

async function outcomeOf(run: () => Promise<{ items: { json: IDataObject }[] }>): Promise<Outcome> {
	try {
		const { items } = await run();
		const errors = items.map(({ json }) => String(json.error ?? ''));
		return { isError: false, isTriedAgain: errors[0] !== '', text: errors.join('\n') };
	} catch (error) {
		const { message, description } = error as { message: string; description?: string };
		return { isError: true, isTriedAgain: true, text: `${message} ${description ?? ''}` };
	}
}

test('they stand only where nothing of the execution was made or is in doubt', async () => {
	const seen = { nothing: 0, nothingMore: 0, notSent: 0, tries: 0 };
	await fc.assert(
		fc.asyncProperty(rounds, settings, async (sheets, { onError, tries, concurrency }) => {
			sandbox.faults.clear();
			sandbox.requests.clear();
			for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
			const runData = executionData();
			const touched = () =>
				sheets.some((sheet, round) => sheet.some((row, at) => isTouched(row, areaOf(round, at))));
			for (const [round, sheet] of sheets.entries()) {
				addFaults(sheet, round);
				const run = await nodeRun({
					credential,
					items: sheet.map(({ isBad }, row) => ({
						Area: isBad ? '' : areaOf(round, row),
						Note: 'x',
					})),
					runData,
					executionId: 'one',
					runIndex: round,
					onError,
					parameters: createParameters(templateBy('WALK'), { options: { concurrency } }),
				});
				for (let count = 0; count < tries; count++) {
					const { isError, isTriedAgain, text } = await outcomeOf(run);
					seen.tries += 1;
					if (text.includes('Nothing was sent')) {
						seen.nothing += 1;
						expect(touched(), text).toBe(false);
					}
					if (text.includes('Nothing more was sent')) {
						seen.nothingMore += 1;
						expect(touched(), text).toBe(true);
					}
					const notSent = toldNotSent(text);
					seen.notSent += notSent.length;
					for (const at of notSent) {
						const row = sheet[at];
						expect(row && isTouched(row, areaOf(round, at)), text).toBe(false);
					}
					if (!isError && !isTriedAgain) break;
				}
			}
		}),
		{ numRuns: 150 },
	);
	// Each of the words was said, so that the property is about something.
	for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5);
});
