import { parseGuid } from './guid.mts';
import { STATUSES } from './model.mts';
import type { Status } from './model.mts';
import { badRequest } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import { floorToFilter, parseTimestamp } from './timestamp.mts';
import type { Ticks } from './timestamp.mts';

export interface ListQuery {
	page: number;
	pageSize: number;
	sortBy: 'updated_at' | 'created_at';
	descending: boolean;
	includes: ReadonlySet<string>;
	teamId: string | null;
	status: ReadonlySet<Status>;
	updatedAfter: Ticks | null;
	updatedBefore: Ticks | null;
	createdAfter: Ticks | null;
	createdBefore: Ticks | null;
	flaggedOnly: boolean;
	controlIds: ReadonlySet<string> | null;
}

/** Limits of the interface, "Limits". */
const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 10;
const INCLUDES = ['data', 'files', 'shared_with_users'];

const isStatus = (text: string): text is Status => STATUSES.some((status) => status === text);

/** Values of `name`, `name[]` and `name[0]`, each perhaps comma-separated; empty ones fall out. */
export function listOf(params: URLSearchParams, name: string): string[] {
	const values: string[] = [];
	for (const [key, value] of params) {
		const isName =
			key === name || (key.startsWith(`${name}[`) && /^\[\d*\]$/.test(key.slice(name.length)));
		if (isName) values.push(...value.split(','));
	}
	return values.map((value) => value.trim()).filter((value) => value !== '');
}

function singleOf(params: URLSearchParams, name: string): string | null {
	const values = params.getAll(name);
	if (values.length > 1)
		throw badRequest(`Invalid parameter value: ${name} is given more than once`);
	return values[0] ?? null;
}

function integerOf(params: URLSearchParams, name: string, range: [number, number, number]): number {
	const [byDefault, low, high] = range;
	const text = singleOf(params, name);
	if (text === null) return byDefault;
	const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
	if (value >= low && value <= high) return value;
	throw badRequest(
		`Invalid parameter value: ${name} must be an integer ${high === Infinity ? `from ${String(low)}` : `from ${String(low)} to ${String(high)}`}`,
	);
}

function choiceOf<T extends string>(
	params: URLSearchParams,
	name: string,
	choices: readonly [T, ...T[]],
): T {
	const text = singleOf(params, name);
	if (text === null) return choices[0];
	const choice = choices.find((candidate) => candidate === text);
	if (choice === undefined) {
		throw badRequest(`Invalid parameter value: ${name} must be one of ${choices.join(', ')}`);
	}
	return choice;
}

function momentOf(params: URLSearchParams, name: string, settings: SandboxSettings): Ticks | null {
	const text = singleOf(params, name);
	if (text === null) return null;
	const ticks = parseTimestamp(text);
	if (ticks === null) throw badRequest(`Invalid parameter value: ${name} must be a date-time`);
	return floorToFilter(ticks, settings.filterPrecision);
}

function statusOf(params: URLSearchParams): ReadonlySet<Status> {
	return new Set(
		listOf(params, 'status').map((text) => {
			const status = text.toLowerCase();
			if (!isStatus(status)) {
				throw badRequest(`Invalid parameter value: status must be one of ${STATUSES.join(', ')}`);
			}
			return status;
		}),
	);
}

function includesOf(params: URLSearchParams): ReadonlySet<string> {
	const includes = listOf(params, 'includes');
	const unknown = includes.find((value) => !INCLUDES.includes(value));
	if (unknown !== undefined) {
		throw badRequest(`Invalid parameter value: includes must be any of ${INCLUDES.join(', ')}`);
	}
	return new Set(includes);
}

function teamOf(params: URLSearchParams): string | null {
	const text = singleOf(params, 'team_id');
	if (text === null) return null;
	const id = parseGuid(text);
	if (id === null) throw badRequest('Invalid parameter value: team_id must be a GUID');
	return id;
}

interface DataFilter {
	flaggedOnly: boolean;
	controlIds: readonly string[];
}

const invalidFilter = (why: string) => badRequest(`Invalid parameter value: data_filter ${why}`);

function booleanOf(value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	if (typeof value === 'string' && /^(true|false)$/i.test(value))
		return value.toLowerCase() === 'true';
	throw invalidFilter('flagged_items_only must be true or false');
}

function bracketFilter(params: URLSearchParams): DataFilter {
	if (params.has('data_filter')) throw invalidFilter('must be an object');
	const flagged = singleOf(params, 'data_filter[flagged_items_only]');
	return {
		flaggedOnly: flagged === null ? false : booleanOf(flagged),
		controlIds: listOf(params, 'data_filter[template_control_ids]'),
	};
}

function jsonFilter(params: URLSearchParams): DataFilter {
	const text = singleOf(params, 'data_filter');
	if (text === null) return { flaggedOnly: false, controlIds: [] };
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw invalidFilter('must be a JSON object');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw invalidFilter('must be a JSON object');
	}
	const ids = 'template_control_ids' in value ? value.template_control_ids : [];
	if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
		throw invalidFilter('template_control_ids must be an array of strings');
	}
	return {
		flaggedOnly: 'flagged_items_only' in value ? booleanOf(value.flagged_items_only) : false,
		controlIds: ids,
	};
}

/** Effective only when includes contains data (interface, section 3). */
function dataFilterOf(
	params: URLSearchParams,
	settings: SandboxSettings,
	hasData: boolean,
): Pick<ListQuery, 'flaggedOnly' | 'controlIds'> {
	const filter = settings.dataFilter === 'json' ? jsonFilter(params) : bracketFilter(params);
	if (!hasData) return { flaggedOnly: false, controlIds: null };
	const ids = filter.controlIds.map((id) => parseGuid(id) ?? id);
	return { flaggedOnly: filter.flaggedOnly, controlIds: ids.length === 0 ? null : new Set(ids) };
}

/** Reads the query of a list; a value outside of the interface's rules is a 400. */
export function readListQuery(params: URLSearchParams, settings: SandboxSettings): ListQuery {
	const includes = includesOf(params);
	const asked = integerOf(params, 'page_size', [DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE]);
	return {
		page: integerOf(params, 'page', [1, 1, Infinity]),
		pageSize: Math.min(asked, settings.pageCap ?? asked),
		sortBy: choiceOf(params, 'sort_by', ['updated_at', 'created_at']),
		descending: choiceOf(params, 'sort_order', ['asc', 'desc']) === 'desc',
		includes,
		teamId: teamOf(params),
		status: statusOf(params),
		updatedAfter: momentOf(params, 'updated_after', settings),
		updatedBefore: momentOf(params, 'updated_before', settings),
		createdAfter: momentOf(params, 'created_after', settings),
		createdBefore: momentOf(params, 'created_before', settings),
		...dataFilterOf(params, settings, includes.has('data')),
	};
}
