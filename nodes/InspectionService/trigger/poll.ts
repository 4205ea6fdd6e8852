import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Change } from '../domain/changes/emitNewVersions';
import { ServiceClock } from '../domain/changes/serviceClock';
import { revisionOf } from '../domain/changes/storedCheckpoint';
import { missingParts } from '../domain/list/inspectionPage';
import { passesMutableFilters } from '../domain/list/mutableFilters';
import { MemoryBudget } from '../domain/memoryBudget';
import { trimmedEnd } from '../domain/plainText';
import { BEGINNING_OF_TIME, timestampOfMs } from '../domain/timestamp';
import { inspectionItems, type ItemOutput } from '../output/inspectionOutput';
import { includesFor } from '../output/outputChoice';
import { nodeError, thrownError } from '../transport/nodeError';
import { NO_TEMPLATES } from '../transport/templates';
import { POLL_BUDGET_MS, TIMER_SLACK_MS } from '../transport/timeLimits';
import { memorySize, type NodeMemory, polledNodes, untoldWarnings } from './nodeMemory';
import { runStoredPoll, type StoredPoll } from './storedPoll';
import { testItems } from './testEvent';
import { beginPoll, now, type TriggerPoll, warn } from './triggerPoll';

const POLL_TOO_LARGE =
	'The inspections of one poll take more memory than n8n can spare (1 GB). Set a smaller Max Items or more filters';
/** Inspections whose files are downloaded together: only after them a poll checks its time. */
const DOWNLOAD_BATCH = 5;
const OWN_KEY = 'checkpoint';
const BACKUP_PREFIX = 'inspectionServiceTrigger:';

/** By workflow, node and base URL. A copied workflow keeps its node ids. */
const POLLED_NODES = polledNodes();

/** n8n's date and time. It may be wrong by days. */
const today = () => timestampOfMs(Date.now()) ?? BEGINNING_OF_TIME;

export async function pollInspections(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	try {
		const poll = await beginPoll(context);
		const isTest = context.getMode() === 'manual';
		const items = await (isTest ? testItems(poll) : scheduledItems(poll));
		return items.length === 0 ? null : [items];
	} catch (error) {
		const shown = nodeError(context.getNode(), error);
		const { own, backup } = staticData(context).read();
		// A test in the editor and a first poll, without a checkpoint yet, have nothing to lose.
		const hasCheckpoint = revisionOf(own) > 0 || revisionOf(backup) > 0;
		if (hasCheckpoint && context.getMode() !== 'manual') {
			shown.message = `${trimmedEnd(shown.message, '.')}. Nothing is lost: the next poll goes on here.`;
		}
		throw thrownError(context.getNode(), shown);
	}
}

function staticData(context: IPollFunctions): StoredPoll['storage'] {
	const backupKey = BACKUP_PREFIX + context.getNode().id;
	return {
		read: () => {
			const own = context.getWorkflowStaticData('node');
			// What is there under another key shows that the trigger is not new. n8n's own keys begin with `__`.
			const isOfOtherVersion = Object.keys(own).some((key) => !key.startsWith('__'));
			const backup = context.getWorkflowStaticData('global')[backupKey];
			return { own: own[OWN_KEY] ?? (isOfOtherVersion ? own : undefined), backup };
		},
		write: (own, backup) => {
			context.getWorkflowStaticData('node')[OWN_KEY] = own;
			context.getWorkflowStaticData('global')[backupKey] = backup;
		},
	};
}

/** Warnings go to n8n's log: a poll can show nothing without starting the workflow. */
async function scheduledItems(poll: TriggerPoll): Promise<ItemOutput[]> {
	const { context, service, parameters, template } = poll;
	const key = [context.getWorkflow().id, context.getNode().id, service.baseUrl].join(' ');
	const memory = POLLED_NODES.getOrMake(key, () => ({ clock: new ServiceClock({ now, today }) }));
	const rendered: Rendered = { items: new Map(), problems: [] };
	const outcome = await runStoredPoll(storedPollOf(poll, memory, rendered));
	if (outcome === undefined) return [];
	POLLED_NODES.keep(key, memory, memorySize(memory));
	const items = outcome.emitted.flatMap((change) => rendered.items.get(change) ?? []);
	const inspections = [...rendered.items.keys()].map(({ inspection }) => inspection);
	const warnings = [
		...rendered.problems,
		...outcome.warnings,
		...missingParts(inspections, includesFor(parameters)),
		...(template?.hasSeenNone() === true ? [NO_TEMPLATES] : []),
	];
	for (const warning of untoldWarnings(memory, warnings, items.length > 0)) warn(poll, warning);
	const { failure } = outcome;
	if (failure !== undefined) {
		const reason = failure instanceof Error ? failure.message : String(failure);
		const end = `The poll ended early, after ${items.length} items. The next one goes on there.`;
		warn(poll, `${end} ${reason}`);
	}
	return items;
}

function storedPollOf(poll: TriggerPoll, memory: NodeMemory, rendered: Rendered): StoredPoll {
	const { context, service, parameters, template, budgetMs } = poll;
	const { id: nodeId, name: nodeName, credentials } = context.getNode();
	const { event, teamId, statuses, startFrom } = parameters;
	const budget = new MemoryBudget(POLL_TOO_LARGE);
	return {
		list: service.list,
		clock: memory.clock,
		memory,
		storage: staticData(context),
		// No other engine gives this budget.
		isInMemory: budgetMs === POLL_BUDGET_MS,
		polled: {
			nodeId,
			nodeName,
			baseUrl: service.baseUrl,
			event,
			credentialId: credentials?.inspectionServiceApi?.id ?? undefined,
			teamId,
			startFrom: startFrom?.parameter,
		},
		watch: {
			...parameters,
			includes: includesFor(parameters),
			startAt: startFrom?.moment,
			matches: (inspection) =>
				passesMutableFilters(inspection, { status: statuses }) &&
				(template?.matches(inspection) ?? true) &&
				budget.add(inspection) > 0,
		},
		prepare: template?.prepare,
		emit: (changes) => render(poll, changes, rendered),
		hasTimeLeft: poll.hasTimeLeft,
	};
}

interface Rendered {
	readonly items: Map<Change, readonly ItemOutput[]>;
	readonly problems: string[];
}

/**
 * Makes the items of changes, until the poll's time is over before all files of an inspection have come. The first
 * inspections of a poll are handed over all the same, without the files that are missing: else it would never get on.
 */
async function* render(
	poll: TriggerPoll,
	changes: readonly Change[],
	{ items, problems }: Rendered,
): AsyncGenerator<boolean> {
	const batchSize = poll.parameters.downloadFiles ? DOWNLOAD_BATCH : Infinity;
	for (let start = 0; start < changes.length; start += batchSize) {
		if (start > 0 && !poll.hasTimeLeft()) return;
		const batch = changes.slice(start, start + batchSize);
		const found: string[] = [];
		let isCutShort = false;
		const inspections = batch.map(({ inspection }) => inspection);
		const made = await inspectionItems(inspections, poll.parameters, {
			...poll,
			report: (problem) => void found.push(problem),
			timeLimit: () => {
				if (now() - poll.startedAt < poll.budgetMs - TIMER_SLACK_MS) return undefined;
				isCutShort = true;
				return `The poll's time limit of ${Math.round(poll.budgetMs / 1000)} seconds was over before the file had come.`;
			},
		});
		if (isCutShort && items.size > 0) return;
		problems.push(...found);
		for (const [index, change] of batch.entries()) {
			const some = made[index] ?? [];
			items.set(change, some);
			yield some.length > 0;
		}
	}
}
