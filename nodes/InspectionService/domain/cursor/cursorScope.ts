import { nestedId } from '../displayName';
import { STATUSES, type InspectionFilter, type Status } from '../list/inspectionQuery';
import { isRecord, textOf, type JsonRecord, type JsonValue } from '../json';

/** The part of a trigger's filters that the service applies. An empty `status` means any. */
export interface CursorScope {
	readonly teamId: string | undefined;
	readonly status: readonly Status[];
}

export const EVERYTHING: CursorScope = { teamId: undefined, status: [] };

export function isSameScope(a: CursorScope, b: CursorScope): boolean {
	return JSON.stringify(scopeToJson(a)) === JSON.stringify(scopeToJson(b));
}

/** What lies in both; undefined where nothing can. */
export function commonScope(a: CursorScope, b: CursorScope): CursorScope | undefined {
	if (a.teamId !== undefined && b.teamId !== undefined && a.teamId !== b.teamId) return undefined;
	const teamId = a.teamId ?? b.teamId;
	if (a.status.length === 0 || b.status.length === 0) {
		return { teamId, status: [...a.status, ...b.status] };
	}
	const status = a.status.filter((name) => b.status.includes(name));
	return status.length === 0 ? undefined : { teamId, status };
}

/**
 * Whether an inspection lies in a scope, as far as it tells: the shape of its team is not shown. One that does not
 * tell its team lies in no team's scope.
 */
export function isInScope(inspection: JsonRecord, { teamId, status }: CursorScope): boolean {
	const hasStatus =
		status.length === 0 || status.some((name) => name === textOf(inspection.status)?.toLowerCase());
	const team = nestedId(inspection.team) ?? textOf(inspection.team_id);
	return hasStatus && (teamId === undefined || team?.toLowerCase() === teamId.toLowerCase());
}

/** The scope as filters of the list. */
export function filterOfScope({ teamId, status }: CursorScope): InspectionFilter {
	return {
		...(teamId === undefined ? {} : { teamId }),
		...(status.length === 0 ? {} : { status }),
	};
}

/** The text form: the same scope gives the same text. */
export function scopeToJson({ teamId, status }: CursorScope): JsonRecord {
	const inOrder = STATUSES.filter((name) => status.includes(name));
	return {
		...(teamId === undefined ? {} : { teamId }),
		...(inOrder.length === 0 ? {} : { status: inOrder }),
	};
}

export function scopeOf(value: JsonValue | undefined): CursorScope | undefined {
	if (!isRecord(value)) return undefined;
	const { status } = value;
	const names: readonly unknown[] = Array.isArray(status) ? status : [];
	return { teamId: textOf(value.teamId), status: STATUSES.filter((name) => names.includes(name)) };
}
