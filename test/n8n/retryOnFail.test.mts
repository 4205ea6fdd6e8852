/** n8n's Retry On Fail runs the node again on the same items: what a try has made is not made again. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { nodeRun, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import type { LoggedRequest } from '#sandbox/service/requestLog.mts';

const TRIES = 3;
const IN_DOUBT =
	/^Nothing more was sent. 1 of 6 rows has a problem \(row 1 is the first below the header; rows that do not reach this node are not counted\)\.$/;

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [{ type: 'text', label: 'Area', is_required: true }],
});

const ROWS = Array.from({ length: 6 }, (_, row) => ({ Area: `A${String(row)}` }));

async function createRun(options: Partial<NodeRunOptions> = {}) {
	return await nodeRun({
		credential,
		items: ROWS,
		...options,
		parameters: createParameters(templateBy('WALK'), {
			additionalFields: { name: '={{ "Walk " + $json.Area }}' },
		}),
	});
}

/** As n8n (2.41): again where the node throws, or where its first item has an error. */
async function withRetries(run: Awaited<ReturnType<typeof createRun>>) {
	const tries: (IDataObject[] | Error)[] = [];
	for (let count = 0; count < TRIES; count++) {
		const outcome = await run().then(
			({ items }) => items.map(({ json }) => json),
			(error: unknown) => error as Error,
		);
		tries.push(outcome);
		if (!(outcome instanceof Error) && outcome[0]?.error === undefined) break;
	}
	return tries;
}

const fail = (area: string, fault: Fault, times?: number) =>
	sandbox.faults.add({
		on: {
			operation: 'createInspection',
			where: ({ body }: LoggedRequest) => body.includes(`"${area}"`),
		},
		...(times === undefined ? {} : { times }),
		do: fault,
	});

const areas = () =>
	sandbox.store
		.inspections()
		.map(({ answers }) => String(answers[0]?.value))
		.toSorted();

describe('where an error ends the execution', () => {
	test('a row that the service refuses at every try: the others are there once, and the count is true', async () => {
		fail('A2', { kind: 'status', status: 403 });
		const tries = await withRetries(await createRun());
		expect(tries).toHaveLength(TRIES);
		expect(areas()).toEqual(['A0', 'A1', 'A3', 'A4', 'A5']);
		expect(tries.at(-1)).toMatchObject({
			message: expect.stringMatching(/^Row 3: .*\(403\)/) as string,
			description: expect.stringContaining(
				'5 inspections were created in this execution (rows 1, 2 and 4 to 6)',
			) as string,
		});
	});

	test('a row that the service refuses at first: all are there once, and come out in order', async () => {
		fail('A2', { kind: 'status', status: 403 }, 1);
		const tries = await withRetries(await createRun());
		expect(tries).toHaveLength(2);
		expect(areas()).toEqual(ROWS.map(({ Area }) => Area));
		expect(tries.at(-1)).toMatchObject(ROWS.map(({ Area }) => ({ name: `Walk ${Area}` })));
	});

	test.each([
		['had not taken effect', { kind: 'status', status: 500 }, 5],
		['had taken effect', { kind: 'status', status: 500, when: 'after' }, 6],
	] as const)('a create whose server error %s is never sent again', async (_, fault, made) => {
		fail('A2', fault, 1);
		const tries = await withRetries(await createRun());
		expect(sandbox.requests.count('createInspection')).toBe(6);
		expect(areas()).toHaveLength(made);
		expect(tries).toHaveLength(TRIES);
		const messages = tries.map((outcome) => (outcome as Error).message);
		expect(messages).toEqual([
			expect.stringMatching(/^Row 3: .* may have been created, or not/),
			...Array.from({ length: 2 }, () => expect.stringMatching(IN_DOUBT) as string),
		]);
		expect(tries.at(-1)).toMatchObject({
			description: expect.stringMatching(/"Walk A2".*5 inspections were created/) as string,
		});
	});
});

describe('where the execution goes on', () => {
	test('a bad first row makes n8n try again, and the good ones are there once', async () => {
		const items = [{ Area: '', Note: 'x' }, ...ROWS.slice(1)];
		const tries = await withRetries(await createRun({ items, onError: 'continueErrorOutput' }));
		expect(tries).toHaveLength(TRIES);
		expect(areas()).toEqual(ROWS.slice(1).map(({ Area }) => Area));
		expect(tries[2]).toEqual(tries[0]);
		expect(sandbox.requests.count('createInspection')).toBe(5);
	});

	test('a row in doubt stays in doubt', async () => {
		fail('A0', { kind: 'reset', when: 'after' }, 1);
		const tries = await withRetries(await createRun({ onError: 'continueErrorOutput' }));
		expect(tries).toHaveLength(TRIES);
		expect(sandbox.requests.count('createInspection')).toBe(6);
		const errors = tries.map((items) => (items as IDataObject[])[0]?.error);
		expect(errors[0]).toContain('may have been created, or not');
		expect(errors[2]).toBe(errors[0]);
	});
});

describe('the same items', () => {
	test.each([
		['another node', { nodeId: 'another' }],
		['the next round of a loop', { runIndex: 1 }],
		['another execution', { executionId: '2' }],
	])('in %s are created there too', async (_, other) => {
		const input: INodeExecutionData[] = [{ json: { Area: 'A' } }];
		await (
			await createRun({ input })
		)();
		await (
			await createRun({ input, ...other })
		)();
		expect(areas()).toEqual(['A', 'A']);
	});
});
