import type { TriggerPoll } from './triggerPoll';

/** How many inspections are compared. Chosen: if all of so many are flagged, the filter probably has no effect. */
const COMPARED = 20;

/**
 * Returns a sentence if the list begins with the same inspections with and without the filter Flagged Items Only. The
 * service may then have ignored the filter because of its format. Never throws, because a poll must not fail for this.
 */
export async function ignoredFilters({
	service,
	parameters: { flaggedItemsOnly, teamId, sortBy },
}: Pick<TriggerPoll, 'service' | 'parameters'>): Promise<string[]> {
	if (!flaggedItemsOnly) return [];
	const query = { teamId, sortBy, sortOrder: 'desc', page: 1, pageSize: COMPARED } as const;
	const idsOf = async (filter: { flaggedItemsOnly: boolean }) =>
		(await service.list({ ...query, ...filter })).inspections.map(({ id }) => id).join();
	try {
		const filtered = await idsOf({ flaggedItemsOnly: true });
		if (filtered === '' || filtered !== (await idsOf({ flaggedItemsOnly: false }))) return [];
	} catch {
		return [];
	}
	return [
		`The filter 'Flagged Items Only' didn't remove any of the newest inspections. If some of them aren't flagged, change 'Data Filter Format' in the credential (Advanced Settings).`,
	];
}
