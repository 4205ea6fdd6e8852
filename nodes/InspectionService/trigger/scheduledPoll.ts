import type { Watch } from '../domain/changes/emitNewVersions';
import { type Polled, revisionOf } from '../domain/changes/storedCheckpoint';
import { missingParts } from '../domain/list/askedParts';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { passesMovingFilters } from '../domain/list/movingFilter';
import { MemoryBudget } from '../domain/memoryBudget';
import type { InspectionItem } from '../output/inspectionOutput';
import { includesFor } from '../output/outputChoice';
import { NO_TEMPLATES } from '../transport/templates';
import { POLL_BUDGET_MS, READING_MS, TIMER_SLACK_MS } from '../transport/timeLimits';
import { clockOf, type NodeMemory, PolledNodes, untoldWarnings } from './nodeMemory';
import { timeOfEvent } from './parameters';
import { isInMemory, takeLock } from './pollLock';
import { staticData } from './staticData';
import { runStoredPoll, type StoredPoll } from './storedPoll';
import { itemsOf, now, today, type TriggerPoll, warn } from './triggerPoll';

const TOO_MUCH =
	'The inspections of one poll take more memory than n8n can spare (1 GB). Set a smaller Max Items or more filters';
/** Inspections whose files are downloaded together. Few, because only after them a poll checks its time. */
const DOWNLOAD_BATCH = 5;

const POLLED_NODES = new PolledNodes();

/**
 * The items of a poll of an active workflow. Where another poll of the node is in the way, there are none, and a later
 * poll finds the changes.
 */
export async function scheduledItems(poll: TriggerPoll): Promise<InspectionItem[]> {
	const { context } = poll;
	const memory = POLLED_NODES.memoryOf(
		String(context.getWorkflow().id),
		context.getNode().id,
		now(),
	);
	const revision = revisionOf(staticData(context).read().own);
	const lock = takeLock(memory, { budgetMs: context.getPollBudgetMs?.(), revision }, now);
	if (lock === undefined) return [];
	try {
		return await pollAlone(poll, memory);
	} finally {
		lock.release();
	}
}

/** What a poll has made items of. */
interface Rendered {
	readonly inspections: InspectionRecord[];
	/** A sentence for each thing that is missing from the items. */
	readonly problems: string[];
}

/** One poll. Its warnings go to n8n's log: a poll can show nothing without starting the workflow. */
async function pollAlone(poll: TriggerPoll, memory: NodeMemory): Promise<InspectionItem[]> {
	const { parameters, template } = poll;
	const rendered: Rendered = { inspections: [], problems: [] };
	const { outputs, setback, warnings } = await runStoredPoll(storedPollOf(poll, memory, rendered));
	const missing = missingParts(rendered.inspections, includesFor(parameters));
	const noTemplates = template?.hasSeenNone() === true ? [NO_TEMPLATES] : [];
	const all = [...rendered.problems, ...warnings, ...missing, ...noTemplates];
	for (const warning of untoldWarnings(memory, all, outputs.length > 0)) warn(poll, warning);
	if (setback !== undefined) {
		const reason = setback instanceof Error ? setback.message : String(setback);
		warn(
			poll,
			`The poll ended early, after ${outputs.length} items. The next one goes on there. ${reason}`,
		);
	}
	return outputs;
}

function storedPollOf(
	poll: TriggerPoll,
	memory: NodeMemory,
	rendered: Rendered,
): StoredPoll<InspectionItem> {
	const { context, service, parameters, template, startedAt } = poll;
	const budgetMs = context.getPollBudgetMs?.();
	const readingMs = Math.min(budgetMs ?? READING_MS, READING_MS);
	return {
		list: service.list,
		clock: clockOf(memory, service.baseUrl, { now, today }),
		memory,
		storage: staticData(context),
		isInMemory: isInMemory(budgetMs),
		polled: polledOf(poll),
		watch: watchOf(poll),
		prepare: template?.prepare,
		render: async (inspections, isFirst) =>
			await renderInTime(poll, inspections, { isFirst, rendered }),
		batch: parameters.downloadFiles ? DOWNLOAD_BATCH : Infinity,
		hasTimeLeft: () => now() - startedAt < readingMs,
	};
}

function polledOf({ context, service: { baseUrl }, parameters }: TriggerPoll): Polled {
	const { id: nodeId, name: nodeName, credentials } = context.getNode();
	const { event, teamId, startFrom } = parameters;
	const credentialId = credentials?.inspectionServiceApi?.id ?? undefined;
	return {
		nodeId,
		nodeName,
		baseUrl,
		event,
		credentialId,
		teamId,
		startFrom: startFrom?.parameter,
	};
}

function watchOf(poll: TriggerPoll): Watch {
	const { event, teamId, startFrom, lookback, maxItems, oncePerInspection } = poll.parameters;
	const budget = new MemoryBudget(TOO_MUCH);
	return {
		sortBy: timeOfEvent(event),
		filter: { teamId },
		includes: includesFor(poll.parameters),
		startAt: startFrom?.moment,
		lookback,
		maxItems,
		oncePerInspection,
		matches: (inspection) => isWanted(poll, inspection) && budget.add(inspection) > 0,
	};
}

/** The filters that the node applies itself. The service applies the filter Team. */
function isWanted({ parameters, template }: TriggerPoll, inspection: InspectionRecord): boolean {
	const hasStatus = passesMovingFilters(inspection, { status: parameters.statuses });
	return hasStatus && (template?.matches(inspection) ?? true);
}

/**
 * The items of some inspections, a list for each. Undefined where the poll's time was over before all of their files had
 * come: the next poll begins with these inspections. The first inspections of a poll are handed over all the same,
 * without the files that are missing. Otherwise a poll with too little time would never get on.
 */
async function renderInTime(
	poll: TriggerPoll,
	inspections: readonly InspectionRecord[],
	{ isFirst, rendered }: { isFirst: boolean; rendered: Rendered },
): Promise<InspectionItem[][] | undefined> {
	const budgetMs = poll.context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	const problems: string[] = [];
	let isCutShort = false;
	const items = await itemsOf(poll, inspections, {
		report: (problem) => void problems.push(problem),
		timeLimit: () => {
			if (now() - poll.startedAt < budgetMs - TIMER_SLACK_MS) return undefined;
			isCutShort = true;
			return `The poll's time limit of ${Math.round(budgetMs / 1000)} seconds was over before the file had come.`;
		},
	});
	if (isCutShort && !isFirst) return undefined;
	rendered.inspections.push(...inspections);
	rendered.problems.push(...problems);
	return items;
}
