/** The filters of Get Many: what is sent for them, what comes, and what a hint says where they leave out everything. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { actionNode, listQueries } from '#harness/actionNode.mts';
import { page, text } from '#harness/controls.mts';
import type { NodeRunOptions } from '#harness/inspectionNodes.mts';
import { getManyParameters, templateBy, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const HOUR = 3_600_000;
const DAY = Date.parse('2026-03-01T08:00:00Z');
const CONTROLS = ['3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f', '4f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'];

const { sandbox, credential } = await sandboxForTests();
const door = sandbox.store.addTemplate({
	identifier: 'DOOR',
	name: 'Fire door',
	controls: [page('Doors', [text('Door', 'door')])],
});
const lift = sandbox.store.addTemplate({ identifier: 'LIFT', name: 'Lift', controls: [] });
// One hour apart, every third one a lift, statuses in turn.
const statuses = ['new', 'in_progress', 'completed', 'canceled'] as const;
for (let hour = 0; hour < 120; hour++) {
	sandbox.store.addInspection({
		template: hour % 3 === 0 ? lift.id : door.id,
		name: `Walk ${hour}`,
		status: statuses[hour % 4],
		createdAt: new Date(DAY + hour * HOUR).toISOString(),
		answers: hour === 1 ? [{ control: 'door', value: 'North', flagged: true }] : [],
	});
}

async function getMany(
	filters: IDataObject,
	{ options, ...parameters }: IDataObject = {},
	run: Partial<NodeRunOptions> = {},
) {
	const oldestFirst = { sortBy: 'created_at', sortOrder: 'asc', ...Object(options) };
	const given = getManyParameters({ ...parameters, filters, options: oldestFirst });
	return await actionNode(credential)(given, run);
}

const queries = () => listQueries(sandbox);

describe('a filter', () => {
	test('of any kind is sent as listInspections has it', async () => {
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
				templateControlIds: ` ${CONTROLS.join(' ,')}`,
			},
			{ limit: 7, output: 'raw', options: { include: ['files'], sortOrder: 'desc' } },
			{ timezone: 'America/New_York' },
		);
		expect([...(queries()[0] ?? [])]).toEqual([
			['page', '1'],
			['page_size', '7'],
			['sort_by', 'created_at'],
			['sort_order', 'desc'],
			['includes', 'data'],
			['includes', 'files'],
			['team_id', teamId],
			['status', 'new'],
			['status', 'in_progress'],
			['updated_after', '2026-03-01T15:00:00.000Z'],
			['updated_before', '2027-01-02T04:59:59.999Z'],
			['created_after', '2026-03-01T09:00:00.1234567Z'],
			['created_before', '2026-12-31T22:00:00Z'],
			['data_filter[flagged_items_only]', 'true'],
			['data_filter[template_control_ids]', CONTROLS[0]],
			['data_filter[template_control_ids]', CONTROLS[1]],
		]);
	});

	test('by answers asks for answers, because it has no effect without', async () => {
		await getMany({ templateControlIds: CONTROLS[0] }, { limit: 7 });
		await getMany({}, { limit: 7 });
		expect(queries().map((query) => query.getAll('includes'))).toEqual([['data'], []]);
	});

	test.each([
		[{ createdAfter: '2026-03-01T18:00:00Z', createdBefore: '2026-03-01T20:00:00Z' }, [10, 11, 12]],
		[
			{
				createdAfter: '={{ DateTime.fromISO("2026-03-01T10:00:00Z") }}',
				createdBefore: '={{ new Date("2026-03-01T16:00:00Z") }}',
				status: '={{ "Completed, canceled" }}',
			},
			[2, 3, 6, 7],
		],
		[{ flaggedItemsOnly: true }, [1]],
	])('keeps what it says: %j', async (filters, hours) => {
		const { names } = await getMany(filters, { returnAll: true });
		expect(names).toEqual(hours.map((hour) => `Walk ${String(hour)}`));
	});

	test('by answers is sent as JSON where the credential says so', async () => {
		sandbox.settings.dataFilter = 'json';
		const json = { ...credential, advanced: true, dataFilterFormat: 'json' };
		const { names } = await getMany({ flaggedItemsOnly: true }, {}, { credential: json });
		expect(names).toEqual(['Walk 1']);
	});

	test.each([
		['id', () => door.id, 'Walk 1', 80],
		['identifier', () => 'door', 'Walk 1', 80],
		['list', () => lift.id.toUpperCase(), 'Walk 0', 40],
	])('by template, given by %s', async (mode, value, first, count) => {
		const filters = { templateId: { __rl: true, mode, value: value() } };
		expect((await getMany(filters, { limit: 1 })).names).toEqual([first]);
		// Most of what comes is refused on this side: a page of one would mean a request for each.
		expect(queries().map((query) => query.get('page_size'))).toEqual(['100']);
		expect((await getMany(filters, { returnAll: true })).names).toHaveLength(count);
		expect((await getMany({ templateId: value() }, { limit: 30 })).names).toHaveLength(30);
		expect(sandbox.requests.count('getTemplate')).toBe(mode === 'identifier' ? 3 : 0);
	});

	test.each([
		[{ createdAfter: 'soon' }, /^Created After: "soon" is not a date/],
		[{ status: ['done'] }, /^Status: "done" is none of new, in_progress/],
		[{ templateId: templateById('x') }, /^Template: "x" is not/],
		[
			{ templateControlIds: `${String(CONTROLS[0])}, Site name` },
			/^Questions \(Control IDs\): "Site name" is not a control ID/,
		],
	])('that is none is refused before anything is sent: %j', async (filters, message) => {
		await expect(getMany(filters)).rejects.toThrow(message);
		expect(sandbox.requests.count()).toBe(0);
	});
});

describe('a filter by expression', () => {
	const items = [{}, {}];

	test('that gives undefined is an error that names the filter and the expression', async () => {
		await expect(getMany({ teamId: '={{ $json.team_id }}' }, {}, { items })).rejects.toThrow(
			/Rows 1 and 2: Team: .*"\{\{ \$json\.team_id \}\}" gives nothing.* row 1 is the first below it; rows that do not reach this node are not counted\)/,
		);
		expect(sandbox.requests.count()).toBe(0);
	});

	test.each<[IDataObject, RegExp[]]>([
		[{ teamId: '={{ "" }}' }, [/^The filter "Team.*" was not applied to rows 1 and 2/]],
		[{ status: '={{ [] }}' }, [/^The filter "Status" was not applied to rows 1 and 2/]],
		[{ status: '={{ ["new"] }}' }, []],
		[{ teamId: '' }, []],
	])('that gives nothing is not applied, which a hint says: %j', async (filters, said) => {
		const { names, hints } = await getMany(filters, { limit: 3 }, { items });
		expect(names).toHaveLength(6);
		expect(hints).toEqual([...said, /Execute Once/].map((words) => expect.stringMatching(words)));
	});
});

describe('a hint says why nothing comes', () => {
	/** The list gives this one inspection, changed. */
	async function listGives(change: IDataObject) {
		const [inspection] = (await getMany({}, { limit: 1, output: 'raw' })).jsons;
		const body = { data: [{ ...inspection, ...change }], total: 1 };
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
	}

	test('where the filter is by template and the service does not tell templates', async () => {
		const filters = { templateId: templateById(String(CONTROLS[0])) };
		expect(await getMany(filters)).toMatchObject({ names: [], hints: [] });
		await listGives({ template: null });
		expect(await getMany(filters)).toMatchObject({
			names: [],
			hints: [expect.stringMatching(/does not say which template.*Take the filter out/)],
		});
	});

	test.each([
		['row', 'answers'],
		['answers', 'answers'],
		['files', 'files'],
	])('where the output is %s and no inspection came with %s', async (output, part) => {
		const templateId = templateBy('DOOR');
		const advice = output === 'row' ? [expect.stringMatching(/^Rows for a sheet/)] : [];
		expect((await getMany({ templateId }, { output, limit: 3 })).hints).toEqual(advice);
		await listGives({ template: { id: door.id } });
		expect((await getMany({ templateId }, { output, limit: 3 })).hints).toEqual([
			expect.stringMatching(`^No inspection came with ${part}`),
			...advice,
		]);
	});

	test('where the dates are the wrong way round', async () => {
		const dates = { createdAfter: '2026-05-02', createdBefore: '2026-04-02' };
		expect(await getMany(dates)).toMatchObject({
			names: [],
			hints: [
				expect.stringMatching(
					/^Created After \(2026-05-02T.*\) is later than Created Before \(2026-04-0.*\): no inspection/,
				),
			],
		});
		expect((await getMany({ ...dates, createdBefore: '2026-05-02' })).hints).toEqual([]);
	});
});
