import type { IPollFunctions } from 'n8n-workflow';

import { TemplateCache } from '../cache/templateCache';
import { messageText } from '../domain/formatting';
import { TemplateFilter } from '../fields/templateFilter';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import { POLL_BUDGET_MS, READING_MS } from '../transport/timeLimits';
import { type TriggerParameters, triggerParameters } from './fields';

/** The error if the inspections of one poll, or their templates, take too much memory. */
export const POLL_TOO_LARGE =
	"The inspections of one poll, or their templates, take more memory than n8n can spare (1 GB). Set 'Max Items' to a smaller number, or add filters";

export interface TriggerPoll {
	readonly context: IPollFunctions;
	readonly service: InspectionServiceClient;
	readonly parameters: TriggerParameters;
	readonly templates: TemplateCache;
	readonly template: TemplateFilter | undefined;
	/** When the poll started, in ms on the clock of `now`. */
	readonly startedAt: number;
	/** The time limit that n8n sets for the poll, in ms. */
	readonly budgetMs: number;
	readonly hasTimeLeft: () => boolean;
	/** Whether the poll has time to read another page. If files are downloaded, reading gets half of the time. */
	readonly hasTimeToRead: () => boolean;
}

/** Returns the time on a monotonic clock, in ms. */
export const now = () => performance.now();

/**
 * Reads the parameters and connects to the service, without sending a request. Throws InputError if a parameter can't
 * be used.
 */
export async function beginPoll(context: IPollFunctions): Promise<TriggerPoll> {
	const startedAt = now();
	const budgetMs = context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	const workMs = Math.min(budgetMs, READING_MS);
	const parameters = triggerParameters(context);
	const service = await connectToService(context);
	const templates = new TemplateCache(service, undefined, POLL_TOO_LARGE);
	const { template: wanted } = parameters;
	const template = wanted === undefined ? undefined : new TemplateFilter(wanted, templates);
	return {
		context,
		service,
		parameters,
		templates,
		template,
		startedAt,
		budgetMs,
		hasTimeLeft: () => now() - startedAt < workMs,
		hasTimeToRead: () => now() - startedAt < (parameters.downloadFiles ? workMs / 2 : workMs),
	};
}

/**
 * Writes one line to n8n's log. Removes line breaks and HTML tags, because the message can contain text from the
 * service.
 */
export function log({ context }: Pick<TriggerPoll, 'context'>, message: string): void {
	context.logger.warn(messageText(`${context.getNode().name}: ${message}`));
}
