import type { IDataObject } from 'n8n-workflow';
import { afterAll, expect, test } from 'vitest';

import { executeNode } from '#harness/inspectionNodes.mts';
import { type Change, startMutatingService } from '#harness/mutatingService.mts';
import { createParameters, templateById } from '#harness/nodeParameters.mts';
import { type Given, knownIds, type Scenario, scenariosOf } from '#harness/scenarios.mts';

/** Compared lengths in characters. The second is ten times the first. */
const [SHORT, LONG] = [2_000, 20_000];
/** Ten times if the work is linear, a hundred if it's quadratic. The constant part of a run makes both less. */
const MAX_RATIO = 20;
/** Disturbances only add time, so the minimum counts. Four rounds were once too few on a busy machine. */
const ROUNDS = 12;

/** A few characters. test/unit/growthOfTexts.test.mts tries many more in each place that reads text. */
const CHARACTERS = ['"', '1.', '/', ' ', 'a,', '<'];

/** Variants that only change the request, and process values in the same way. */
const ASKS_OTHERWISE = /filters|sort(By|Order)|status|priority|event|columnNames|oncePerInspection/;

/** Members of a response that identify it: a different text would be a different inspection. */
const NAMES_OF_IDS = /^(id|.*_id|.*_at|type|url|status|children)$/;

const service = await startMutatingService();
afterAll(async () => await service.stop());
const ids = await knownIds(service.sandbox);

const asItIs: Change = (_, json) => JSON.stringify(json);

/** The time of a scenario's run in ms, whatever its outcome. */
const timed =
	(scenario: Scenario, change = asItIs) =>
	async () =>
		await service.during(change, async (credential) => {
			const startedAt = performance.now();
			await scenario.run({ ...scenario.given, credential }).catch(() => undefined);
			return performance.now() - startedAt;
		});
type Timed = ReturnType<typeof timed>;

/** Some work, and ten times as much of it. */
type Work = readonly [name: string, short: Timed, long: Timed];

/** Returns the names of the works that take more than `MAX_RATIO` times as long for ten times as much. */
async function slowOf(works: readonly Work[]): Promise<string[]> {
	const slow: string[] = [];
	for (const [name, short, long] of works) {
		let [least, most] = [Infinity, Infinity];
		for (let round = 0; round < ROUNDS && most >= MAX_RATIO * least; round++) {
			least = Math.min(least, await short());
			most = Math.min(most, await long());
		}
		if (most >= MAX_RATIO * least) slow.push(`${name}: ${(most / least).toFixed(0)} times`);
	}
	return slow;
}

/** A copy with every text lengthened that isn't an ID, time, or type. */
function withTexts(value: unknown, text: string): unknown {
	if (typeof value === 'string') return value + text;
	if (Array.isArray(value)) return value.map((element) => withTexts(element, text));
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries(value).map(([name, member]): [string, unknown] => {
		return [name, NAMES_OF_IDS.test(name) ? member : withTexts(member, text)];
	});
	return Object.fromEntries(members);
}

/** Responses with longer texts. Each is built once, because building it isn't the connector's work. */
function lengthened(text: string): Change {
	const known = new Map<unknown, string>();
	return (_, json) => {
		const sent = known.get(json) ?? JSON.stringify(withTexts(json, text));
		known.set(json, sent);
		return sent;
	};
}

/** Ends with a different character, so that a pattern with a quadratic worst case reads to the end and then fails. */
const runOf = (character: string, length: number) =>
	`${character.repeat(Math.ceil(length / character.length))}x`;

test.each(CHARACTERS)('takes time linear in the %j of responses', async (text) => {
	const scenarios = await scenariosOf(ids);
	const works = scenarios
		.filter(({ name }) => !ASKS_OTHERWISE.test(name))
		.map((scenario): Work => {
			const of = (length: number) => timed(scenario, lengthened(runOf(text, length)));
			return [scenario.name, of(SHORT), of(LONG)];
		});
	expect(await slowOf(works)).toEqual([]);
});

/** Every operation, editor call, and poll unchanged, and with each field that accepts text. The item has it too. */
async function scenariosWith(text: string): Promise<Scenario[]> {
	const item: IDataObject = { ...Object(withTexts(ids.item, text)), [text]: text };
	const scenarios = await scenariosOf({ ...ids, text, item });
	return scenarios.filter(({ name }) => /(, plain| text)$|^editor/.test(name));
}

test.each(CHARACTERS)('takes time linear in the %j of items and fields', async (text) => {
	const short = await scenariosWith(runOf(text, SHORT));
	const long = await scenariosWith(runOf(text, LONG));
	const works = short.map((scenario, index): Work => {
		const longer = long[index];
		if (longer === undefined) throw new Error('there are fewer scenarios for longer texts');
		return [scenario.name, timed(scenario), timed(longer)];
	});
	expect(await slowOf(works)).toEqual([]);
});

/** Questions of a template and columns of an item. The second is ten times the first. */
const [FEW, MANY] = [30, 300];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Gives the template `count` questions: texts, and one with choices. */
const withQuestions =
	(count: number): Change =>
	(call, json) => {
		if (call !== 'template') return JSON.stringify(json);
		const controls = numbers(count).map((n) => ({
			id: `c${String(n)}`,
			field_id: `f${String(n)}`,
			label: `Question ${String(n)}`,
			...(n === 0 ? { type: 'radio', settings: { choices: ['Yes', 'No'] } } : { type: 'text' }),
		}));
		return JSON.stringify({ ...Object(json), data: { controls } });
	};

/** `count` columns that aren't questions, with names as long as a question's. Each row has different ones. */
const unknownColumns = (count: number, row = 0): IDataObject =>
	Object.fromEntries(numbers(count).map((n) => [`Unknown ${String(row * count + n)}`, 'x']));

/** Items with columns that the template doesn't have, by count. */
const UNKNOWN: Readonly<Record<string, (count: number) => IDataObject[]>> = {
	'beside an answer': (count) => [{ 'Question 1': 'x', ...unknownColumns(10 * count) }],
	'beside a wrong answer': (count) => [{ 'Question 0': 'Perhaps', ...unknownColumns(10 * count) }],
	'and no answer': (count) => [unknownColumns(10 * count)],
	'in each row its own': (count) =>
		numbers(count).map((row) => ({ 'Question 0': 'Perhaps', ...unknownColumns(20, row) })),
	'in the rows of one inspection': (count) =>
		numbers(count).map((row) => ({ Group: 'A', 'Question 1': 'x', ...unknownColumns(20, row) })),
};

test.each(Object.entries(UNKNOWN))(
	'takes time linear in columns and questions: columns without a question %s',
	async (name, itemsOf) => {
		const create = (count: number) => {
			const items = itemsOf(count);
			const options = items[0]?.Group === undefined ? {} : { groupRowsBy: 'Group' };
			const parameters = createParameters(templateById(ids.templateId), { options });
			const run = async (given: Given) =>
				await executeNode({ ...given, items, onError: 'continueErrorOutput' });
			return timed({ name, given: { parameters }, run }, withQuestions(count));
		};
		const work: Work = [name, create(FEW), create(MANY)];
		// The very first run loads code, which would hide growth.
		await work[1]();
		expect(await slowOf([work])).toEqual([]);
	},
);
