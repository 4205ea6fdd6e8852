/** Tests Inspection → Get Many: number and order of results, filters, and hints about missing results. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { actionNode, listQueries } from '#harness/actionNode.mts';
import { page, text } from '#harness/controls.mts';
import { linesOf } from '#harness/createForTests.mts';
import { failureOf } from '#harness/failure.mts';
import type { NodeRunOptions } from '#harness/inspectionNodes.mts';
import { getManyParameters, templateBy, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const HOUR = 3_600_000;
const DAY = Date.parse('2026-03-01T08:00:00Z');
const ID = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f';
const IDS = [ID, ID.replace('3', '4')];

const { sandbox, credential } = await sandboxForTests();
const door = sandbox.store.addTemplate({
	identifier: 'DOOR',
	name: 'Fire door',
	controls: [page('Doors', [text('Door', 'door')])],
});
const question = door.controls.find(({ fieldId }) => fieldId === 'door');
const lift = sandbox.store.addTemplate({ identifier: 'LIFT', name: 'Lift', controls: [] });
// 120 inspections, one hour apart. They were updated in reverse order. Every third one uses the template LIFT, and the
// statuses alternate.
const statuses = ['new', 'in_progress', 'completed', 'canceled'] as const;
for (let hour = 0; hour < 120; hour++) {
	sandbox.store.addInspection(
		{
			template: hour % 3 === 0 ? lift.id : door.id,
			name: `Walk ${hour}`,
			status: statuses[hour % 4],
			createdAt: new Date(DAY + hour * HOUR).toISOString(),
			answers: hour === 1 ? [{ control: 'door', value: 'North', flagged: true }] : [],
		},
		{ at: new Date(DAY + (1_000 - hour) * HOUR).toISOString() },
	);
}

const OLDEST_FIRST = { sortBy: 'created_at', sortOrder: 'asc' };
async function getMany(
	filters: IDataObject,
	{ options, ...parameters }: IDataObject = {},
	run: Partial<NodeRunOptions> = {},
) {
	const sorted = { ...OLDEST_FIRST, ...Object(options) };
	const given = getManyParameters({ ...parameters, filters, options: sorted });
	return await actionNode(credential)(given, run);
}

const queries = () => listQueries(sandbox);
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `Walk ${from + index}`);

test('returns 50 simplified inspections from one request, last updated first', async () => {
	const { names, jsons } = await actionNode(credential)(getManyParameters());
	expect(names).toEqual(range(0, 49));
	expect(queries().map((query) => query.get('page_size'))).toEqual(['50']);
	expect(queries()[0]?.has('includes')).toBe(false);
	expect(jsons[0]).toMatchObject({ template: 'Lift', status: 'new' });
});

test.each([
	// In descending order, an inspection that is updated meanwhile moves to the beginning of the list. So what was updated
	// meanwhile is read, and one request checks the end of that list.
	[{}, range(0, 119), 4],
	[{ sortBy: 'created_at' }, range(0, 119).reverse(), 2],
	[OLDEST_FIRST, range(0, 119), 2],
	[{ sortBy: 'updated_at', sortOrder: 'asc' }, range(0, 119).reverse(), 2],
])(
	'returns all inspections, or more than a page of them, in the requested order: %j',
	async (options, expected, pages) => {
		const run = async (parameters: object) =>
			await actionNode(credential)(getManyParameters({ ...parameters, options }));
		expect((await run({ returnAll: '={{ "yes" }}' })).names).toEqual(expected);
		sandbox.requests.clear();
		const some = await run({ returnAll: '={{ 0 }}', limit: 110 });
		expect(some.names).toEqual(expected.slice(0, 110));
		expect(queries()).toHaveLength(pages);
	},
);

test("raw is the service's response", async () => {
	const query = 'page_size=2&sort_by=created_at&includes=data&includes=shared_with_users';
	const headers = { 'access-token': sandbox.keys.north };
	const response = await fetch(`${sandbox.apiUrl}/v1/inspections?${query}`, { headers });
	const { data } = (await response.json()) as { data: unknown[] };
	const options = { include: ['data', 'shared_with_users'] };
	expect((await getMany({}, { output: 'raw', limit: 2, options })).jsons).toEqual(data);
});

/**
 * A choice from a list whose value is an expression that returns no GUID. Such a value can only be checked when the
 * node runs.
 */
const FROM_ITEM = { __rl: true, mode: 'list', value: '={{ JSON.stringify($input.first().json) }}' };

test.each<[IDataObject, RegExp]>([
	[{ returnAll: '={{ "perhaps" }}' }, /^Return All: "perhaps" is neither true nor false\./],
	[{ limit: 0 }, /^Limit: 0 is not a whole number/],
	[{ options: { sortBy: 'name' } }, /^Sort By: "name" is not one of/],
	[{ filters: { createdAfter: 'soon' } }, /^Created After: "soon" is not a date/],
	[
		{ filters: { status: ['done'] } },
		/^Status: "done" is not one of these: Canceled, completed, in_progress, new/,
	],
	[{ filters: { templateId: templateById('x') } }, /^Template: "x" isn't/],
	[
		{ filters: { teamId: FROM_ITEM } },
		/^Team: "\{"secret":"s3"\}" is not an ID such as [\da-f-]{36}\. Choose a team/,
	],
	[
		{ filters: { templateControlIds: `${ID}, Site name` } },
		/^Questions \(Control IDs\): "Site name" isn't a control ID/,
	],
])('rejects %j without a request', async ({ filters, ...others }, message) => {
	const run = getMany(Object(filters), others, { items: [{ secret: 's3' }] });
	await expect(run).rejects.toThrow(message);
	expect(sandbox.requests.count()).toBe(0);
});

describe('a filter', () => {
	test('is sent as in listInspections, whatever its kind', async () => {
		const teamId = sandbox.store.inspections()[0]?.teamId ?? '';
		await getMany(
			{
				teamId,
				status: ['new', 'in_progress'],
				createdAfter: '2026-03-01T09:00:00.1234567Z',
				createdBefore: '2027-01-01T00:00:00+02:00',
				updatedAfter: '2026-03-01T10:00:00',
				updatedBefore: '2027-01-01',
				flaggedItemsOnly: true,
				templateControlIds: ` ${IDS.join(' ,')}`,
			},
			{ limit: 7, output: 'raw', options: { include: ['files'], sortOrder: 'desc' } },
			{ timezone: 'America/New_York' },
		);
		expect(decodeURIComponent(String(queries()[0])).split('&')).toEqual([
			'page=1',
			'page_size=7',
			'sort_by=created_at',
			'sort_order=desc',
			'includes=data',
			'includes=files',
			`team_id=${teamId}`,
			'status=new',
			'status=in_progress',
			'updated_after=2026-03-01T15:00:00.000Z',
			'updated_before=2027-01-02T04:59:59.999Z',
			'created_after=2026-03-01T09:00:00.1234567Z',
			'created_before=2026-12-31T22:00:00Z',
			'data_filter[flagged_items_only]=true',
			...IDS.map((id) => `data_filter[template_control_ids]=${id}`),
		]);
	});

	test.each([
		[
			{
				createdAfter: '={{ DateTime.fromISO("2026-03-01T10:00:00Z") }}',
				createdBefore: '={{ new Date("2026-03-01T16:00:00Z") }}',
				status: '={{ "Completed, canceled" }}',
			},
			[2, 3, 6, 7],
		],
		// The service ignores these two filters unless answers are requested, so Get Many requests answers.
		[{ flaggedItemsOnly: true }, [1]],
		[{ templateControlIds: question?.id }, [1]],
	])('keeps only matching inspections: %j', async (filters, hours) => {
		const { names } = await getMany(filters, { returnAll: true });
		expect(names).toEqual(hours.map((hour) => `Walk ${String(hour)}`));
	});

	test('is sent as JSON if the credential selects that for filters by answers', async () => {
		sandbox.settings.dataFilter = 'json';
		const json = { ...credential, advanced: true, dataFilterFormat: 'json' };
		const { names } = await getMany({ flaggedItemsOnly: true }, {}, { credential: json });
		expect(names).toEqual(['Walk 1']);
	});

	test('is reported if the service ignores it, but not if it has an effect', async () => {
		const told = [
			expect.stringMatching(
				/^The filters 'Flagged Items Only' and 'Questions \(Control IDs\)' didn't remove any/,
			),
		];
		const hintsOf = async (...given: Parameters<typeof getMany>) => (await getMany(...given)).hints;
		const filtered = [{ flaggedItemsOnly: true }, { templateControlIds: question?.id }];
		for (const filters of filtered) expect(await hintsOf(filters)).toEqual([]);
		sandbox.settings.dataFilter = 'json';
		for (const filters of filtered) {
			for (const all of [{ limit: 120 }, { limit: 3 }, { returnAll: true }]) {
				expect(await hintsOf({ ...filters, templateId: templateBy('DOOR') }, all)).toEqual(told);
			}
		}
		expect(await hintsOf({})).toEqual([]);
	});

	test.each([
		['id', () => door.id, 'Walk 1', 80],
		['identifier', () => 'door', 'Walk 1', 80],
		['list', () => lift.id.toUpperCase(), 'Walk 0', 40],
	])(
		'finds the inspections of a template that is given by %s',
		async (mode, value, first, count) => {
			const filters = { templateId: { __rl: true, mode, value: value() } };
			expect((await getMany(filters, { limit: 1 })).names).toEqual([first]);
			// The service has no filter by template, so the node itself filters the results. With a page size of 1, it would
			// need a request for each result.
			expect(queries().map((query) => query.get('page_size'))).toEqual(['100']);
			expect((await getMany(filters, { returnAll: true })).names).toHaveLength(count);
			expect((await getMany({ templateId: value() }, { limit: 30 })).names).toHaveLength(30);
			expect(sandbox.requests.count('getTemplate')).toBe(mode === 'identifier' ? 3 : 0);
		},
	);
});

describe('a filter from an expression', () => {
	const items = [{}, {}];

	test('fails with its name if the expression is undefined', async () => {
		const run = getMany({ teamId: '={{ $json.team_id }}' }, {}, { items });
		const { message, description } = await failureOf(run);
		expect(message).toBe('2 of 2 rows need a correction');
		expect(linesOf(description)).toEqual([
			expect.stringMatching(/^Rows 1 and 2: Team: the expression returned no value/),
			'Row 1 is the first row that reached this node, usually line 2 in Excel.',
		]);
		expect(sandbox.requests.count()).toBe(0);
	});

	test.each<[IDataObject, RegExp[]]>([
		[{ teamId: '={{ "" }}' }, [/^The filter 'Team.*' wasn't applied to rows 1 and 2/]],
		[{ status: '={{ [] }}' }, [/^The filter 'Status' wasn't applied to rows 1 and 2/]],
		[{ status: '={{ ["new"] }}' }, []],
		[{ teamId: '' }, []],
	])('is skipped with a hint if it is empty: %j', async (filters, said) => {
		const { names, hints } = await getMany(filters, { limit: 3 }, { items });
		expect(names).toHaveLength(6);
		expect(hints).toEqual([...said, /Execute Once/].map((words) => expect.stringMatching(words)));
	});
});

describe('a hint explains missing results', () => {
	/** Makes the list contain only one inspection, in which the members of `change` are replaced. */
	async function listGives(change: IDataObject) {
		const [inspection] = (await getMany({}, { limit: 1, output: 'raw' })).jsons;
		const body = { data: [{ ...inspection, ...change }], has_more: false };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
	}

	test('if the service omits the templates that a filter needs', async () => {
		const filters = { templateId: templateById(ID) };
		expect(await getMany(filters)).toMatchObject({ names: [], hints: [] });
		await listGives({ template: null });
		const hints = [expect.stringMatching(/doesn.t send the template.*Remove the filter/)];
		expect(await getMany(filters)).toMatchObject({ names: [], hints });
	});

	test.each([
		['row', 'answers'],
		['answers', 'answers'],
		['files', 'files'],
	])('if the output is %s, but no inspection has %s', async (output, part) => {
		const templateId = templateBy('DOOR');
		const advice = {
			row: [expect.stringMatching(/^To write these rows/)],
			files: ['Inspections found: 3. None of them has a file.'],
		}[output];
		const hints = async () => (await getMany({ templateId }, { output, limit: 3 })).hints;
		expect(await hints()).toEqual(advice ?? []);
		await listGives({ template: { id: door.id } });
		expect(await hints()).toEqual([
			expect.stringMatching(`^The service sent all inspections without ${part}`),
		]);
	});

	test('if no inspection has a file of the chosen kinds', async () => {
		const options = { fileKinds: ['audio'] };
		const { hints } = await getMany({}, { output: 'files', options, limit: 1 });
		expect(hints[0]).toBe(
			"Inspections found: 1. None of them has a file of the kinds in the option 'File Kinds'.",
		);
	});

	const answers = { output: 'answers' };
	test.each<[IDataObject, object, boolean]>([
		[{}, {}, false],
		[answers, {}, true],
		[{ output: 'files' }, {}, true],
		[{ output: 'row', options: { rowPerInstanceOf: 'Doors', fields: 'name' } }, {}, true],
		[{ limit: '={{ 60 }}' }, {}, true],
		[{}, { items: [{}, {}] }, true],
		[{ limit: 5 }, { asTool: true }, true],
		[{ ...answers, limit: 5 }, {}, false],
		[{ ...answers, limit: 200 }, {}, false],
		[{ ...answers, returnAll: true }, {}, false],
	])(
		'if the list ends at the Limit without a sign of it in n8n: %j %j',
		async (given, how, told) => {
			const { hints, jsons } = await getMany({}, given, how);
			const said = [...hints, JSON.stringify(jsons.at(-1))].join();
			expect(said.includes("as many as 'Limit' allows")).toBe(told);
		},
	);

	test('if the filter Questions may have removed the other answers of a row', async () => {
		const filters = { templateControlIds: question?.id };
		const told = [
			expect.stringMatching(
				/^With the filter 'Questions \(Control IDs\)', the service might leave out all/,
			),
		];
		expect((await getMany(filters, { output: 'row' })).hints).toEqual(told);
		expect((await getMany(filters, { output: 'answers' })).hints).toEqual([]);
	});

	test('if the dates are in the wrong order', async () => {
		const dates = { createdAfter: '2026-05-02', createdBefore: '2026-04-02' };
		const told =
			/^'Created After' \(2026-05-02T.*\) is later than 'Created Before' \(2026-04-0.*\): no inspection/;
		const hints = [expect.stringMatching(told)];
		expect(await getMany(dates)).toMatchObject({ names: [], hints });
		expect((await getMany({ ...dates, createdBefore: '2026-05-02' })).hints).toEqual([]);
	});
});
