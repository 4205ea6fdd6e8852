import type { Caller } from './authentication.mts';
import { scatter } from './guid.mts';
import type { SortKey } from './inspectionIndex.mts';
import type { InspectionJson } from './inspectionJson.mts';
import { type ListParameters, type ListQuery, listQueryOf } from './listQuery.mts';
import type { Inspection } from './model.mts';
import { notFound, unauthorized } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import type { Store } from './store.mts';
import type { Ticks } from './timestamp.mts';

export interface ListContext {
	store: Store;
	settings: SandboxSettings;
	json: InspectionJson;
	/** A number of its own for every request: seed of the order among ties. */
	requestNumber: number;
}

function checkTeam(teamId: string | null, caller: Caller, { store, settings }: ListContext): void {
	if (teamId === null || settings.teamFilter === 'empty') return;
	const team = store.team(teamId);
	if (team === undefined) throw notFound('Team not found');
	if (team.organizationId !== caller.organization.id) throw unauthorized();
}

const isWithin = (moment: Ticks, from: Ticks | null, to: Ticks | null) =>
	(from === null || moment >= from) && (to === null || moment <= to);

function matches(inspection: Inspection, query: ListQuery, settings: SandboxSettings): boolean {
	if (query.teamId !== null && inspection.teamId !== query.teamId) return false;
	if (query.status.size > 0 && !query.status.has(inspection.status)) return false;
	if (!isWithin(inspection.updatedAt, query.updatedAfter, query.updatedBefore)) return false;
	if (!isWithin(inspection.createdAt, query.createdAfter, query.createdBefore)) return false;
	if (query.flaggedOnly && !inspection.answers.some((answer) => answer.flagged)) return false;
	const ids = query.controlIds;
	if (ids === null || settings.controlFilter === 'items') return true;
	return inspection.answers.some((answer) => ids.has(answer.controlId));
}

/** Another order among equal stamps with every request, as a database without a tie-breaker may give it. */
function shuffleTies(found: Inspection[], key: SortKey, request: number): Inspection[] {
	const tie = (inspection: Inspection) => scatter(`${inspection.id}/${String(request)}`);
	return found.sort((a, b) => {
		if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
		return tie(a) - tie(b);
	});
}

function envelopeOf(items: string, total: number, query: ListQuery, settings: SandboxSettings) {
	if (settings.envelope === 'array') return items;
	const lies = settings.totals === 'lying';
	const shown = lies ? 1 : total;
	const totals =
		settings.totals === 'absent'
			? ''
			: `,"page":${String(query.page)},"page_size":${String(query.pageSize)},"total_count":${String(shown)},"total_pages":${String(Math.ceil(shown / query.pageSize))}`;
	const [outer = 'data', inner] = settings.envelope.split('.');
	if (inner === undefined) return `{"${outer}":${items}${totals}}`;
	return `{"${outer}":{"${inner}":${items}${totals}}}`;
}

/** GET /v1/inspections: the body of a page as JSON text. */
export function listInspections(
	parameters: ListParameters,
	caller: Caller,
	context: ListContext,
): string {
	const { store, settings, json } = context;
	const query = listQueryOf(parameters, settings);
	checkTeam(query.teamId, caller, context);

	const key = query.sortKey;
	const index = store.sortedBy(caller.organization.id, key);
	const candidates =
		key === 'updatedAt'
			? index.between(query.updatedAfter, query.updatedBefore)
			: index.between(query.createdAfter, query.createdBefore);
	let found = candidates.filter((inspection) => matches(inspection, query, settings));
	if (settings.tieOrder === 'perRequest') found = shuffleTies(found, key, context.requestNumber);
	if (query.descending) found.reverse();

	const start = (query.page - 1) * query.pageSize;
	const revision = json.revision();
	const wanted = {
		data: query.includes.has('data'),
		files: query.includes.has('files'),
		sharedUsers: query.includes.has('shared_with_users'),
		onlyControls: settings.controlFilter === 'items' ? query.controlIds : null,
	};
	const texts = found
		.slice(start, start + query.pageSize)
		.map((inspection) => json.text(inspection, wanted, revision));
	return envelopeOf(`[${texts.join(',')}]`, found.length, query, settings);
}
