import type { TemplateFailures } from '../cache/templateFailures';
import type { Change } from '../domain/changes/watch';
import { Notices } from '../domain/notices';
import {
	type ItemOutput,
	type LoadedInspections,
	loadInspections,
	renderInspections,
} from '../output/inspectionOutput';
import { TIMER_SLACK_MS } from '../transport/timeLimits';
import { ignoredFilters } from './ignoredFilters';
import type { Rendered } from './pollOnce';
import { now, type TriggerPoll } from './triggerPoll';

/**
 * The number of inspections whose files are downloaded together. Chosen: a small number, because a poll checks its time
 * limit only between batches.
 */
const DOWNLOAD_BATCH = 5;

/**
 * Renders all changes of a poll together, so that their items have the same fields in the same order. Stops when the
 * poll runs out of time, and drops the batch whose downloads didn't finish. Always keeps the first batch, so that each
 * poll makes progress.
 */
export async function renderChanges(
	poll: TriggerPoll,
	changes: readonly Change[],
	notices: Notices,
	templateFailures: TemplateFailures,
): Promise<Rendered<ItemOutput>> {
	const loaded: LoadedInspections[] = [];
	const { output, downloadFiles } = poll.parameters;
	// A report has all photos of its inspection, and they are in memory.
	const batchSize = output === 'report' ? 1 : downloadFiles ? DOWNLOAD_BATCH : Infinity;
	let failure: unknown;
	for (const line of await ignoredFilters(poll)) notices.add('missing', 'warning', line);
	try {
		for (let start = 0; start < changes.length; start += batchSize) {
			if (start > 0 && !poll.hasTimeLeft()) break;
			const batch = changes.slice(start, start + batchSize);
			// Collect the notices of a batch separately, because they're dropped together with it.
			const ofBatch = new Notices();
			let isCutShort = false;
			const inspections = batch.map(({ inspection }) => inspection);
			const loadedBatch = await loadInspections(inspections, poll.parameters, {
				...poll,
				notices: ofBatch,
				templateFailures,
				timeLimit: () => {
					if (now() - poll.startedAt < poll.budgetMs - TIMER_SLACK_MS) return undefined;
					isCutShort = true;
					return `The poll's time limit of ${Math.round(poll.budgetMs / 1000)} seconds ended before the file arrived.`;
				},
			});
			if (isCutShort && start > 0) break;
			notices.addAll(ofBatch);
			loaded.push(loadedBatch);
		}
	} catch (error) {
		failure = error;
	}
	return { items: renderInspections(loaded, notices).flat(), failure };
}
