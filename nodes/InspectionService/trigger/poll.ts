import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ServiceClock } from '../domain/changes/serviceClock';
import type { Change, ChangeSource, Watch } from '../domain/changes/watch';
import { missingParts } from '../domain/list/inspectionPage';
import { passesMutableFilters } from '../domain/list/mutableFilters';
import { MemoryBudget } from '../domain/memoryBudget';
import { trimmedEnd } from '../domain/normalizeText';
import { Notices } from '../domain/notices';
import { BEGINNING_OF_TIME, timestampOfMs } from '../domain/timestamp';
import { NO_TEMPLATES } from '../fields/templateFilter';
import type { ItemOutput } from '../output/inspectionOutput';
import { nodeError, thrownError } from '../output/nodeError';
import { includesFor } from '../output/outputChoice';
import { POLL_LEASE_FACTOR } from '../transport/timeLimits';
import {
	CheckpointStore,
	savedRevisionOf,
	type SourceIdentity,
	type StaticData,
} from './checkpointStore';
import { createNodeMemory, memorySize, newWarnings, nodeMemories } from './nodeMemory';
import { pollOnce, type PollReport, StateLostError } from './pollOnce';
import { renderChanges } from './pollOutput';
import { testItems } from './testEvent';
import { beginPoll, log, now, POLL_TOO_LARGE, type TriggerPoll } from './triggerPoll';

/**
 * The state of each trigger node, keyed by workflow, node, and base URL. The node ID alone isn't enough, because a
 * copied workflow keeps its node IDs.
 */
const NODE_MEMORIES = nodeMemories();

/** The trigger nodes that n8n has polled since it started, by workflow and node. */
const POLLED_NODES = new Set<string>();

/** The current date and time according to n8n's server, whose clock can be wrong by days. */
const today = () => timestampOfMs(Date.now()) ?? BEGINNING_OF_TIME;

export async function pollInspections(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const isAtStart = isFirstPollAfterStart(context);
	try {
		const poll = await beginPoll(context);
		const isTest = context.getMode() === 'manual';
		const items = await (isTest ? testItems(poll) : scheduledItems(poll));
		return items.length === 0 ? null : [[...items]];
	} catch (error) {
		const shown = nodeError(context.getNode(), error);
		// A test in the editor and a first poll have no checkpoint, so leave out this sentence for them.
		const isSaved = savedRevisionOf(staticDataOf(context), context.getNode().id) > 0;
		const isKept = isSaved && !(error instanceof StateLostError);
		if (isKept && context.getMode() !== 'manual') {
			shown.message = `${trimmedEnd(shown.message, '.')}. Nothing is lost: the next poll starts at the same point.`;
		}
		if (isKept && isAtStart) {
			log({ context }, shown.message);
			return null;
		}
		throw thrownError(context.getNode(), shown);
	}
}

/**
 * Whether n8n has just started, or has taken over from another main instance, and polls the node for the first time. If
 * this poll fails a few times, n8n stops the workflow, even if the service works again a minute later. So it must not
 * fail. The next poll reports a problem that lasts.
 */
function isFirstPollAfterStart(context: IPollFunctions): boolean {
	const key = `${String(context.getWorkflow().id)} ${context.getNode().id}`;
	const isFirst = !POLLED_NODES.has(key);
	POLLED_NODES.add(key);
	return isFirst && ['init', 'leadershipChange'].includes(context.getActivationMode());
}

/**
 * Returns the items of a scheduled poll. Writes problems to n8n's log, because a poll can't report them in n8n's editor
 * without starting the workflow.
 */
async function scheduledItems(poll: TriggerPoll): Promise<readonly ItemOutput[]> {
	const { context, service, parameters, template } = poll;
	const key = [context.getWorkflow().id, context.getNode().id, service.baseUrl].join(' ');
	const memory = NODE_MEMORIES.getOrMake(key, () =>
		createNodeMemory(new ServiceClock({ now, today })),
	);
	const store = new CheckpointStore(staticDataOf(context), memory, sourceOf(poll));
	const notices = new Notices();
	const warn = (text: string) => notices.add('missing', 'warning', text);
	const render = async (changes: readonly Change[]) => {
		const rendered = await renderChanges(poll, changes, notices, memory.templateFailures);
		const inspections = changes.slice(0, rendered.items.length).map(({ inspection }) => inspection);
		missingParts(inspections, includesFor(parameters)).forEach(warn);
		return rendered;
	};
	const source: ChangeSource = {
		list: service.list,
		clock: memory.clock,
		prepare: template && (async (inspections) => await template.prepare(inspections)),
		hasTimeLeft: poll.hasTimeToRead,
	};
	const report = ({ items, warnings, failure }: PollReport<ItemOutput>) => {
		warnings.forEach(warn);
		if (template?.hasSeenNoTemplate() === true) warn(NO_TEMPLATES);
		for (const line of newWarnings(memory, notices.lines(), items.length > 0)) log(poll, line);
		if (failure === undefined) return;
		const reason = failure instanceof Error ? failure.message : String(failure);
		const end = `The poll ended early, after ${items.length} items. The next poll continues from this point. Reason:`;
		log(poll, `${end} ${reason}`);
	};
	if (memory.isStateLost === true) {
		memory.isStateLost = false;
		throw new StateLostError();
	}
	const onStateLost = () => {
		// When n8n starts, it shows no failed activation, but tries again. So the first scheduled poll fails instead.
		memory.isStateLost = context.getActivationMode() === 'init';
		if (!memory.isStateLost) throw new StateLostError();
	};
	const leaseMs = poll.budgetMs * POLL_LEASE_FACTOR;
	const items = await pollOnce(
		store,
		watchOf(poll),
		source,
		{ render, report, onStateLost },
		leaseMs,
	);
	NODE_MEMORIES.keep(key, memory, memorySize(memory));
	return items ?? [];
}

function staticDataOf(context: IPollFunctions): StaticData {
	const workflow: unknown = Reflect.get(context, 'workflow');
	return {
		node: context.getWorkflowStaticData('node'),
		global: context.getWorkflowStaticData('global'),
		workflow,
	};
}

function sourceOf({ context, service, parameters }: TriggerPoll): SourceIdentity {
	const { id: nodeId, name: nodeName, credentials } = context.getNode();
	const { event, teamId, startFrom } = parameters;
	const credentialId = credentials?.inspectionServiceApi?.id ?? undefined;
	return { nodeId, nodeName, baseUrl: service.baseUrl, event, credentialId, teamId, startFrom };
}

function watchOf({ parameters, template }: TriggerPoll): Watch {
	const budget = new MemoryBudget(POLL_TOO_LARGE);
	const { sortBy, teamId, flaggedItemsOnly, lookback, settle, startAt, oncePerInspection } =
		parameters;
	return {
		...{ sortBy, teamId, flaggedItemsOnly, lookback, settle, startAt, oncePerInspection },
		maxInspections: parameters.maxItems,
		includes: includesFor(parameters),
		matches: (inspection) =>
			passesMutableFilters(inspection, { status: parameters.statuses }) &&
			(template?.matches(inspection) ?? true),
		countMemory: (inspection) => void budget.add(inspection),
	};
}
