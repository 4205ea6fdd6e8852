import {
	type INodeExecutionData,
	type IPollFunctions,
	type NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { revisionOf } from '../domain/changes/storedCheckpoint';
import { missingParts } from '../domain/list/askedParts';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { passesMovingFilters } from '../domain/list/movingFilter';
import { type ListOptions, readFirst } from '../domain/list/readFirst';
import { htmlText, messageText } from '../domain/shownText';
import { trimmedEnd } from '../domain/trimmedEnd';
import { inspectionItems, type OutputContext } from '../output/inspectionOutput';
import { includesFor } from '../output/outputChoice';
import { connectToService } from '../transport/connectToService';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { nodeError } from '../transport/nodeError';
import { listOf } from '../transport/serviceList';
import { cacheTemplates, type TemplateCache } from '../transport/templateCache';
import {
	NO_TEMPLATES,
	preparedList,
	type TemplateFilter,
	templateFilter,
} from '../transport/templateFilter';
import { POLL_BUDGET_MS, READING_MS, TIMER_SLACK_MS } from '../transport/timeLimits';
import { clockOf, memoryOf, type NodeMemory } from './nodeMemory';
import { timeOfEvent, triggerParameters, type TriggerParameters } from './parameters';
import { isInMemory, takeLock } from './pollLock';
import { staticData } from './staticData';
import { runStoredPoll, type StoredPollOutcome } from './storedPoll';
import { givesItems, mayGiveNone, noSample, SAMPLE_PAGES } from './testEvent';

/** Inspections whose files are downloaded together. Chosen: few, because only after them a poll checks its time. */
const DOWNLOAD_BATCH = 5;

type Items = INodeExecutionData[];

/** One poll of the trigger node. Null stands for nothing new. */
export async function pollInspections(context: IPollFunctions): Promise<Items[] | null> {
	try {
		const items = await pollOnce(context);
		return items.length === 0 ? null : [items];
	} catch (error) {
		throw pollError(context, error);
	}
}

/** The end of a failed poll's message: people fear for the changes that it was to bring. */
const NOTHING_LOST = 'Nothing is lost: the next poll goes on here.';

/** The error of a poll. A test in the editor has nothing to lose, and so has the first poll: it has no checkpoint yet. */
function pollError(context: IPollFunctions, error: unknown): NodeApiError | NodeOperationError {
	const shown = nodeError(context.getNode(), error);
	const { own, backup } = staticData(context).read();
	const hasCheckpoint = revisionOf(own) > 0 || revisionOf(backup) > 0;
	if (hasCheckpoint && context.getMode() !== 'manual') {
		shown.message = `${trimmedEnd(shown.message, '.')}. ${NOTHING_LOST}`;
	}
	return shown;
}

/** Milliseconds of a clock that nobody sets. It measures durations only, because n8n's date may be wrong by days. */
const now = () => performance.now();

async function pollOnce(context: IPollFunctions): Promise<Items> {
	const startedAt = now();
	const parameters = triggerParameters(context);
	const service = await connectToService(context);
	const templates = cacheTemplates(service);
	const template = templateFilter(parameters.template, templates);
	const poll = { context, service, parameters, templates, template, startedAt };
	return context.getMode() === 'manual' ? await testItems(poll) : await pollAlone(poll);
}

interface TriggerPoll {
	context: IPollFunctions;
	service: InspectionServiceClient;
	parameters: TriggerParameters;
	templates: TemplateCache;
	template: TemplateFilter | undefined;
	/** The value of `now()` at that moment. */
	startedAt: number;
}

/** Polls unless another poll of the node is in the way: then it returns nothing, and a later poll finds the changes. */
async function pollAlone(poll: TriggerPoll): Promise<Items> {
	const { context } = poll;
	const memory = memoryOf(String(context.getWorkflow().id), context.getNode().id);
	const revision = revisionOf(staticData(context).read().own);
	const lock = takeLock(memory, { budgetMs: context.getPollBudgetMs?.(), revision }, now);
	if (lock === undefined) return [];
	try {
		return itemsToEmit(context, await scheduledPoll(poll, memory));
	} finally {
		lock.release();
	}
}

async function scheduledPoll(
	poll: TriggerPoll,
	memory: NodeMemory,
): Promise<StoredPollOutcome<INodeExecutionData>> {
	const { context, service, parameters, template } = poll;
	const { id: nodeId, name: nodeName, credentials } = context.getNode();
	const credentialId = credentials?.inspectionServiceApi?.id ?? undefined;
	const { baseUrl } = service;
	const { event, teamId, startFrom, lookback, maxItems, oncePerInspection } = parameters;
	const rendered: InspectionRecord[] = [];
	const outcome = await runStoredPoll<INodeExecutionData>({
		...listOf(service),
		...{ memory, storage: staticData(context), clock: clockOf(memory, baseUrl, now) },
		isInMemory: isInMemory(context.getPollBudgetMs?.()),
		polled: { nodeId, nodeName, baseUrl, credentialId, event, teamId, startFrom },
		watch: {
			...{ filter: { teamId }, includes: includesFor(parameters) },
			...{ sortBy: timeOfEvent(event), lookback, maxItems, oncePerInspection },
			matches: (inspection) => isWanted(poll, inspection),
		},
		prepare: template?.prepare,
		async render(inspections, isFirst) {
			rendered.push(...inspections);
			return await renderInTime(poll, inspections, isFirst);
		},
		batch: parameters.downloadFiles ? DOWNLOAD_BATCH : Infinity,
		hasTimeLeft: () => now() - poll.startedAt < readingMs(context),
	});
	const missing = missingParts(rendered, includesFor(parameters));
	const noTemplates = template?.hasSeenNone() === true ? [NO_TEMPLATES] : [];
	return { ...outcome, warnings: [...outcome.warnings, ...missing, ...noTemplates] };
}

/** The filters that the node applies itself. The service applies the filter Team. */
function isWanted({ parameters, template }: TriggerPoll, inspection: InspectionRecord): boolean {
	const hasStatus = passesMovingFilters(inspection, { status: parameters.statuses });
	return hasStatus && (template?.matches(inspection) ?? true);
}

/** The items to hand over to n8n. Warnings go to n8n's log: a poll can show nothing without starting the workflow. */
function itemsToEmit(
	context: IPollFunctions,
	{ outputs, setback, warnings }: StoredPollOutcome<INodeExecutionData>,
): Items {
	for (const warning of warnings) warn(context, warning);
	if (setback !== undefined) {
		const reason = setback instanceof Error ? setback.message : String(setback);
		warn(
			context,
			`The poll ended early, after ${outputs.length} items. The next one goes on there. ${reason}`,
		);
	}
	return outputs;
}

/**
 * For a test in the editor: the newest inspection that matches and gives an item, also where it was emitted before.
 * Nothing is stored.
 */
async function testItems(poll: TriggerPoll): Promise<Items> {
	const { context, service, parameters, template } = poll;
	await template?.prepare([]);
	const { teamId, statuses, event, output } = parameters;
	const matching = new Set<string>();
	const isShown = (inspection: InspectionRecord) => {
		if (template?.matches(inspection) === false) return false;
		matching.add(inspection.id);
		return givesItems(inspection, output);
	};
	const options = {
		filter: { teamId, status: statuses },
		includes: includesFor(parameters),
		...{ sortBy: timeOfEvent(event), sortOrder: 'desc' },
		isWanted: template === undefined && !mayGiveNone(output) ? undefined : isShown,
	} satisfies ListOptions;
	const source = preparedList(listOf(service), template);
	const newest = await readFirst(options, 1, source, SAMPLE_PAGES);
	const [inspection] = newest.inspections;
	if (inspection !== undefined) {
		const report = (problem: string) => warn(context, problem);
		return (await itemsOf(poll, [inspection], { report })).flat();
	}
	const problem = noSample(parameters, {
		matching: matching.size,
		isCutShort: newest.isCutShort,
		hasNoTemplates: template?.hasSeenNone() === true,
	});
	throw new NodeOperationError(context.getNode(), problem.message, {
		level: 'warning',
		description: htmlText(problem.description),
	});
}

/**
 * The items of some inspections, a list for each. Undefined where the poll's time was over before all of their files had
 * come: the next poll begins with these inspections. The first inspections of a poll are handed over all the same,
 * without the files that are missing. Otherwise a poll with too little time would never get on.
 */
async function renderInTime(
	poll: TriggerPoll,
	inspections: readonly InspectionRecord[],
	isFirst: boolean,
): Promise<Items[] | undefined> {
	const { context, startedAt } = poll;
	const budgetMs = context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	const problems: string[] = [];
	let isCutShort = false;
	const items = await itemsOf(poll, inspections, {
		report: (problem) => void problems.push(problem),
		timeLimit: () => {
			if (now() - startedAt < budgetMs - TIMER_SLACK_MS) return undefined;
			isCutShort = true;
			return `The poll's time limit of ${Math.round(budgetMs / 1000)} seconds was over before the file had come.`;
		},
	});
	if (isCutShort && !isFirst) return undefined;
	for (const problem of problems) warn(context, problem);
	return items;
}

async function itemsOf(
	{ context, service, parameters, templates }: TriggerPoll,
	inspections: readonly InspectionRecord[],
	{ report, timeLimit }: Pick<OutputContext, 'report' | 'timeLimit'>,
): Promise<Items[]> {
	const output = { context, service, templates, report, timeLimit };
	const items = await inspectionItems(inspections, parameters, output);
	return items.map((list) => list.map((item) => ({ ...item })));
}

/** Writes one line into n8n's log. Text of the service in it can add neither a line nor a tag. */
function warn(context: IPollFunctions, message: string): void {
	context.logger.warn(messageText(`${context.getNode().name}: ${message}`));
}

/** How long a poll goes on reading pages, in ms. */
function readingMs(context: IPollFunctions): number {
	return Math.min(context.getPollBudgetMs?.() ?? READING_MS, READING_MS);
}
