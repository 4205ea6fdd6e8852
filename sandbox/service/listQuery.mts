import { parseGuid } from './guid.mts';
import type { Status } from './model.mts';
import type { SandboxSettings } from './settings.mts';
import { floorToFilter, parseTimestamp, type Ticks } from './timestamp.mts';

/** The parameters of listInspections, once they fit the document. */
export interface ListParameters {
	page: number;
	page_size: number;
	sort_by: 'updated_at' | 'created_at';
	sort_order: 'asc' | 'desc';
	includes?: string[];
	team_id?: string;
	status?: Status[];
	updated_after?: string;
	updated_before?: string;
	created_after?: string;
	created_before?: string;
	data_filter?: { flagged_items_only?: boolean; template_control_ids?: string[] };
}

export interface ListQuery {
	page: number;
	pageSize: number;
	sortKey: 'updatedAt' | 'createdAt';
	descending: boolean;
	includes: ReadonlySet<string>;
	teamId: string | null;
	status: ReadonlySet<Status>;
	updatedAfter: Ticks | null;
	updatedBefore: Ticks | null;
	createdAfter: Ticks | null;
	createdBefore: Ticks | null;
	flaggedOnly: boolean;
	/** Null keeps all. */
	controlIds: ReadonlySet<string> | null;
}

/** What a list is to look for. data_filter is only effective when includes has data (listInspections). */
export function listQueryOf(given: ListParameters, settings: SandboxSettings): ListQuery {
	const momentOf = (text: string | undefined): Ticks | null => {
		const ticks = text === undefined ? null : parseTimestamp(text);
		return ticks === null ? null : floorToFilter(ticks, settings.filterPrecision);
	};
	const includes = new Set(given.includes);
	const filter = includes.has('data') ? given.data_filter : undefined;
	const controlIds = (filter?.template_control_ids ?? []).map((id) => parseGuid(id) ?? id);
	return {
		page: given.page,
		pageSize: Math.min(given.page_size, settings.pageCap ?? given.page_size),
		sortKey: given.sort_by === 'updated_at' ? 'updatedAt' : 'createdAt',
		descending: given.sort_order === 'desc',
		includes,
		teamId: given.team_id === undefined ? null : parseGuid(given.team_id),
		status: new Set(given.status),
		updatedAfter: momentOf(given.updated_after),
		updatedBefore: momentOf(given.updated_before),
		createdAfter: momentOf(given.created_after),
		createdBefore: momentOf(given.created_before),
		flaggedOnly: filter?.flagged_items_only ?? false,
		controlIds: controlIds.length === 0 ? null : new Set(controlIds),
	};
}
