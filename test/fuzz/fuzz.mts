import { mapConcurrently } from '#connector/domain/mapConcurrently.ts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { randomOf } from '#harness/random.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';
import { type JsonPath, pathsOf, replaced } from './jsonPaths.mts';
import { faultOf, type Judged, judgedOf } from './judge.mts';
import { type CallName, CALLS, type Change, startMutatingService } from './mutatingService.mts';
import { type Replacement, REPLACEMENTS } from './replacements.mts';
import { type Given, type KnownIds, type Scenario, scenariosOf } from './scenarios.mts';

/** Where a value comes from: a response to a call, or what the node is given. */
type Place = CallName | keyof Given;

type MutatingService = Awaited<ReturnType<typeof startMutatingService>>;

/** One scenario with one value changed. */
interface Mutant {
	scenario: Scenario;
	place: Place;
	/** What the place holds while nothing is changed. */
	valid: unknown;
	path: JsonPath;
	replacement: Replacement;
}

/** Outer steps of each place that n8n makes and reads itself. */
const OF_N8N: Partial<Record<Place, number>> = { state: 2, parameters: 1, item: 1, credential: 1 };
/** n8n cannot keep or read what is nested so deep; a response it does not see. */
const TOO_DEEP_FOR_N8N = REPLACEMENTS.find(({ name }) => name === 'nested deep');
/** Mutants under way at once: while one waits for its response, others compute. */
const CONCURRENT = 8;
/** Stands for the address of the service in what a trigger has stored. */
const BASE_URL = 'http://base-url.invalid';
/** What each field gets that takes any text: a column of the item, so that rows can be grouped by it. */
const TEXT = 'name';

/**
 * Runs every operation, the editor's calls and the trigger, each with one value changed of all that comes from outside:
 * responses, items, parameters, credential, what the trigger has stored. The same seed gives the same mutants, and each
 * place of each scenario one before any gets a second one.
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
		await mapConcurrently(sample, CONCURRENT, async (mutant) => {
			const outcome = await judgedOfMutant(service, mutant);
			const fault = faultOf(outcome);
			if (fault !== undefined) faults.push(`${describe(mutant)}: ${fault.slice(0, 300)}`);
			run += 1;
		});
		/** `possible`: how many mutants there are. */
		return { possible: mutants.length, run, faults };
	} finally {
		await service.stop();
	}
}

/** A scenario has to succeed while nothing is changed, or its mutants would show nothing; any text may be refused. */
async function mutantsOf(service: MutatingService, scenarios: readonly Scenario[]) {
	const mutants: Mutant[] = [];
	for (const scenario of scenarios) {
		// Each in its place, so that a seed gives the same mutants whatever is asked first.
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

/** What a trigger has stored, its base URL made replaceable. */
function stateOf(outcome: Judged, baseUrl: string): unknown {
	const { state } = Object('value' in outcome && outcome.value);
	if (state === undefined) return undefined;
	return JSON.parse(JSON.stringify(state).replaceAll(baseUrl, BASE_URL));
}

function describe({ scenario, place, path, replacement }: Mutant): string {
	return `${scenario.name}; ${place} ${['', ...path].join('/') || '/'} = ${replacement.name}`;
}

/** An inspection of the demo with a file, its template, and its row, which Create takes. */
export async function knownIds(sandbox: Sandbox): Promise<KnownIds> {
	const organization = sandbox.tenants.north.organization.id;
	const inspection = sandbox.store.inspections(organization).find(({ files }) => files.length > 0);
	const file = inspection?.files[0];
	if (inspection === undefined || file === undefined) throw new Error('no inspection has a file');
	const { items } = await executeNode({
		credential: { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
		parameters: { resource: 'inspection', operation: 'getAll', returnAll: true, output: 'row' },
	});
	const row = items.find(({ json }) => json.id === inspection.id);
	if (row === undefined) throw new Error('the inspection has no row');
	const { templateId, id: inspectionId } = inspection;
	return { templateId, inspectionId, fileId: file.id, item: row.json };
}

/** Some mutant of each place of each scenario, then another one of each. */
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
