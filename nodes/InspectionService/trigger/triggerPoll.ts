import type { IPollFunctions } from 'n8n-workflow';

import type { InspectionRecord } from '../domain/list/inspectionPage';
import { messageText } from '../domain/shownText';
import { BEGINNING_OF_TIME, timestampOfMs } from '../domain/timestamp';
import {
	type InspectionItem,
	inspectionItems,
	type OutputContext,
} from '../output/inspectionOutput';
import {
	connectToService,
	type InspectionServiceClient,
} from '../transport/inspectionServiceClient';
import {
	cacheTemplates,
	type TemplateCache,
	type TemplateFilter,
	templateFilter,
} from '../transport/templates';
import { triggerParameters, type TriggerParameters } from './parameters';

/** What one poll of the trigger node works with. */
export interface TriggerPoll {
	readonly context: IPollFunctions;
	readonly service: InspectionServiceClient;
	readonly parameters: TriggerParameters;
	readonly templates: TemplateCache;
	/** Undefined for any template. */
	readonly template: TemplateFilter | undefined;
	/** The value of `now()` at that moment. */
	readonly startedAt: number;
}

/** Milliseconds of a clock that nobody sets. It measures durations. */
export const now = () => performance.now();
/** n8n's date and time. It may be wrong by days, so it only bounds what the service's clock may show. */
export const today = () => timestampOfMs(Date.now()) ?? BEGINNING_OF_TIME;

/** Throws InputError where a parameter cannot be used: nothing is sent then. */
export async function beginPoll(context: IPollFunctions): Promise<TriggerPoll> {
	const startedAt = now();
	const parameters = triggerParameters(context);
	const service = await connectToService(context);
	const templates = cacheTemplates(service);
	const template = templateFilter(parameters.template, templates);
	return { context, service, parameters, templates, template, startedAt };
}

/** The items of some inspections, a list for each. */
export async function itemsOf(
	{ context, service, parameters, templates }: TriggerPoll,
	inspections: readonly InspectionRecord[],
	{ report, timeLimit }: Pick<OutputContext, 'report' | 'timeLimit'>,
): Promise<InspectionItem[][]> {
	const output = { context, service, templates, report, timeLimit };
	return await inspectionItems(inspections, parameters, output);
}

/** Writes one line into n8n's log. Text of the service in it can add neither a line nor a tag. */
export function warn({ context }: Pick<TriggerPoll, 'context'>, message: string): void {
	context.logger.warn(messageText(`${context.getNode().name}: ${message}`));
}
