import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { executeNode, type NodeOptions } from '#harness/inspectionNodes.mts';
import { getManyParameters, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { pick, randomOf } from '../unit/changingList.mts';

const DAY = Date.parse('2026-03-01T08:00:00Z'); /** The order in which the walks below were made. */
const OLDEST_FIRST = { sortBy: 'created_at', sortOrder: 'asc' };
const ROW_KEYS =
	'id name status template template_id team created_at created_by updated_at updated_by';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'DOOR',
	name: 'Fire door',
	controls: [
		page('Doors', [
			text('Door', 'door'),
			text('Note', 'note-1'),
			repeatable('Defects', 'defects', [
				{ type: 'checkbox', label: 'Risks', choices: ['Smoke', 'Heat, high'], fieldId: 'risks' },
				text('Note', 'note-2'),
			]),
		]),
	],
});
const other = sandbox.store.addTemplate({ identifier: 'LIFT', name: 'Lift', controls: [] });
// One hour apart, every third one of the other template, statuses in turn, updated in reverse order.
const statuses = ['new', 'in_progress', 'completed', 'canceled'] as const;
for (let hour = 0; hour < 260; hour++) {
	sandbox.store.addInspection(
		{
			template: hour % 3 === 0 ? other.id : template.id,
			name: `Walk ${hour}`,
			status: statuses[hour % 4],
			createdAt: new Date(DAY + hour * 3_600_000).toISOString(),
			answers:
				hour === 1
					? [
							{ control: 'door', value: 'North', flagged: true },
							{ control: 'risks', value: ['Smoke', 'Heat, high'] },
							{ control: 'risks', value: ['Smoke'], order: 2 },
						]
					: [],
			files: hour === 1 ? [{ kind: 'image' }, { kind: 'signature' }] : [],
		},
		{ at: new Date(DAY + (1_000 - hour) * 3_600_000).toISOString() },
	);
}

function getMany(
	parameters: NodeOptions['parameters'] = {},
	{ items = [{}], ...options }: Partial<NodeOptions> & { items?: object[] } = {},
) {
	return executeNode({
		credential,
		...options,
		items: items.map((item) => ({ ...item })),
		parameters: getManyParameters(parameters),
	});
}

async function namesOf(...given: Parameters<typeof getMany>): Promise<unknown[]> {
	return (await getMany(...given)).items.map(({ json }) => json.name);
}

/** Query parameters of the list requests that were made. */
function queries(): URLSearchParams[] {
	return sandbox.requests
		.all('listInspections')
		.map(({ url }) => new URL(url, sandbox.apiUrl).searchParams);
}

const CONTROLS = [
	'3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f',
	'4f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f',
] as const;

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `Walk ${from + index}`);
const hourText = (hour: number) => new Date(DAY + hour * 3_600_000).toISOString();

describe('Get Many', () => {
	test('gives 50 simplified inspections in one request, the last updated ones first', async () => {
		const { items } = await getMany();
		expect(items.map(({ json }) => json.name)).toEqual(range(0, 49));
		expect(queries()).toHaveLength(1);
		expect(queries()[0]?.get('page_size')).toBe('50');
		expect(queries()[0]?.has('includes')).toBe(false);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(Object.keys(items[0]?.json ?? {}).length).toBeLessThanOrEqual(10);
		expect(items[0]?.json).toMatchObject({ template: 'Lift', status: 'new' });
	});

	test.each([
		['created_at', 'asc', range(0, 119)],
		['created_at', 'desc', range(140, 259).reverse()],
		['updated_at', 'desc', range(0, 119)],
	])('gives more than a page in order: %s %s', async (sortBy, sortOrder, expected) => {
		expect(await namesOf({ limit: 120, options: { sortBy, sortOrder } })).toEqual(expected);
		expect(queries()).toHaveLength(2);
	});

	test.each([
		[{}, range(0, 259)],
		[{ sortBy: 'created_at' }, range(0, 259).reverse()],
		[OLDEST_FIRST, range(0, 259)],
		[{ sortBy: 'created_at', sortOrder: 'desc' }, range(0, 259).reverse()],
	])('gives all, sorted as asked: %j', async (options, expected) => {
		expect(await namesOf({ returnAll: true, options })).toEqual(expected);
	});

	test('sends every filter as listInspections has it', async () => {
		const teamId = sandbox.store.find(
			(await getMany({ limit: 1 })).items[0]?.json.id as string,
		)?.teamId;
		sandbox.requests.clear();
		await getMany(
			{
				limit: 7,
				output: 'raw',
				filters: {
					teamId,
					status: ['new', 'in_progress'],
					createdAfter: '2026-03-01T09:00:00.1234567Z',
					createdBefore: '2027-01-01T00:00:00+02:00',
					updatedAfter: '2026-03-01T10:00:00',
					updatedBefore: '2027-01-01',
					flaggedItemsOnly: true,
					templateControlIds: ` ${CONTROLS[0]} ,${CONTROLS[1]}`,
				},
				options: { include: ['files'], sortBy: 'created_at', sortOrder: 'desc' },
			},
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

	test.each([
		[{ templateControlIds: CONTROLS[0] }, ['data']],
		[{ flaggedItemsOnly: true }, ['data']],
		[{}, []],
	])('includes data where data_filter needs it to be effective: %j', async (filters, includes) => {
		await getMany({ limit: 7, filters });
		expect(queries()[0]?.getAll('includes')).toEqual(includes);
	});

	test('filters by status, dates and flagged items', async () => {
		const all = { returnAll: true, options: OLDEST_FIRST };
		const statuses = await getMany({ ...all, filters: { status: ['new', 'completed'] } });
		expect(statuses.items).toHaveLength(130);
		const between = { createdAfter: hourText(10), createdBefore: hourText(150) };
		expect(await namesOf({ ...all, filters: between })).toEqual(range(10, 150));
		expect(await namesOf({ ...all, filters: { flaggedItemsOnly: true } })).toEqual(['Walk 1']);
	});

	test('sends data_filter as JSON where the credential says so', async () => {
		sandbox.settings.dataFilter = 'json';
		const names = await namesOf(
			{ filters: { flaggedItemsOnly: true } },
			{ credential: { ...credential, dataFilterFormat: 'json' } },
		);
		expect(names).toEqual(['Walk 1']);
	});

	test('takes dates, statuses and limits from expressions', async () => {
		const names = await namesOf(
			{
				limit: '={{ $json.count }}',
				filters: {
					createdAfter: '={{ DateTime.fromISO("2026-03-01T10:00:00Z") }}',
					createdBefore: '={{ new Date("2026-03-01T16:00:00Z") }}',
					status: '={{ "Completed, canceled" }}',
				},
				options: OLDEST_FIRST,
			},
			{ items: [{ count: '3' }] },
		);
		expect(names).toEqual(['Walk 2', 'Walk 3', 'Walk 6']);
	});

	test.each([
		['id', () => template.id, 'Walk 1', 173],
		['identifier', () => 'door', 'Walk 1', 173],
		['list', () => other.id.toUpperCase(), 'Walk 0', 87],
	])('keeps the inspections of one template, given by %s', async (mode, value, first, count) => {
		const templateId = { __rl: true, mode, value: value() };
		const options = OLDEST_FIRST;
		const limited = await namesOf({ limit: 1, filters: { templateId }, options });
		expect(limited).toEqual([first]);
		// Most of what comes is refused on this side: a page of one would mean a request for each.
		expect(queries().map((query) => query.get('page_size'))).toEqual(['100']);
		sandbox.requests.clear();
		expect(await namesOf({ returnAll: true, filters: { templateId }, options })).toHaveLength(
			count,
		);
		expect(await namesOf({ limit: 80, filters: { templateId: value() }, options })).toHaveLength(
			80,
		);
		expect(sandbox.requests.count('getTemplate')).toBe(mode === 'identifier' ? 2 : 0);
	});

	test('says why a template leaves out everything, where the service does not tell templates', async () => {
		const filters = { templateId: templateById(CONTROLS[0]) };
		expect((await getMany({ filters })).hints).toEqual([]);
		const [inspection] = (await getMany({ limit: 1, output: 'raw' })).items;
		sandbox.faults.add({
			on: { operation: 'listInspections' },
			do: { kind: 'body', body: { data: [{ ...inspection?.json, template: null }], total: 1 } },
		});
		const { items, hints } = await getMany({ filters });
		expect(items).toEqual([]);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/does not say which template.*Take the filter out/),
		]);
	});

	test('says so where answers or files were asked for, and no inspection came with any', async () => {
		const { hints } = await getMany({ limit: 1, output: 'files' });
		expect(hints).toEqual([]);
		const templateId = { __rl: true, mode: 'identifier', value: 'DOOR' };
		const rows = { limit: 3, output: 'row', filters: { templateId }, options: OLDEST_FIRST };
		expect((await getMany(rows)).hints).toEqual([]);
		const { items } = await getMany({ ...rows, output: 'raw' });
		const fault = {
			kind: 'body',
			body: { data: items.map(({ json }) => json), total: 3 },
		} as const;
		sandbox.faults.add({ on: { operation: 'listInspections' }, times: 10, do: fault });
		for (const output of ['row', 'answers', 'files']) {
			const { hints } = await getMany({ ...rows, output });
			const part = output === 'files' ? 'files' : 'answers';
			expect(hints.map(({ message }) => message)).toEqual([
				expect.stringMatching(`^No inspection came with ${part}`),
			]);
		}
	});

	test('says so where the dates are the wrong way round', async () => {
		const dates = { createdAfter: '2026-05-02', createdBefore: '2026-04-02' };
		const { items, hints } = await getMany({ filters: dates });
		expect(items).toEqual([]);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^Created After \(2026-05-02T.*\) is later than Created Before \(2026-04-0.*\): no inspection/,
			),
		]);
		const day = { createdAfter: '2026-05-02', createdBefore: '2026-05-02' };
		expect((await getMany({ filters: day })).hints).toEqual([]);
	});

	test('runs once per item and pairs what it finds', async () => {
		const { items } = await getMany(
			{
				limit: 2,
				filters: { status: '={{ [$json.status] }}' },
				options: OLDEST_FIRST,
			},
			{ items: [{ status: 'completed' }, { status: 'new' }] },
		);
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			['Walk 2', { item: 0 }],
			['Walk 6', { item: 0 }],
			['Walk 0', { item: 1 }],
			['Walk 4', { item: 1 }],
		]);
	});

	test('raw is what the service sent', async () => {
		const response = await fetch(
			`${sandbox.apiUrl}/v1/inspections?page_size=2&sort_by=created_at&includes=data&includes=shared_with_users`,
			{ headers: { 'access-token': sandbox.keys.north } },
		);
		const { data } = (await response.json()) as { data: unknown[] };
		const include = ['data', 'shared_with_users'];
		const { items } = await getMany({
			output: 'raw',
			limit: 2,
			options: { ...OLDEST_FIRST, include },
		});
		expect(items.map(({ json }) => json)).toEqual(data);
	});

	test('rows have a column for every question, from one request per template', async () => {
		const { items } = await getMany({
			output: 'row',
			limit: 3,
			options: OLDEST_FIRST,
		});
		const columns = ['Door', 'Doors/Note', 'Risks', 'Risks:2', 'Doors/Defects/Note'];
		expect(Object.keys(items[0]?.json ?? {})).toEqual(ROW_KEYS.split(' '));
		expect(Object.keys(items[1]?.json ?? {})).toEqual([...ROW_KEYS.split(' '), ...columns]);
		expect(Object.keys(items[2]?.json ?? {})).toEqual([...ROW_KEYS.split(' '), ...columns]);
		expect(items[1]?.json).toMatchObject({
			Door: 'North',
			Risks: 'Smoke, Heat, high',
			'Risks:2': 'Smoke',
		});
		expect(sandbox.requests.count('getTemplate')).toBe(2);
	});

	test('rows of several items share one request per template', async () => {
		const { items } = await getMany(
			{ output: 'row', limit: 3, options: OLDEST_FIRST },
			{ items: [{}, {}, {}] },
		);
		expect(items).toHaveLength(9);
		expect(sandbox.requests.count('getTemplate')).toBe(2);
	});

	test.each([401, 403, 404])(
		'rows go by path where the template is refused with %d',
		async (status) => {
			sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'status', status } });
			const { items } = await getMany({
				output: 'row',
				limit: 2,
				options: OLDEST_FIRST,
			});
			expect(Object.keys(items[1]?.json ?? {})).toEqual([
				...ROW_KEYS.split(' '),
				'Doors/Door',
				'Doors/Defects/Risks',
				'Doors/Defects/Risks:2',
			]);
		},
	);

	test('rows whose template cannot be had for another reason are an error', async () => {
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'status', status: 400 } });
		await expect(getMany({ output: 'row', limit: 2 })).rejects.toMatchObject({ httpCode: '400' });
	});

	test('downloads the files of each inspection', async () => {
		const { items, hints } = await getMany({
			limit: 2,
			options: { ...OLDEST_FIRST, downloadFiles: true },
		});
		expect(items[0]?.binary).toBeUndefined();
		expect(Object.keys(items[1]?.binary ?? {})).toEqual(['file_0', 'file_1']);
		expect(items[1]?.binary?.file_0?.mimeType).toBe('image/png');
		expect(Object.keys(items[1]?.json ?? {})).toHaveLength(10);
		expect(JSON.parse(String(items[1]?.json.downloaded_files))).toMatchObject([
			{ binary_property: 'file_0', kind: 'image' },
			{ binary_property: 'file_1', kind: 'signature' },
		]);
		expect(hints).toEqual([]);
	});

	test('says which file could not be downloaded, and gives the inspection', async () => {
		const gone: Fault = { kind: 'status', status: 404 };
		sandbox.faults.add({ on: { operation: 'getFileUrl', nth: 1 }, do: gone });
		const { items, hints } = await getMany({
			limit: 2,
			options: { ...OLDEST_FIRST, downloadFiles: true },
		});
		expect(Object.keys(items[1]?.binary ?? {})).toHaveLength(1);
		expect(hints[0]?.message).toMatch(/^File .* of inspection .* was not downloaded: /);
	});

	test('reads every envelope', async () => {
		for (const envelope of ['array', 'items', 'inspections', 'results', 'data.items'] as const) {
			sandbox.settings.envelope = envelope;
			sandbox.settings.totals = 'lying';
			expect((await getMany({ returnAll: true })).items, envelope).toHaveLength(260);
		}
	});

	test.each(['us', '100ns'] as const)('keeps all digits of timestamps (%s)', async (precision) => {
		sandbox.settings.timestampPrecision = precision;
		for (const filterPrecision of ['full', 'ms', 's'] as const) {
			sandbox.settings.filterPrecision = filterPrecision;
			const { items } = await getMany({ returnAll: true });
			expect(items).toHaveLength(260);
			expect(String(items[0]?.json.created_at)).toMatch(
				precision === 'us' ? /\.\d{6}Z$/ : /\.\d{7}Z$/,
			);
		}
	});

	test.each([
		[{ limit: 0 }, /^Limit: 0 is not a whole number/],
		[{ limit: 2.5 }, /^Limit: 2.5 is not/],
		[{ filters: { createdAfter: 'soon' } }, /^Created After: "soon" is not a date/],
		[{ filters: { status: ['done'] } }, /^Statuses: "done" is none of new, in_progress/],
		[{ options: { sortBy: 'name' } }, /^Sort By: "name" is none of/],
		[{ filters: { templateId: templateById('x') } }, /^Template: "x" is not/],
		[
			{ filters: { templateControlIds: `${CONTROLS[0]}, Site name` } },
			/^Questions \(Control IDs\): "Site name" is not a control ID/,
		],
	])('refuses %j before anything is sent', async (parameters, message) => {
		await expect(getMany(parameters)).rejects.toThrow(message);
		expect(sandbox.requests.count()).toBe(0);
	});

	test.each([1, 2, 3, 4, 5])(
		'has every inspection once while others update and create between any two requests (%i)',
		async (seed) => {
			const busy = await startSandbox({ data: 'empty' });
			const random = randomOf(seed);
			const door = busy.store.addTemplate({ identifier: 'D', name: 'Door', controls: [] });
			// Some at one and the same time, more than a page of them.
			const made = Array.from({ length: 450 }, (_, index) => {
				const createdAt = new Date(DAY + Math.max(0, index - 180) * 60_000).toISOString();
				return busy.store.addInspection({ template: door.id, createdAt }).id;
			});
			const change = () => {
				for (let count = 0; count < 5; count++) {
					busy.store.updateInspection(pick(random, made), { status: 'in_progress' });
				}
				busy.store.addInspection({ template: door.id });
			};
			busy.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'run', run: change } });
			const { items } = await getMany(
				{ returnAll: true, filters: { status: ['new', 'in_progress'] } },
				{ credential: { baseUrl: busy.apiUrl, apiKey: busy.keys.north } },
			);
			await busy.close();
			const ids = items.map(({ json }) => String(json.id));
			expect(new Set(ids).size).toBe(ids.length);
			expect(made.filter((id) => !ids.includes(id))).toEqual([]);
		},
	);

	test('fails as a whole when one page fails for good, and leaves nothing running', async () => {
		for (let count = 0; count < 1_000; count++) {
			sandbox.store.addInspection({ template: other.id });
		}
		const pages = { operation: 'listInspections' } as const;
		sandbox.faults.add({ on: { ...pages, nth: 3 }, do: { kind: 'status', status: 403 } });
		sandbox.faults.add({ on: pages, do: { kind: 'latency', ms: 20 } });
		await expect(getMany({ returnAll: true })).rejects.toMatchObject({ httpCode: '403' });
		const asked = sandbox.requests.all('listInspections');
		expect(sandbox.requests.peakInFlight()).toBeGreaterThan(1);
		expect(asked.filter(({ endedAt }) => endedAt === null)).toEqual([]);
	});
});
