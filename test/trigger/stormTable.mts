import type { StormResult } from './storm.mts';

/** What the storms of one scenario and engine came to. */
export interface Cell {
	scenario: string;
	engine: string;
	storms: number;
	emitted: number;
	missed: number;
	announced: number;
	repeated: number;
	polls: number;
	requests: number;
	errors: number;
	overlaps: number;
	/** Characters at the end, everything that n8n holds for the node; mean. */
	stateAtRest: number;
	/** Characters of one copy of the state, the most that any storm had. */
	statePeak: number;
}

export function cellOf(scenario: string, engine: string, results: readonly StormResult[]): Cell {
	const sum = (member: keyof StormResult) =>
		results.reduce((total, result) => total + result[member], 0);
	return {
		scenario,
		engine,
		storms: results.length,
		emitted: sum('emitted'),
		missed: sum('missed'),
		announced: sum('announced'),
		repeated: sum('repeated'),
		polls: sum('polls'),
		requests: sum('requests'),
		errors: sum('errors'),
		overlaps: sum('overlaps'),
		stateAtRest: Math.round(sum('stateBytes') / Math.max(1, results.length)),
		statePeak: Math.max(0, ...results.map(({ peakStateBytes }) => peakStateBytes)),
	};
}

const COLUMNS = [
	['scenario', 'scenario'],
	['engine', 'engine'],
	['storms', 'storms'],
	['emitted', 'emitted'],
	['missed', 'missed'],
	['announced', 'missed as announced'],
	['repeated', 'repeated'],
	['polls', 'polls'],
	['requests', 'requests'],
	['errors', 'failed polls'],
	['overlaps', 'overlapping'],
	['stateAtRest', 'state at rest'],
	['statePeak', 'state peak'],
] as const satisfies readonly (readonly [keyof Cell, string])[];

/** The cells as a table in Markdown. */
export function tableOf(cells: readonly Cell[]): string {
	const lines = [
		COLUMNS.map(([, title]) => title),
		COLUMNS.map(() => '---'),
		...cells.map((cell) => COLUMNS.map(([member]) => String(cell[member]))),
	];
	return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
