import type { IDataObject } from 'n8n-workflow';
import { afterAll, expect, test } from 'vitest';

import { executeNode } from '#harness/inspectionNodes.mts';
import { type Change, startMutatingService } from '#harness/mutatingService.mts';
import { createParameters, templateById } from '#harness/nodeParameters.mts';
import { type Given, knownIds, type Scenario, scenariosOf } from '#harness/scenarios.mts';

/** The compared lengths, in characters. */
const [SHORT, LONG] = [2_000, 20_000];
/**
 * The maximum ratio of times. Linear work takes ten times as long, and quadratic work a hundred times, minus the
 * constant part of a run.
 */
const MAX_RATIO = 20;
/**
 * The number of rounds. The shortest times are used, because disturbances only add time. Four rounds were too few on a
 * busy machine.
 */
const ROUNDS = 12;

/** Characters to repeat. test/unit/growthOfTexts.test.mts tries many more with each function that reads text. */
const CHARACTERS = ['"', '1.', '/', ' ', 'a,', '<'];

/** Names of scenarios that only send a different request, and process text like other scenarios. */
const CHANGES_ONLY_REQUEST =
	/filters|sort(By|Order)|status|priority|event|columnNames|oncePerInspection/;

/**
 * Names of members that identify something. Their values aren't lengthened, because an inspection with a different ID is
 * a different inspection.
 */
const NAMES_OF_IDS = /^(id|.*_id|.*_at|type|url|status|children)$/;

const service = await startMutatingService();
afterAll(async () => await service.stop());
const ids = await knownIds(service.sandbox);

const asItIs: Change = (_, json) => JSON.stringify(json);

/** Returns a function that runs a scenario and returns its time in ms, even if the scenario fails. */
const timed =
	(scenario: Scenario, change = asItIs) =>
	async () =>
		await service.during(change, async (credential) => {
			const startedAt = performance.now();
			await scenario.run({ ...scenario.given, credential }).catch(() => undefined);
			return performance.now() - startedAt;
		});
type Timed = ReturnType<typeof timed>;

/** Two runs of the same scenario, in which `long` has ten times the input of `short`. */
type Work = readonly [name: string, short: Timed, long: Timed];

/** Returns the names of the scenarios that take more than `MAX_RATIO` times as long with ten times the input. */
async function slowOf(works: Iterable<Work>): Promise<string[]> {
	const slow: string[] = [];
	for (const [name, short, long] of works) {
		let [shortTime, longTime] = [Infinity, Infinity];
		for (let round = 0; round < ROUNDS && longTime >= MAX_RATIO * shortTime; round++) {
			shortTime = Math.min(shortTime, await short());
			longTime = Math.min(longTime, await long());
		}
		if (longTime >= MAX_RATIO * shortTime)
			slow.push(`${name}: ${(longTime / shortTime).toFixed(0)} times`);
	}
	return slow;
}

/** Returns a copy in which every text is longer, except for IDs, times, and types. */
function withTexts(value: unknown, text: string): unknown {
	if (typeof value === 'string') return value + text;
	if (Array.isArray(value)) return value.map((element) => withTexts(element, text));
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries(value).map(([name, member]): [string, unknown] => {
		return [name, NAMES_OF_IDS.test(name) ? member : withTexts(member, text)];
	});
	return Object.fromEntries(members);
}

/**
 * Returns a function that lengthens the strings in responses. It builds each response only once, so that building isn't
 * measured.
 */
function lengthened(text: string): Change {
	const known = new Map<unknown, string>();
	return (_, json) => {
		const sent = known.get(json) ?? JSON.stringify(withTexts(json, text));
		known.set(json, sent);
		return sent;
	};
}

/**
 * Returns a run of a character with a different character at its end. A pattern with a quadratic worst case reads up to
 * that end and then fails.
 */
const runOf = (character: string, length: number) =>
	`${character.repeat(Math.ceil(length / character.length))}x`;

/** Yields one run after another, because the lengthened responses of all runs together would fill the memory. */
function* worksOn(text: string): Generator<Work> {
	for (const scenario of scenariosOf(ids)) {
		if (CHANGES_ONLY_REQUEST.test(scenario.name)) continue;
		const of = (length: number) => timed(scenario, lengthened(runOf(text, length)));
		yield [scenario.name, of(SHORT), of(LONG)];
	}
}

test.each(CHARACTERS)('takes time linear in the %j of responses', async (text) => {
	expect(await slowOf(worksOn(text))).toEqual([]);
});

/**
 * Returns scenarios with the text in the item. Includes each scenario with default fields, and each with the text in
 * one of its fields.
 */
async function scenariosWith(text: string): Promise<Scenario[]> {
	const item: IDataObject = { ...Object(withTexts(ids.item, text)), [text]: text };
	const scenarios = scenariosOf({ ...ids, text, item });
	return scenarios.filter(({ name }) => /(, plain| text)$|^editor/.test(name));
}

test.each(CHARACTERS)('takes time linear in the %j of items and fields', async (text) => {
	const short = await scenariosWith(runOf(text, SHORT));
	const long = await scenariosWith(runOf(text, LONG));
	const works = short.map((scenario, index): Work => {
		const longer = long[index];
		if (longer === undefined) throw new Error('Longer strings have fewer scenarios');
		return [scenario.name, timed(scenario), timed(longer)];
	});
	expect(await slowOf(works)).toEqual([]);
});

/** The compared numbers of questions in a template, and of columns in an item. */
const [FEW, MANY] = [30, 300];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Returns a function that gives the template `count` questions: one has choices, and the rest have text answers. */
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

/** Returns `count` columns that no question has, with names as long as those of questions. They differ between rows. */
const unknownColumns = (count: number, row = 0): IDataObject =>
	Object.fromEntries(numbers(count).map((n) => [`Unknown ${String(row * count + n)}`, 'x']));

/** Functions that return items with columns the template doesn't have. `count` is the number of questions. */
const UNKNOWN: Readonly<Record<string, (count: number) => IDataObject[]>> = {
	'in a row with an answer': (count) => [{ 'Question 1': 'x', ...unknownColumns(10 * count) }],
	'in a row with a wrong answer': (count) => [
		{ 'Question 0': 'Perhaps', ...unknownColumns(10 * count) },
	],
	'in a row without an answer': (count) => [unknownColumns(10 * count)],
	'that differ in each row': (count) =>
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
		// The first run also loads code, which would hide growth.
		await work[1]();
		expect(await slowOf([work])).toEqual([]);
	},
);
