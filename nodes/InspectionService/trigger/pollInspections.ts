import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { filterOfScope } from '../domain/cursor/cursorScope';
import { sortKeyOf } from '../domain/cursor/cursorState';
import { storedRevision } from '../domain/cursor/cursorStore';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { messageText } from '../domain/shownText';
import { isOfTemplate } from '../domain/template/templateOfInspection';
import { inspectionItems, type OutputContext } from '../output/inspectionOutput';
import { includesFor } from '../output/outputChoice';
import { connectToService } from '../transport/connectToService';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { nodeError } from '../transport/nodeError';
import {
	cacheTemplates,
	templateIdOfReference,
	type TemplateCache,
} from '../transport/templateCache';
import { newestMatch, SAMPLE_SIZE } from './manualSample';
import { takeTurn, type PollSeat } from './pollGate';
import { staticDataStorage } from './staticDataStorage';
import { runStoredPoll, type StoredPollOutcome } from './storedPoll';
import { triggerParameters, type TriggerParameters } from './triggerParameters';
import { unkeptCursor } from './unkeptCursor';

/**
 * The longest a poll reads on. n8n's in-memory engine gives five minutes but starts the next poll after one,
 * beside this one; a poll that ends earlier is simply followed by the next.
 */
const LONGEST_POLL_MS = 40_000;
/** What n8n gives a poll where it does not say: the default of its own `getPollBudgetMs` (2.41). */
const POLL_BUDGET_MS = 300_000;
/** Timers and the clock are not of one mind to the millisecond. */
const TIMER_SLACK_MS = 50;
/** Inspections whose files are downloaded together, before the time is looked at again. */
const DOWNLOAD_BATCH = 5;

type Items = INodeExecutionData[];

/** One poll of the trigger node. Null: nothing new. */
export async function pollInspections(context: IPollFunctions): Promise<Items[] | null> {
	const outcome = await settle(context);
	if ('error' in outcome) throw nodeError(context.getNode(), outcome.error);
	return outcome.items.length === 0 ? null : [outcome.items];
}

async function settle(context: IPollFunctions): Promise<{ items: Items } | { error: unknown }> {
	try {
		const startedAt = Date.now();
		const parameters = triggerParameters(context);
		const service = await connectToService(context);
		const templates = cacheTemplates(service);
		const template = templateFilter(parameters, templates);
		const poll = { context, service, parameters, templates, template, startedAt };
		if (context.getMode() === 'manual') return { items: await manualItems(poll) };
		return await pollInTurn(poll);
	} catch (error) {
		return { error };
	}
}

interface TriggerPoll {
	context: IPollFunctions;
	service: InspectionServiceClient;
	parameters: TriggerParameters;
	templates: TemplateCache;
	template: TemplateFilter;
	/** By Date.now(). */
	startedAt: number;
}

async function pollInTurn(poll: TriggerPoll): Promise<{ items: Items } | { error: unknown }> {
	const turn = takeTurn(seatOf(poll.context), Date.now);
	if (turn === undefined) return { items: [] };
	let revision: number | undefined;
	try {
		const outcome = await scheduledPoll(poll);
		({ revision } = outcome);
		return resultOf(poll.context, outcome);
	} finally {
		turn.end(revision);
	}
}

function seatOf(context: IPollFunctions): PollSeat {
	return {
		data: context.getWorkflowStaticData('node'),
		nodeKey: nodeKeyOf(context),
		budgetMs: context.getPollBudgetMs?.(),
		revision: storedRevision(staticDataStorage(context).read()),
	};
}

function nodeKeyOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

async function scheduledPoll(poll: TriggerPoll): Promise<StoredPollOutcome<INodeExecutionData>> {
	const { context, service, parameters, template } = poll;
	const { id: nodeId, name: nodeName } = context.getNode();
	const { event, scope, lookback, maxItems, oncePerInspection } = parameters;
	const { matches } = template;
	const includes = includesFor(parameters);
	return await runStoredPoll<INodeExecutionData>({
		storage: staticDataStorage(context),
		unkept: unkeptCursor(nodeKeyOf(context)),
		owner: { nodeId, nodeName, baseUrl: service.baseUrl, event },
		startFrom: parameters.startFrom,
		round: {
			question: { event, scope, includes, lookback, maxItems, oncePerInspection, matches },
			list: async (query) => await service.listInspections(query),
			prepare: template.prepare,
			render: async (inspections, isFirst) => await renderInTime(poll, inspections, isFirst),
			batch: parameters.downloadFiles ? DOWNLOAD_BATCH : Infinity,
			hasTimeLeft: () => Date.now() - poll.startedAt < readingMs(context),
		},
	});
}

/** n8n's log is where a poll can speak without starting the workflow. */
function resultOf(
	context: IPollFunctions,
	{ outputs, failure, setback, warnings }: StoredPollOutcome<INodeExecutionData>,
): { items: Items } | { error: unknown } {
	for (const warning of warnings) warn(context, warning);
	if (failure !== undefined) return { error: failure };
	if (setback === undefined) return { items: outputs };
	const reason = setback instanceof Error ? setback.message : String(setback);
	warn(
		context,
		`The poll ended early, behind ${outputs.length} items. The next one goes on there. ${reason}`,
	);
	return { items: outputs };
}

/** A test from the editor: the newest match, whatever was emitted before. Nothing is stored. */
async function manualItems(poll: TriggerPoll): Promise<Items> {
	const { context, service, parameters, template } = poll;
	await template.prepare?.();
	const { inspection, hasMore } = await newestMatch(service, {
		sortBy: sortKeyOf(parameters.event),
		filter: filterOfScope(parameters.scope),
		includes: includesFor(parameters),
		isWanted: parameters.template === undefined ? undefined : template.matches,
	});
	if (inspection !== undefined) {
		const report = (problem: string) => warn(context, problem);
		return (await itemsOf(poll, [inspection], { report })).flat();
	}
	const found = hasMore
		? `there is none among the newest ${SAMPLE_SIZE.toLocaleString('en')} inspections or so`
		: 'the service has none';
	throw new NodeOperationError(context.getNode(), 'No inspection matches this trigger yet', {
		level: 'warning',
		description: `A test shows the newest inspection that matches the filters, and ${found}. Create or update one, or change the filters, then test again. An active workflow waits for the first one.`,
	});
}

/**
 * The items of some inspections, one output each. Where the end of the poll's time cost files, they are left to the
 * next poll, which begins with them; only the first of a poll are handed over as they are.
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
			if (Date.now() - startedAt < budgetMs - TIMER_SLACK_MS) return undefined;
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

/** A line in n8n's log, where text of the service may stand as well. */
function warn(context: IPollFunctions, message: string): void {
	context.logger.warn(messageText(`${context.getNode().name}: ${message}`));
}

/** How long a poll reads on. Only durations are measured: what n8n's clock shows does not matter. */
function readingMs(context: IPollFunctions): number {
	return Math.min(context.getPollBudgetMs?.() ?? LONGEST_POLL_MS, LONGEST_POLL_MS);
}

interface TemplateFilter {
	/** Finds out the id behind an identifier, once. */
	prepare?(): Promise<void>;
	matches(inspection: InspectionRecord): boolean;
}

function templateFilter({ template }: TriggerParameters, templates: TemplateCache): TemplateFilter {
	if (template === undefined) return { matches: () => true };
	let id: string | undefined;
	return {
		prepare: async () => {
			id ??= await templateIdOfReference(template, templates);
		},
		matches: (inspection) => id !== undefined && isOfTemplate(inspection, id),
	};
}
