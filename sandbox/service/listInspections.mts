import type { Caller } from './authentication.mts';
import { parseGuid, scatter } from './guid.mts';
import type { InspectionJson } from './inspectionJson.mts';
import type { SortKey } from './inspectionTable.mts';
import type { Inspection, Status } from './model.mts';
import { notFound, unauthorized } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import { floorTo, parseTimestamp, type Ticks } from './timestamp.mts';
import type { ViewContext } from './view.mts';

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

export interface ListContext extends ViewContext {
	json: InspectionJson;
	/** A number of its own for every request: seed of the order among ties. */
	requestNumber: number;
}

/** Both ends inclusive; null leaves an end open. */
type Range = readonly [from: Ticks | null, to: Ticks | null];

const isWithin = (moment: Ticks, [from, to]: Range) =>
	(from === null || moment >= from) && (to === null || moment <= to);

function rangesOf(given: ListParameters, { filterPrecision }: SandboxSettings) {
	const momentOf = (text: string | undefined): Ticks | null => {
		const ticks = text === undefined ? null : parseTimestamp(text);
		return ticks === null ? null : floorTo(ticks, filterPrecision);
	};
	return {
		updatedAt: [momentOf(given.updated_after), momentOf(given.updated_before)],
		createdAt: [momentOf(given.created_after), momentOf(given.created_before)],
	} satisfies Record<SortKey, Range>;
}

function checkedTeam(id: string, caller: Caller, { store, settings }: ListContext): string | null {
	const teamId = parseGuid(id);
	const team = store.team(teamId ?? '');
	if (settings.teamFilter === 'empty') return teamId;
	if (team === undefined) throw notFound('Team not found');
	if (team.organizationId !== caller.organization.id) throw unauthorized();
	return teamId;
}

/** Another order among equal stamps with every request, as a database without a tie-breaker may give it. */
function shuffleTies(found: Inspection[], key: SortKey, request: number): Inspection[] {
	const tie = (inspection: Inspection) => scatter(`${inspection.id}/${String(request)}`);
	return found.sort((a, b) => {
		if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
		return tie(a) - tie(b);
	});
}

function envelopeOf(
	items: string,
	found: number,
	page: { page: number; page_size: number },
	{ envelope, totals }: SandboxSettings,
): string {
	if (envelope === 'array') return items;
	const total_count = totals === 'lying' ? 1 : found;
	const total_pages = Math.ceil(total_count / page.page_size);
	const shown = JSON.stringify({ ...page, total_count, total_pages }).slice(1, -1);
	const beside = totals === 'absent' ? '' : `,${shown}`;
	const [outer = 'data', inner] = envelope.split('.');
	if (inner === undefined) return `{"${outer}":${items}${beside}}`;
	return `{"${outer}":{"${inner}":${items}${beside}}}`;
}

/** listInspections of the document: the body of a page as JSON text. */
export function listInspections(
	given: ListParameters,
	caller: Caller,
	context: ListContext,
): string {
	const { store, settings, json, requestNumber } = context;
	const teamId = given.team_id === undefined ? null : checkedTeam(given.team_id, caller, context);
	const status = new Set(given.status);
	const ranges = rangesOf(given, settings);
	const includes = new Set(given.includes);
	const filter = includes.has('data') ? given.data_filter : undefined;
	const controls = new Set(filter?.template_control_ids?.map((id) => parseGuid(id) ?? id));
	const choosesItems = settings.controlFilter === 'items';

	const key = given.sort_by === 'updated_at' ? 'updatedAt' : 'createdAt';
	const index = store.sortedBy(caller.organization.id, key);
	const found = index.between(...ranges[key]).filter((inspection) => {
		if (teamId !== null && inspection.teamId !== teamId) return false;
		if (status.size > 0 && !status.has(inspection.status)) return false;
		if (!isWithin(inspection.updatedAt, ranges.updatedAt)) return false;
		if (!isWithin(inspection.createdAt, ranges.createdAt)) return false;
		const { answers } = inspection;
		if (filter?.flagged_items_only === true && !answers.some(({ flagged }) => flagged))
			return false;
		if (controls.size === 0 || choosesItems) return true;
		return answers.some(({ controlId }) => controls.has(controlId));
	});
	if (settings.tieOrder === 'perRequest') shuffleTies(found, key, requestNumber);
	if (given.sort_order === 'desc') found.reverse();

	json.refresh();
	const { page } = given;
	const page_size = Math.min(given.page_size, settings.pageCap ?? given.page_size);
	const onlyControls = choosesItems && controls.size > 0 ? controls : null;
	const texts = found
		.slice((page - 1) * page_size, page * page_size)
		.map((inspection) => json.text(inspection, includes, onlyControls));
	return envelopeOf(`[${texts.join(',')}]`, found.length, { page, page_size }, settings);
}
