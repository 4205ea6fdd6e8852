import type { IPollFunctions } from 'n8n-workflow';

import { cacheTemplates } from '../cache/templateCache';
import { messageText } from '../domain/shownText';
import { templateFilter } from '../fields/templateFilter';
import { connectToService } from '../transport/inspectionServiceClient';
import { POLL_BUDGET_MS, READING_MS } from '../transport/timeLimits';
import { triggerParameters } from './fields';

export type TriggerPoll = Awaited<ReturnType<typeof beginPoll>>;

/** Monotonic clock, in ms. */
export const now = () => performance.now();

/** Throws InputError if a parameter can't be used. No request was sent at that point. */
export async function beginPoll(context: IPollFunctions) {
	const startedAt = now();
	/** Time limit that n8n sets for the poll, in ms. */
	const budgetMs = context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	const workMs = Math.min(budgetMs, READING_MS);
	const parameters = triggerParameters(context);
	const service = await connectToService(context);
	const templates = cacheTemplates(service);
	const template = templateFilter(parameters.template, templates);
	return {
		context,
		service,
		parameters,
		templates,
		template,
		startedAt,
		budgetMs,
		hasTimeLeft: () => now() - startedAt < workMs,
		/** Downloads follow the reading and get the same amount of time. */
		hasTimeToRead: () => now() - startedAt < (parameters.downloadFiles ? workMs / 2 : workMs),
	};
}

/** Writes one line to n8n's log. Text from the service can't add a line or a tag. */
export function log({ context }: Pick<TriggerPoll, 'context'>, message: string): void {
	context.logger.warn(messageText(`${context.getNode().name}: ${message}`));
}
