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

/** Source of a value: a response to a call, or an input of the node. */
type Place = CallName | keyof Given;

type MutatingService = Awaited<ReturnType<typeof startMutatingService>>;

/** One scenario with one value changed. */
interface Mutant {
	scenario: Scenario;
	place: Place;
	/** The original value. */
	valid: unknown;
	path: JsonPath;
	replacement: Replacement;
}

/** Outer levels of each source that only n8n writes and reads. */
const OF_N8N: Partial<Record<Place, number>> = { state: 2, parameters: 1, item: 1, credential: 1 };
/** n8n can't store or read values this deep, except in responses, which it doesn't see. */
const TOO_DEEP_FOR_N8N = REPLACEMENTS.find(({ name }) => name === 'nested deep');
/** Concurrent mutants: while one waits for its response, others compute. */
const CONCURRENT = 8;
/** Replaces the service's address in a trigger's stored state. */
const BASE_URL = 'http://base-url.invalid';
/** Value for fields that accept any text: a column of the item, so that rows can be grouped by it. */
const TEXT = 'name';

/**
 * Runs every operation, the editor's calls, and the trigger, each with one external value changed: in responses,
 * items, parameters, the credential, or the trigger's stored state. The same seed gives the same mutants. Each source
 * of each scenario gets one mutant before any gets a second one.
 *
 * @param count mutants to run; Infinity for all
 */
export async function fuzz(count: number, seed: number) {
	const service = await startMutatingService();
	try {
		const ids = await knownIds(service.sandbox);
		const scenarios = await scenariosOf({ ...ids, text: TEXT });
		const mutants = await mutantsOf(service, scenarios);
		const sample = inTurn(mutants, seed).slice(0, count);
		/** One line for each mutant whose outcome is neither a clear error nor a sane result. */
		const faults: string[] = [];
		let run = 0;
		await runConcurrently(sample, CONCURRENT, async (mutant) => {
			const outcome = await judgedOfMutant(service, mutant);
			const fault = faultOf(outcome);
			if (fault !== undefined) faults.push(`${describe(mutant)}: ${fault.slice(0, 300)}`);
			run += 1;
		});
		/** `possible`: the total number of mutants. */
		return { possible: mutants.length, run, faults };
	} finally {
		await service.stop();
	}
}

/**
 * Returns the mutants. Throws if an unchanged scenario fails, because its mutants would show nothing. Scenarios with
 * arbitrary text can be rejected.
 */
async function mutantsOf(service: MutatingService, scenarios: readonly Scenario[]) {
	const mutants: Mutant[] = [];
	for (const scenario of scenarios) {
		// Keeps positions fixed, so that a seed gives the same mutants in any request order.
		const none = { state: undefined, credential: undefined };
		const places: Partial<Record<Place, unknown>> = { ...scenario.given, ...none };
		const remember: Change = (call, json) => {
			places[call] ??= json;
			return JSON.stringify(json);
		};
		await service.during(remember, async (credential) => {
			const outcome = await judgedOf(() => scenario.run({ ...scenario.given, credential }));
			const fault = faultOf(outcome);
			const isRefused = 'error' in outcome && !scenario.name.endsWith(' text');
			if (fault !== undefined || isRefused)
				throw new Error(`${scenario.name} fails by itself: ${fault ?? JSON.stringify(outcome)}`);
			places.state = stateOf(outcome, credential.baseUrl);
			const advanced = { advanced: true, createPath: '/v1/inspections' };
			places.credential = { ...credential, baseUrl: BASE_URL, ...advanced };
		});
		for (const [place, valid] of Object.entries(places) as [Place, unknown][])
			for (const { path, replacement } of changesOf(place, valid))
				mutants.push({ scenario, place, valid, path, replacement });
	}
	return mutants;
}

function changesOf(place: Place, valid: unknown): Pick<Mutant, 'path' | 'replacement'>[] {
	if (valid === undefined) return [];
	return pathsOf(valid)
		.filter((path) => path.length >= (OF_N8N[place] ?? 0))
		.flatMap((path) => REPLACEMENTS.map((replacement) => ({ path, replacement })))
		.filter(({ replacement }) => isCall(place) || replacement !== TOO_DEEP_FOR_N8N);
}

async function judgedOfMutant(service: MutatingService, mutant: Mutant): Promise<Judged> {
	const { scenario, place, valid, path, replacement } = mutant;
	const change: Change = (call, json) =>
		call === place ? replaced(json, path, replacement.json) : JSON.stringify(json);
	return await service.during(change, async (credential) => {
		const json = replaced(valid, path, replacement.json).replaceAll(BASE_URL, credential.baseUrl);
		const changed = isCall(place) ? {} : { [place]: JSON.parse(json) as unknown };
		return await judgedOf(() => scenario.run({ ...scenario.given, credential, ...changed }));
	});
}

function isCall(place: Place): place is CallName {
	return CALLS.some((call) => call === place);
}

/** A trigger's stored state with a replaceable base URL. */
function stateOf(outcome: Judged, baseUrl: string): unknown {
	const { state } = Object('value' in outcome && outcome.value);
	if (state === undefined) return undefined;
	return JSON.parse(JSON.stringify(state).replaceAll(baseUrl, BASE_URL));
}

function describe({ scenario, place, path, replacement }: Mutant): string {
	return `${scenario.name}; ${place} ${['', ...path].join('/') || '/'} = ${replacement.name}`;
}

/** One mutant of each source of each scenario, then the next one of each. */
function inTurn(mutants: readonly Mutant[], seed: number): Mutant[] {
	const random = randomOf(seed);
	const shuffled = mutants
		.map((mutant) => ({ ...mutant, order: random() }))
		.toSorted((a, b) => a.order - b.order);
	const byPlace = Map.groupBy(shuffled, ({ scenario, place }) => `${scenario.name} ${place}`);
	return [...byPlace.values()]
		.flatMap((group) => group.map((mutant, turn) => ({ ...mutant, turn })))
		.toSorted((a, b) => a.turn - b.turn);
}
