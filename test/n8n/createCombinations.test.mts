// @module-tag slow
/**
 * Runs Create with random combinations of all options that affect the same rows, and checks the resulting inspections.
 */
import fc from 'fast-check';
import type { IDataObject, NodeOperationError, OnError } from 'n8n-workflow';
import { expect, test } from 'vitest';

import type { Outcome } from '#harness/actionNode.mts';
import { number, page, radio, repeatable, text } from '#harness/controls.mts';
import { createForTests, type CreateRun, LOST, REFUSED } from '#harness/createForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';

const CONTROLS = [
	page('Site', [
		text('Area', 'area'),
		number('Visitors', 'visitors'),
		radio('Fenced', 'fenced', 'Nein', 'Ja'),
		{ type: 'date', label: 'When', show_time: true, fieldId: 'when' },
		repeatable('Finding', 'finding', [text('Room', 'room'), radio('Open', 'open', 'Yes', 'No')]),
	]),
];
const { sandbox, reset, create, attempts, creates, failCreate } = await createForTests(CONTROLS);
const TENANTS = ['north', 'south'] as const;
const FORMS = ['WALK', 'TOUR'] as const;

for (const tenant of TENANTS) {
	for (const identifier of FORMS) {
		if (tenant === 'north' && identifier === 'WALK') continue;
		const teamId = sandbox.tenants[tenant].teams[0]?.id ?? '';
		sandbox.store.addTemplate({ identifier, name: identifier, teamId, controls: CONTROLS });
	}
}

interface Row {
	/**
	 * `wrong` has an invalid number, and `half` has only answers to the repeatable section. `unknown` has only columns
	 * without a question. `blank` has only empty cells and the group's value, and `empty` has no cells.
	 */
	kind: 'good' | 'wrong' | 'half' | 'unknown' | 'blank' | 'empty';
	/** The value of the column for Group Rows By. */
	No: string;
	/** The value of the column for the unique key. */
	Order: string;
	tenant: (typeof TENANTS)[number];
	form: (typeof FORMS)[number];
	/** A word for yes or no in the sheet, which the options Words for Yes and Words for No define. */
	fenced: string | boolean;
	open: string | number | boolean;
}

/** The rows, the node's settings, and a fault of the service. */
interface Case {
	rows: Row[];
	isGrouped: boolean;
	isKeyed: boolean;
	mapping: 'automatic' | 'columns' | 'list';
	onError: OnError | undefined;
	fault: { row: number; do: Fault } | undefined;
	maxTries: number;
}

const YES: Row['open'][] = ['x', 'X ', 'Wahr', 'TRUE', true, 1];
const NO: Row['open'][] = ['-', ' Falsch', false];

const aRow: fc.Arbitrary<Row> = fc.record({
	kind: fc.constantFrom(
		...(['good', 'good', 'good', 'good', 'good', 'good'] as const),
		...(['half', 'half', 'wrong', 'unknown', 'blank', 'empty'] as const),
	),
	No: fc.constantFrom('g 1', ' g  1', 'g\u00a01 ', 'g2', 'g2', 'g3', ''),
	Order: fc.constantFrom('k 1', ' k  1', 'k\u00a01', 'k2', 'k3', 'k4', ''),
	tenant: fc.constantFrom(...TENANTS),
	form: fc.constantFrom(...FORMS),
	// These values all mean yes, so that the rows of a group don't contradict each other.
	fenced: fc.constantFrom('x', 'Ja', true),
	open: fc.constantFrom(...YES, ...NO),
});

/** In half of the cases, the rows of a group agree on template, service, and key. Most other cases are rejected. */
const someRows = fc
	.record({
		rows: fc.array(aRow, { minLength: 1, maxLength: 5 }),
		hasAgreed: fc.boolean(),
		hasTenants: fc.boolean(),
		hasForms: fc.boolean(),
	})
	.map(({ rows, hasAgreed, hasTenants, hasForms }) =>
		rows.map((given, row): Row => {
			const groupIndex = row % 3;
			const agreed = {
				No: `g${String(groupIndex)}`,
				Order: ['k0', 'k 1', 'k2'][groupIndex] ?? '',
				tenant: TENANTS[groupIndex % 2] ?? 'north',
				form: FORMS[groupIndex % 2] ?? 'WALK',
			};
			return {
				...given,
				...(hasAgreed && agreed),
				...(!hasTenants && { tenant: 'north' }),
				...(!hasForms && { form: 'WALK' }),
			};
		}),
	);

const cases: fc.Arbitrary<Case> = fc.record({
	rows: someRows,
	isGrouped: fc.boolean(),
	isKeyed: fc.boolean(),
	mapping: fc.constantFrom('automatic', 'columns', 'list'),
	onError: fc.constantFrom(undefined, 'continueRegularOutput', 'continueErrorOutput'),
	fault: fc.option(
		fc.record({
			row: fc.nat(4),
			do: fc.constantFrom<Fault[]>(REFUSED, { kind: 'status', status: 500, when: 'after' }, LOST),
		}),
		{ nil: undefined, freq: 2 },
	),
	maxTries: fc.constantFrom(1, 3),
});

const plain = (given: string) => given.replace(/\s+/g, ' ').trim();
const roomOf = (row: number) => `R${String(row)}`;

/** The expected result of the rows that belong to one inspection. Rows are given by index. */
interface Expected {
	first: number;
	rows: number[];
	/** Words of the expected error, or undefined if the rows create an inspection. */
	refusal: string | undefined;
	/**
	 * The credential's tenant, the template, and the unique key, as one text. Undefined if the rows have no usable key.
	 * Two inspections with the same text would be duplicates.
	 */
	identity: string | undefined;
}

const isLeftOut = ({ kind }: Row) => kind === 'empty' || kind === 'blank';

/** Returns the results that docs/create.md and docs/no-duplicates.md promise for the rows. */
function expectedOf({ rows, isGrouped, isKeyed, mapping }: Case): Expected[] {
	const used = rows.map((row, index) => ({ ...row, index })).filter((row) => !isLeftOut(row));
	const groups = isGrouped
		? [...Map.groupBy(used, ({ No, index }) => plain(No) || `no value ${index}`).values()]
		: used.map((row) => [row]);
	// The template and the credential are expressions of columns that every row has. So a row without a question's column
	// is only rejected if no other row has one either.
	const hasColumn = rows.some(({ kind }) => kind !== 'unknown' && kind !== 'empty');
	const found = groups.map((group): Expected => {
		const indexes = group.map(({ index }) => index);
		const keys = new Set(group.map(({ Order }) => plain(Order)).filter((key) => key !== ''));
		const tenants = new Set(group.map(({ tenant }) => tenant));
		const forms = new Set(group.map(({ form }) => form));
		const isOnlyUnknown = group.every(({ kind }) => kind === 'unknown');
		const isUnknown = mapping === 'automatic' && !hasColumn && isOnlyUnknown;
		const whys: [boolean, string][] = [
			[isGrouped && group.some(({ No }) => plain(No) === ''), 'Group Rows By'],
			[tenants.size > 1, 'The rows of one inspection need the same credential'],
			[forms.size > 1, 'Template'],
			[isUnknown, 'match no question'],
			[isKeyed && keys.size !== 1, 'Unique Key'],
			[group.some(({ kind }) => kind === 'wrong'), 'many'],
		];
		const refusal = whys.find(([isWrong]) => isWrong)?.[1];
		const isTold = isKeyed && keys.size === 1 && refusal !== 'Group Rows By';
		const identity = isTold ? [group[0]?.tenant, group[0]?.form, ...keys].join(' ') : undefined;
		return { first: indexes[0] ?? 0, rows: indexes, refusal, identity };
	});
	const byKey = Map.groupBy(found, (one) => one.identity ?? one.first);
	// Rows with equal keys have an error, even if their answers also have problems. Rows that were already rejected for a
	// different reason keep that error.
	return found.map((one, index) => {
		const hasTwin = (byKey.get(one.identity ?? one.first) ?? []).length > 1;
		const isRead = one.refusal === undefined || one.refusal === 'many';
		// A row without a key seems to belong to the inspection of the row above.
		const below = found[index + 1];
		const isVisit = isKeyed && !isGrouped && below !== undefined && rows[below.first]?.Order === '';
		return (hasTwin || isVisit) && isRead ? { ...one, refusal: 'Unique Key' } : one;
	});
}

function runOf({ isGrouped, isKeyed, mapping, onError }: Case, checkOnly = false): CreateRun {
	const byHand = {
		area: '={{ $json.Area }}',
		visitors: '={{ $json.Visitors }}',
		fenced: '={{ $json.Fenced }}',
		when: '={{ $now }}',
		...(mapping === 'list'
			? { 'section:finding': '={{ [{ Room: $json.Room, Open: $json.Open }] }}' }
			: { room: '={{ $json.Room }}', open: '={{ $json.Open }}' }),
	};
	return {
		credential: { baseUrl: sandbox.apiUrl, apiKey: '={{ $json.apiKey }}' },
		template: '={{ $json.form }}',
		columns: mapping === 'automatic' ? undefined : byHand,
		name: '={{ "Walk at " + $now.toISO() }}',
		uniqueKey: isKeyed ? '={{ $json.Order }}' : '',
		options: {
			checkOnly,
			yesIs: 'x, WAHR, true,1',
			noIs: '-, falsch, false',
			...(isGrouped && { groupRowsBy: 'No' }),
		},
		onError,
		// Only the output `raw` of Check Only contains the request.
		...(checkOnly && { others: { output: 'raw' } }),
	};
}

const inputOf = ({ rows, isGrouped }: Case): IDataObject[] =>
	rows.map(({ kind, No, Order, tenant, form, fenced: Fenced, open: Open }, row) => {
		if (kind === 'empty') return {};
		const group = isGrouped ? { No } : {};
		if (kind === 'blank') return { ...group, Area: '', Fenced: null, Room: '  ', row_number: row };
		const given = { No, Order, form, apiKey: sandbox.keys[tenant] };
		if (kind === 'unknown') return { ...given, Zone: 'x' };
		const finding = { ...given, Room: roomOf(row), Open };
		if (kind === 'half') return { ...finding, Area: '', Fenced: null };
		return { ...finding, Area: 'A', Fenced, ...(kind === 'wrong' && { Visitors: 'many' }) };
	});

/** Runs Create with Retry On Fail. Returns the result of the last attempt. */
async function runAttempts(given: Case): Promise<Outcome | Error> {
	const outcomes = await Array.fromAsync(attempts(inputOf(given), runOf(given), given.maxTries));
	return outcomes.at(-1) ?? new Error('it was not run');
}

/** Returns the tenant, template, and answers of each inspection in the service, as text. */
const storedTexts = () =>
	TENANTS.flatMap((tenant) =>
		sandbox.store
			.inspections(sandbox.tenants[tenant].organization.id)
			.map(({ templateId, answers }) => {
				const values = answers.map(({ value }) => String(value));
				const shown = values.filter((value) => !/^\d{4}-/.test(value));
				return [tenant, sandbox.store.template(templateId).identifier, ...shown].join(' ');
			}),
	).toSorted();

/** Returns the rows of an inspection that create an instance of the repeatable section. */
const instances = (given: Case, { rows }: Expected) =>
	rows.filter((index) => given.rows[index]?.kind !== 'unknown');

/** Returns the text that `storedTexts` returns for an inspection if it was created correctly. */
const expectedText = (given: Case, unit: Expected) => {
	const indexes = instances(given, unit);
	const { tenant, form } = given.rows[unit.first] ?? {};
	const isWhole = unit.rows.some((index) => given.rows[index]?.kind === 'good');
	const opens = indexes.map((index) =>
		YES.includes(given.rows[index]?.open ?? '') ? 'Yes' : 'No',
	);
	return [tenant, form, ...(isWhole ? ['A', 'Ja'] : []), ...indexes.map(roomOf), ...opens].join(
		' ',
	);
};

const firstRows = (units: readonly Expected[]) => units.map(({ first }) => first);

/**
 * Checks the node's output and the service's inspections after a run.
 *
 * @param lost the inspection that isn't created, because the service rejects the create request
 */
function expectOutcome(given: Case, lost: Expected | undefined, outcome: Outcome | Error) {
	const units = expectedOf(given);
	const refused = units.filter(({ refusal }) => refusal !== undefined);
	if (given.onError === undefined && refused.length > 0) {
		const { message, description } = outcome as NodeOperationError;
		for (const { refusal } of refused) expect(`${message} ${description ?? ''}`).toContain(refusal);
		expect([storedTexts(), creates()]).toEqual([[], 0]);
		return;
	}
	const made = units.filter((unit) => unit.refusal === undefined && unit.first !== lost?.first);
	expect(storedTexts()).toEqual(made.map((unit) => expectedText(given, unit)).toSorted());
	if (outcome instanceof Error) return void expect(given.fault).toBeDefined();
	const { jsons, pairs, hints } = outcome;
	const good = pairs.filter((_, at) => jsons[at]?.error === undefined);
	if (given.fault === undefined) expect(good).toEqual(firstRows(made));
	for (const { rows, refusal } of refused) {
		const errors = rows.map((row) => jsons[pairs.indexOf(row)]?.error);
		expect(errors).toEqual(rows.map(() => expect.stringContaining(String(refusal))));
	}
	const leftOut = hints.filter((hint) => hint.startsWith('Skipped'));
	// A blank row is the heading of its group, if the group has other rows.
	const named = new Set(given.rows.filter((row) => !isLeftOut(row)).map(({ No }) => plain(No)));
	const isHeading = ({ kind, No }: Row) =>
		given.isGrouped && kind === 'blank' && plain(No) !== '' && named.has(plain(No));
	// A row whose group column has the only value can be a note, so a separate hint names it.
	const isNote = ({ kind, No }: Row) => given.isGrouped && kind === 'blank' && plain(No) !== '';
	const skipped = given.rows.filter((row) => isLeftOut(row) && !isHeading(row));
	expect(leftOut).toHaveLength(new Set(skipped.map(isNote)).size);
}

/**
 * Returns the inspection that isn't created because the service rejects the create request, even after retries. Other
 * faults don't count, because they occur after the inspection was created.
 */
function lostUnit(given: Case): Expected | undefined {
	const { fault, maxTries, onError } = given;
	if (fault?.do !== REFUSED) return undefined;
	const units = expectedOf(given);
	const able = units.filter(({ refusal }) => refusal === undefined);
	const hit = able.find((unit) => instances(given, unit).includes(fault.row));
	const isTriedAgain = onError === undefined || units[0] === hit || units[0]?.refusal !== undefined;
	return maxTries > 1 && isTriedAgain ? undefined : hit;
}

const withoutTimes = (body: string) => body.replace(/\d{4}-\d\d-\d\dT[^"]*/g, 'now');

/**
 * Runs Create with Check Only. Checks that it reports what can be created, and that it sends nothing. Returns the
 * predicted bodies of create requests.
 */
async function predictedBodies(given: Case): Promise<string[]> {
	const { jsons, pairs } = await create(inputOf(given), runOf(given, true));
	const units = expectedOf(given);
	expect(pairs).toEqual(firstRows(units));
	const predicted = units.map(({ refusal = '' }) => [
		refusal === '',
		expect.stringContaining(refusal),
	]);
	expect(jsons.map(({ ok, problems }) => [ok, problems])).toEqual(predicted);
	expect(sandbox.requests.all().filter(({ method }) => method !== 'GET')).toEqual([]);
	return jsons.filter(({ ok }) => ok).map(({ request }) => withoutTimes(String(request)));
}

test('creates each inspection once, from the rows that belong together, in its own service, as Check Only predicts', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async (given) => {
			const { fault, isKeyed } = given;
			reset();
			const bodies = await predictedBodies(given);
			if (fault !== undefined) failCreate(fault.do, { body: `"${roomOf(fault.row)}"`, times: 1 });
			expectOutcome(given, lostUnit(given), await runAttempts(given));
			const sent = sandbox.requests.all('createInspection').map(({ body }) => withoutTimes(body));
			if (sent.length > 0) expect(new Set(sent)).toEqual(new Set(bodies));
			expect(sent.length).toBeLessThanOrEqual(storedTexts().length + (fault === undefined ? 0 : 1));

			if (!isKeyed) return;
			const before = storedTexts().length;
			const again = { ...given, fault: undefined };
			expectOutcome(again, undefined, await runAttempts(again));
			expect(creates() - sent.length).toBe(storedTexts().length - before);
		}),
		{ numRuns: Number(process.env['RUNS'] ?? 100) },
	);
});
