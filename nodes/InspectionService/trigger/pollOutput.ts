import type { Change } from '../domain/changes/changePoller';
import { ExecutionOutput, type ItemOutput } from '../output/inspectionOutput';
import { TIMER_SLACK_MS } from '../transport/timeLimits';
import type { Rendered } from './pollOnce';
import { now, type TriggerPoll } from './triggerPoll';

/** Chosen: inspections whose files are downloaded together. Only between batches a poll checks its time. */
const DOWNLOAD_BATCH = 5;

/**
 * Renders all changes of a poll into one output, so that they share one header. Stops when the poll's time is over before
 * all files of a batch have come. The first batch is rendered anyway, without the missing files: otherwise the trigger
 * would never make progress. `report` gets a sentence for each problem.
 */
export async function renderChanges(
	poll: TriggerPoll,
	changes: readonly Change[],
	report: (problem: string) => void,
): Promise<Rendered<ItemOutput>> {
	const output = new ExecutionOutput();
	const items: ItemOutput[][] = [];
	const renderers: (() => ItemOutput[][])[] = [];
	const batchSize = poll.parameters.downloadFiles ? DOWNLOAD_BATCH : Infinity;
	let failure: unknown;
	try {
		for (let start = 0; start < changes.length; start += batchSize) {
			if (start > 0 && !poll.hasTimeLeft()) break;
			const batch = changes.slice(start, start + batchSize);
			const problems: string[] = [];
			let isCutShort = false;
			const inspections = batch.map(({ inspection }) => inspection);
			const renderBatch = await output.add(inspections, poll.parameters, {
				...poll,
				report: (problem) => void problems.push(problem),
				timeLimit: () => {
					if (now() - poll.startedAt < poll.budgetMs - TIMER_SLACK_MS) return undefined;
					isCutShort = true;
					return `The poll's time limit of ${Math.round(poll.budgetMs / 1000)} seconds was over before the file had come.`;
				},
			});
			if (isCutShort && start > 0) break;
			problems.forEach(report);
			renderers.push(renderBatch);
		}
	} catch (error) {
		failure = error;
	}
	for (const renderBatch of renderers) items.push(...renderBatch());
	output.problems().forEach(report);
	return { items, failure };
}
