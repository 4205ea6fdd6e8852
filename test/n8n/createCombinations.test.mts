/**
 * Create's options that touch the same rows, in every combination: Group Rows By, Unique Key, a credential and a template
 * for each row, the way of mapping, On Error, Retry On Fail and faults. What the service holds in the end is judged.
 */
import fc from 'fast-check';
import type { INodeExecutionData, IPairedItemData, OnError } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { nodeRun } from '#harness/inspectionNodes.mts';
import { createParameters, MAP_AUTOMATICALLY, mapColumns } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import type { LoggedRequest } from '#sandbox/service/requestLog.mts';

const { sandbox } = await sandboxForTests();
const TENANTS = ['north', 'south'] as const;
const FORMS = ['WALK', 'TOUR'] as const;
type Tenant = (typeof TENANTS)[number];

for (const tenant of TENANTS) {
	for (const identifier of FORMS) {
		sandbox.store.addTemplate({
			identifier,
			name: `${identifier} of ${tenant}`,
			teamId: sandbox.tenants[tenant].teams[0]?.id ?? '',
			controls: [
				page('Site', [
					text('Area', 'area'),
					{ type: 'date', label: 'When', show_time: true, fieldId: 'when' },
					repeatable('Finding', 'finding', [text('Room', 'room')]),
				]),
			],
		});
	}
}

interface Row {
	/** Column of Group Rows By. */
	No: string;
	/** Column of the unique key. */
	Order: string;
	tenant: Tenant;
	form: (typeof FORMS)[number];
}

/** What is chosen in the node, and what goes wrong. */
interface Case {
	rows: Row[];
	isGrouped: boolean;
	isKeyed: boolean;
	mapping: 'automatic' | 'columns' | 'list';
	onError: OnError | undefined;
	fault: { row: number; do: Fault } | undefined;
	tries: number;
}

const aRow: fc.Arbitrary<Row> = fc.record({
	No: fc.constantFrom('g 1', ' g  1', 'g\u00a01 ', 'g2', 'g2', 'g3', ''),
	Order: fc.constantFrom('k 1', ' k  1', 'k\u00a01', 'k2', 'k3', 'k4', ''),
	tenant: fc.constantFrom(...TENANTS),
	form: fc.constantFrom(...FORMS),
});

/** Half of the cases have rows that agree with each other, because most of the others are refused. */
const someRows = fc
	.record({
		rows: fc.array(aRow, { minLength: 1, maxLength: 5 }),
		hasAgreed: fc.boolean(),
		hasTenants: fc.boolean(),
		hasForms: fc.boolean(),
	})
	.map(({ rows, hasAgreed, hasTenants, hasForms }) =>
		rows.map(({ No, Order, tenant, form }, row): Row => {
			const place = row % 3;
			return {
				No: hasAgreed ? `g${String(place)}` : No,
				Order: hasAgreed ? (['k0', 'k 1', 'k2'][place] ?? '') : Order,
				tenant: !hasTenants ? 'north' : hasAgreed ? (TENANTS[place % 2] ?? 'north') : tenant,
				form: !hasForms ? 'WALK' : hasAgreed ? (FORMS[place % 2] ?? 'WALK') : form,
			};
		}),
	);

const cases: fc.Arbitrary<Case> = fc.record({
	rows: someRows,
	isGrouped: fc.boolean(),
	isKeyed: fc.boolean(),
	mapping: fc.constantFrom('automatic', 'columns', 'list'),
	onError: fc.constantFrom<(OnError | undefined)[]>(
		undefined,
		'continueRegularOutput',
		'continueErrorOutput',
	),
	fault: fc.option(
		fc.record({
			row: fc.nat(4),
			do: fc.constantFrom<Fault[]>(
				{ kind: 'status', status: 403 },
				{ kind: 'status', status: 500, when: 'after' },
				{ kind: 'reset', when: 'after' },
			),
		}),
		{ nil: undefined },
	),
	tries: fc.constantFrom(1, 3),
});

const plain = (given: string) => given.replace(/\s+/g, ' ').trim();
const roomOf = (row: number) => `R${String(row)}`;

/** The rows of one inspection by their places, and whether they can make one. */
interface Expected {
	rows: number[];
	isRefused: boolean;
	/** What no two inspections may have in common; undefined where the rows have no key of use. */
	identity: string | undefined;
}

function together<Key>(places: readonly number[], keyOf: (place: number) => Key): number[][] {
	return [...Map.groupBy(places, keyOf).values()];
}

/** What docs/create.md and docs/exactly-once.md promise for the rows. */
function expectedOf({ rows, isGrouped, isKeyed }: Case): Expected[] {
	const at = (place: number) => rows[place] ?? { No: '', Order: '', tenant: 'north', form: 'WALK' };
	const places = rows.map((_, place) => place);
	const valueOf = (place: number) => plain(at(place).No) || `no value ${String(place)}`;
	const groups = isGrouped ? together(places, valueOf) : places.map((place) => [place]);
	const found = groups.map((group): Expected => {
		const [first = 0] = group;
		const keys = new Set(group.map((place) => plain(at(place).Order)).filter((key) => key !== ''));
		const [key] = keys;
		const hasKey = !isKeyed || keys.size === 1;
		const isOne = new Set(group.map((place) => `${at(place).tenant} ${at(place).form}`)).size === 1;
		const isGroup = !isGrouped || plain(at(first).No) !== '';
		const { tenant, form } = at(first);
		const isTold = isKeyed && hasKey && isGroup;
		return {
			rows: group,
			isRefused: !hasKey || !isOne || !isGroup,
			identity: isTold ? `${tenant} ${form} ${key ?? ''}` : undefined,
		};
	});
	const byKey = Map.groupBy(found, ({ identity, rows: [first] }) => identity ?? first);
	return [...byKey.values()].flatMap((same) => {
		const [first] = same;
		if (first === undefined || same.length === 1) return same;
		if (isGrouped) return same.map((one) => ({ ...one, isRefused: true }));
		return [{ ...first, rows: same.flatMap((one) => one.rows) }];
	});
}

function parametersOf({ isGrouped, isKeyed, mapping }: Case) {
	const list = { 'section:finding': '={{ [{ Room: $json.Room }] }}' };
	const columns = mapping === 'columns' ? { room: '={{ $json.Room }}' } : list;
	return createParameters(
		{ __rl: true, mode: 'identifier', value: '={{ $json.form }}' },
		{
			responses:
				mapping === 'automatic'
					? MAP_AUTOMATICALLY
					: mapColumns({ area: '={{ $json.Area }}', when: '={{ $now }}', ...columns }),
			additionalFields: { name: '={{ "Walk at " + $now.toISO() }}' },
			options: {
				...(isGrouped && { groupRowsBy: 'No' }),
				...(isKeyed && { uniqueKey: '={{ $json.Order }}' }),
			},
		},
	);
}

function inputOf({ rows }: Case): INodeExecutionData[] {
	return rows.map(({ No, Order, tenant, form }, row) => ({
		json: { No, Order, form, apiKey: sandbox.keys[tenant], Area: 'A', Room: roomOf(row) },
		pairedItem: { item: row },
	}));
}

/** As n8n (2.41): again where the node throws, or where its first output item has an error. */
async function executed(given: Case): Promise<INodeExecutionData[] | Error> {
	const run = await nodeRun({
		credential: { baseUrl: sandbox.apiUrl, apiKey: '={{ $json.apiKey }}' },
		input: inputOf(given),
		onError: given.onError,
		parameters: parametersOf(given),
	});
	let outcome: INodeExecutionData[] | Error = [];
	for (let count = 0; count < given.tries; count++) {
		outcome = await run().then(
			({ items }) => items,
			(error: unknown) => error as Error,
		);
		if (!(outcome instanceof Error) && outcome[0]?.json.error === undefined) break;
	}
	return outcome;
}

/** The inspections that the service holds: tenant, template and rooms of each. */
const held = () =>
	TENANTS.flatMap((tenant) =>
		sandbox.store
			.inspections(sandbox.tenants[tenant].organization.id)
			.map(({ templateId, answers }) => {
				const { identifier } = sandbox.store.template(templateId);
				const texts = answers.map(({ value }) => String(value));
				return [tenant, identifier, ...texts.filter((value) => /^R\d$/.test(value))].join(' ');
			}),
	).toSorted();

/** The same of an inspection that the rows make. Without groups it is made of the first row with its key. */
const named = ({ rows, isGrouped }: Case, { rows: places }: Expected) => {
	const [first = 0] = places;
	const rooms = (isGrouped ? places : [first]).map(roomOf);
	return [rows[first]?.tenant, rows[first]?.form, ...rooms].join(' ');
};

const pairOf = ({ pairedItem }: INodeExecutionData) =>
	([pairedItem].flat()[0] as IPairedItemData).item;

/** What the node gave, and what the service holds after it. `lost` is a unit whose create the service has refused. */
function expectMade(
	given: Case,
	lost: Expected | undefined,
	outcome: INodeExecutionData[] | Error,
) {
	const units = expectedOf(given);
	const refused = units.filter(({ isRefused }) => isRefused);
	if (given.onError === undefined && refused.length > 0) {
		expect((outcome as Error).message).toMatch(/^Nothing was sent|^(?!.*created)/);
		expect([held(), sandbox.requests.count('createInspection')]).toEqual([[], 0]);
		return;
	}
	const made = units.filter((unit) => !unit.isRefused && unit.rows[0] !== lost?.rows[0]);
	expect(held()).toEqual(made.map((unit) => named(given, unit)).toSorted());
	if (outcome instanceof Error) {
		expect(given.fault).toBeDefined();
		return;
	}
	const good = outcome.filter(({ json }) => json.error === undefined);
	const madeFirst = made.map(({ rows: [first = -1] }) => first);
	if (given.fault === undefined) expect(good.map(pairOf)).toEqual(madeFirst);
	const failed = outcome.filter(({ json }) => json.error !== undefined).map(pairOf);
	expect(failed).toEqual(expect.arrayContaining(refused.flatMap(({ rows }) => rows)));
}

/** The unit whose create is refused and not sent again. A create in doubt has taken effect here. */
function lostUnit(given: Case): Expected | undefined {
	const { fault, tries, onError } = given;
	if (fault?.do.kind !== 'status' || fault.do.status !== 403) return undefined;
	const units = expectedOf(given);
	const hit = units.find(({ rows: [first], isRefused }) => first === fault.row && !isRefused);
	const isTriedAgain = onError === undefined || units[0] === hit || units[0]?.isRefused === true;
	return tries > 1 && isTriedAgain ? undefined : hit;
}

/** How many cases there were of each kind. */
const seen = new Map<string, number>();

test('each inspection is made once, of the rows that belong together, in its own service', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async (given) => {
			const { isGrouped, isKeyed, mapping, onError, fault, tries } = given;
			const kind = JSON.stringify({
				isGrouped,
				isKeyed,
				mapping,
				onError,
				fault: fault?.do,
				tries,
			});
			seen.set(kind, (seen.get(kind) ?? 0) + 1);
			for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
			sandbox.faults.clear();
			sandbox.requests.clear();
			if (fault !== undefined) {
				const isRow = ({ body }: LoggedRequest) =>
					new RegExp(`R\\d`).exec(body)?.[0] === roomOf(fault.row);
				const on = { operation: 'createInspection', where: isRow } as const;
				sandbox.faults.add({ on, times: 1, do: fault.do });
			}
			expectMade(given, lostUnit(given), await executed(given));
			const creates = sandbox.requests.count('createInspection');
			expect(creates).toBeLessThanOrEqual(held().length + (fault === undefined ? 0 : 1));

			if (!isKeyed) return;
			const before = held().length;
			expectMade(
				{ ...given, fault: undefined },
				undefined,
				await executed({ ...given, fault: undefined }),
			);
			expect(sandbox.requests.count('createInspection') - creates).toBe(held().length - before);
		}),
		{ numRuns: Number(process.env['RUNS'] ?? 80) },
	);
	if (process.env['RUNS'] !== undefined) console.log(`${String(seen.size)} kinds of cases`);
});
