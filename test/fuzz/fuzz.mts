import {
	type CallName,
	CALLS,
	type Change,
	startMutatingService,
} from '#harness/mutatingService.mts';
import { randomOf } from '#harness/random.mts';
import { runConcurrently } from '#harness/runConcurrently.mts';
import { type Given, knownIds, type Scenario, scenariosOf } from '#harness/scenarios.mts';
import { type JsonPath, pathsOf, replaced } from './jsonPaths.mts';
import { faultOf, type Judged, judgedOf } from './judge.mts';
import { type Replacement, REPLACEMENTS } from './replacements.mts';

/** Where a value comes from: a response to a call, or an input of the node. */
type Source = CallName | keyof Given;

type MutatingService = Awaited<ReturnType<typeof startMutatingService>>;

/** A scenario in which one value is replaced. */
interface Mutant {
	scenario: Scenario;
	source: Source;
	/** The source's original value. `path` leads to the part of it that is replaced. */
	valid: unknown;
	path: JsonPath;
	replacement: Replacement;
}

/** How many outer levels of a value stay unchanged, because only n8n writes and reads these levels. */
const OF_N8N: Partial<Record<Source, number>> = { state: 2, parameters: 1, item: 1, credential: 1 };
/**
 * n8n can't store or read values that are nested this deep. Only responses can contain them, because n8n doesn't read
 * responses.
 */
const TOO_DEEP_FOR_N8N = REPLACEMENTS.find(({ name }) => name === 'nested deep');
/** How many mutants run at the same time. While one waits for a response, the others use the processor. */
const CONCURRENT = 8;
/** Stands for the service's address in a trigger's stored state, because each mutant has a different address. */
const BASE_URL = 'http://base-url.invalid';
/** The text in fields that accept any text. The item has a column with this name, so that Group Rows By accepts it. */
const TEXT = 'name';

/**
 * Runs every operation, the editor's calls, and the trigger, each with one replaced value from outside. The value is in
 * a response, item, parameter, credential, or in the trigger's stored state. The same seed replaces the same values.
 * Each source of values in a scenario is tried once before any is tried again.
 *
 * @param count how many values to replace, one at a time; Infinity for all
 */
export async function fuzz(count: number, seed: number) {
	const service = await startMutatingService();
	try {
		const ids = await knownIds(service.sandbox);
		const scenarios = scenariosOf({ ...ids, text: TEXT });
		const mutants = await mutantsOf(service, scenarios);
		const sample = shuffledBySource(mutants, seed).slice(0, count);
		/** One line for each mutant that ends in neither a clear error nor a sane result. */
		const faults: string[] = [];
		let run = 0;
		await runConcurrently(sample, CONCURRENT, async (mutant) => {
			const outcome = await judgedOfMutant(service, mutant);
			const fault = faultOf(outcome);
			if (fault !== undefined) faults.push(`${describe(mutant)}: ${fault.slice(0, 300)}`);
			run += 1;
		});
		/** `possible` is the total number of mutants, and `run` how many of them ran. */
		return { possible: mutants.length, run, faults };
	} finally {
		await service.stop();
	}
}

/**
 * Returns all mutants. Throws if an unchanged scenario fails, because its mutants would then fail for the same reason.
 * Scenarios with arbitrary text are the exception: the service can reject these.
 */
async function mutantsOf(service: MutatingService, scenarios: readonly Scenario[]) {
	const mutants: Mutant[] = [];
	for (const scenario of scenarios) {
		// Adds these keys now, so that their order doesn't depend on the order of requests. Otherwise, a seed would select
		// different mutants.
		const none = { state: undefined, credential: undefined };
		const values: Partial<Record<Source, unknown>> = { ...scenario.given, ...none };
		const remember: Change = (call, json) => {
			values[call] ??= json;
			return JSON.stringify(json);
		};
		await service.during(remember, async (credential) => {
			const outcome = await judgedOf(() => scenario.run({ ...scenario.given, credential }));
			const fault = faultOf(outcome);
			const isRefused = 'error' in outcome && !scenario.name.endsWith(' text');
			if (fault !== undefined || isRefused)
				throw new Error(
					`${scenario.name} fails without a replaced value: ${fault ?? JSON.stringify(outcome)}`,
				);
			values.state = stateOf(outcome, credential.baseUrl);
			const advanced = { advanced: true, createPath: '/v1/inspections' };
			values.credential = { ...credential, baseUrl: BASE_URL, ...advanced };
		});
		for (const [source, valid] of Object.entries(values) as [Source, unknown][])
			for (const { path, replacement } of changesOf(source, valid))
				mutants.push({ scenario, source, valid, path, replacement });
	}
	return mutants;
}

function changesOf(source: Source, valid: unknown): Pick<Mutant, 'path' | 'replacement'>[] {
	if (valid === undefined) return [];
	return pathsOf(valid)
		.filter((path) => path.length >= (OF_N8N[source] ?? 0))
		.flatMap((path) => REPLACEMENTS.map((replacement) => ({ path, replacement })))
		.filter(({ replacement }) => isCall(source) || replacement !== TOO_DEEP_FOR_N8N);
}

async function judgedOfMutant(service: MutatingService, mutant: Mutant): Promise<Judged> {
	const { scenario, source, valid, path, replacement } = mutant;
	const change: Change = (call, json) =>
		call === source ? replaced(json, path, replacement.json) : JSON.stringify(json);
	return await service.during(change, async (credential) => {
		const json = replaced(valid, path, replacement.json).replaceAll(BASE_URL, credential.baseUrl);
		const changed = isCall(source) ? {} : { [source]: JSON.parse(json) as unknown };
		return await judgedOf(() => scenario.run({ ...scenario.given, credential, ...changed }));
	});
}

function isCall(source: Source): source is CallName {
	return CALLS.some((call) => call === source);
}

/** Returns a trigger's stored state with `BASE_URL` instead of the service's address. */
function stateOf(outcome: Judged, baseUrl: string): unknown {
	const { state } = Object('value' in outcome && outcome.value);
	if (state === undefined) return undefined;
	return JSON.parse(JSON.stringify(state).replaceAll(baseUrl, BASE_URL));
}

function describe({ scenario, source, path, replacement }: Mutant): string {
	return `${scenario.name}; ${source} ${['', ...path].join('/') || '/'} = ${replacement.name}`;
}

/** Shuffles the mutants. Every source of every scenario comes once before any source comes a second time. */
function shuffledBySource(mutants: readonly Mutant[], seed: number): Mutant[] {
	const random = randomOf(seed);
	const shuffled = mutants
		.map((mutant) => ({ ...mutant, order: random() }))
		.toSorted((a, b) => a.order - b.order);
	const bySource = Map.groupBy(shuffled, ({ scenario, source }) => `${scenario.name} ${source}`);
	return [...bySource.values()]
		.flatMap((group) => group.map((mutant, turn) => ({ ...mutant, turn })))
		.toSorted((a, b) => a.turn - b.turn);
}
