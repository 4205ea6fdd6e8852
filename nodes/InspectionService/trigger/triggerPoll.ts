import type { IPollFunctions } from 'n8n-workflow';

import { TemplateCache } from '../cache/templateCache';
import { messageText } from '../domain/formatting';
import { type TemplateFilter, templateFilterFor } from '../fields/templateFilter';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import { POLL_BUDGET_MS, READING_MS } from '../transport/timeLimits';
import { type TriggerParameters, triggerParameters } from './fields';

export interface TriggerPoll {
	readonly context: IPollFunctions;
	readonly service: InspectionServiceClient;
	readonly parameters: TriggerParameters;
	readonly templates: TemplateCache;
	readonly template: TemplateFilter | undefined;
	/** On the clock of `now`, in ms. */
	readonly startedAt: number;
	/** Time limit that n8n sets for the poll, in ms. */
	readonly budgetMs: number;
	readonly hasTimeLeft: () => boolean;
	/** Downloads follow the reading and get the same amount of time. */
	readonly hasTimeToRead: () => boolean;
}

/** Monotonic clock, in ms. */
export const now = () => performance.now();

/** Throws InputError if a parameter can't be used. No request was sent at that point. */
export async function beginPoll(context: IPollFunctions): Promise<TriggerPoll> {
	const startedAt = now();
	const budgetMs = context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	const workMs = Math.min(budgetMs, READING_MS);
	const parameters = triggerParameters(context);
	const service = await connectToService(context);
	const templates = new TemplateCache(service);
	const template = templateFilterFor(parameters.template, templates);
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

/** Writes one line to n8n's log. Text from the service can't add a line or a tag. */
export function log({ context }: Pick<TriggerPoll, 'context'>, message: string): void {
	context.logger.warn(messageText(`${context.getNode().name}: ${message}`));
}
