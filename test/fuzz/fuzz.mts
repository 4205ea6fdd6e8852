import { mapConcurrently } from '#connector/domain/mapConcurrently.ts';
import { type Credential, executeNode } from '#harness/inspectionNodes.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';
import { randomOf } from '../unit/changingList.mts';
import { type JsonPath, pathsOf, replaced } from './jsonPaths.mts';
import { faultOf, outcomeOf } from './judge.mts';
import { type CallName, type MutatingService, startMutatingService } from './mutatingService.mts';
import { type Replacement, REPLACEMENTS } from './replacements.mts';
import { type KnownIds, type Scenario, scenariosOf } from './scenarios.mts';

/** One scenario with one value changed: in the responses to a call, or in what the trigger has stored. */
interface Mutant {
	scenario: Scenario;
	place: CallName | 'state';
	path: JsonPath;
	replacement: Replacement;
}

export interface FuzzOptions {
	/** Mutants to run; Infinity for all. */
	count: number;
	seed: number;
	/** Called after each mutant. */
	onProgress?: (done: number, total: number) => void;
}

export interface FuzzReport {
	scenarios: number;
	/** How many mutants there are. */
	possible: number;
	run: number;
	errors: number;
	/** One line for each mutant whose outcome is neither a clear error nor a sane result. */
	faults: string[];
}

/** Levels of the static data that n8n itself makes: `global`, `node:<name>`. */
const OF_N8N = 1;
/** n8n keeps its state as JSON, which it cannot write where a value is nested so deep. */
const TOO_DEEP_TO_STORE = REPLACEMENTS.find(({ name }) => name === 'nested deep');
/** Mutants under way at once: while one waits for its response, others compute. */
const CONCURRENT = 8;

/**
 * Runs every operation, the editor's calls and the trigger against a service whose responses have one value changed.
 * The same seed gives the same mutants.
 */
export async function fuzz({ count, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
	const { service, sandbox } = await startMutatingService();
	const rejections: unknown[] = [];
	const onRejection = (reason: unknown) => void rejections.push(reason);
	process.on('unhandledRejection', onRejection);
	try {
		const ids = await knownIds(sandbox);
		const scenarios = await scenariosOf(ids);
		const states = new Map<Scenario, unknown>();
		const mutants = await mutantsOf(service, scenarios, ids, states);
		const sample = shuffled(mutants, seed).slice(0, count);
		const report = { scenarios: scenarios.length, possible: mutants.length, run: 0, errors: 0 };
		const faults: string[] = [];
		await mapConcurrently(sample, CONCURRENT, async (mutant) => {
			const { fault, isError } = await runMutant(service, mutant, states.get(mutant.scenario));
			if (fault !== undefined) faults.push(`${describe(mutant)}: ${fault.slice(0, 300)}`);
			if (isError) report.errors += 1;
			report.run += 1;
			onProgress?.(report.run, sample.length);
		});
		const unhandled = rejections.map((reason) => `unhandled rejection: ${String(reason)}`);
		return { ...report, faults: [...faults, ...unhandled] };
	} finally {
		process.off('unhandledRejection', onRejection);
		await service.stop();
	}
}

/** Every scenario has to succeed while nothing is changed, or its mutants would show nothing. */
async function mutantsOf(
	service: MutatingService,
	scenarios: readonly Scenario[],
	ids: KnownIds,
	states: Map<Scenario, unknown>,
): Promise<Mutant[]> {
	const valid = await service.validResponses(ids);
	const mutants: Mutant[] = [];
	for (const scenario of scenarios) {
		const session = service.open();
		const outcome = await outcomeOf(
			async () => await scenario.run(credentialOf(service, session.baseUrl)),
		);
		const fault = 'value' in outcome ? faultOf(outcome) : JSON.stringify(outcome);
		if (fault !== undefined) throw new Error(`${scenario.name} fails by itself: ${fault}`);
		const state = stateOf(outcome, session.baseUrl);
		if (state !== undefined) states.set(scenario, state);
		for (const call of session.calls) {
			for (const path of pathsOf(valid[call])) {
				for (const replacement of REPLACEMENTS)
					mutants.push({ scenario, place: call, path, replacement });
			}
		}
		for (const path of pathsOf(state).filter(({ length }) => length > OF_N8N)) {
			for (const replacement of REPLACEMENTS) {
				if (replacement !== TOO_DEEP_TO_STORE)
					mutants.push({ scenario, place: 'state', path, replacement });
			}
		}
		service.close(session);
	}
	return mutants;
}

async function runMutant(service: MutatingService, mutant: Mutant, state: unknown) {
	const { scenario, place, path, replacement } = mutant;
	const session = service.open((call, json) =>
		call === place ? replaced(json, path, replacement.json) : JSON.stringify(json),
	);
	const stored =
		place === 'state'
			? JSON.parse(replaced(state, path, replacement.json).replaceAll(BASE_URL, session.baseUrl))
			: undefined;
	const outcome = await outcomeOf(
		async () => await scenario.run(credentialOf(service, session.baseUrl), stored),
	);
	service.close(session);
	return { fault: faultOf(outcome), isError: 'error' in outcome };
}

const BASE_URL = 'http://base-url.invalid';

/** What a trigger has stored, its base URL made replaceable. */
function stateOf(outcome: object, baseUrl: string): unknown {
	if (!('value' in outcome) || typeof outcome.value !== 'object' || outcome.value === null)
		return undefined;
	if (!('state' in outcome.value)) return undefined;
	return JSON.parse(JSON.stringify(outcome.value.state).replaceAll(baseUrl, BASE_URL));
}

function credentialOf({ apiKey }: MutatingService, baseUrl: string): Credential {
	return { baseUrl, apiKey };
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
	return {
		templateId: inspection.templateId,
		inspectionId: inspection.id,
		fileId: file.id,
		item: row.json,
	};
}

function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
	const random = randomOf(seed);
	return values
		.map((value) => ({ value, order: random() }))
		.toSorted((a, b) => a.order - b.order)
		.map(({ value }) => value);
}
