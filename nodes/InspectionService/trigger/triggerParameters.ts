import type { IPollFunctions } from 'n8n-workflow';

import type { CursorScope } from '../domain/cursor/cursorScope';
import type { CursorEvent } from '../domain/cursor/cursorState';
import { STATUSES } from '../domain/list/inspectionQuery';
import { timestampOf, type Timestamp } from '../domain/timestamp';
import { outputChoice } from '../fields/inspectionOutput';
import {
	booleanOf,
	choiceOf,
	choicesOf,
	dateOf,
	membersOf,
	wholeNumberOf,
} from '../fields/parameterValue';
import { locatorId } from '../fields/recentLocator';
import { templateReference } from '../fields/templateLocator';
import type { OutputChoice } from '../output/outputChoice';
import { DEFAULT_LOOKBACK, DEFAULT_MAX_ITEMS, MAX_LOOKBACK } from './triggerFields';

/** The trigger's parameters, checked. */
export interface TriggerParameters extends OutputChoice {
	event: CursorEvent;
	scope: CursorScope;
	/** Id or identifier; undefined for any template. */
	template: string | undefined;
	startFrom: Timestamp | undefined;
	/** Seconds. */
	lookback: number;
	maxItems: number;
	oncePerInspection: boolean;
}

/** @throws InputError where a value cannot be used: nothing is sent then */
export function triggerParameters(context: IPollFunctions): TriggerParameters {
	const filters = membersOf(context.getNodeParameter('filters', {}));
	const options = membersOf(context.getNodeParameter('options', {}));
	const event = context.getNodeParameter('event', 'updated');
	return {
		...outputChoice(context.getNodeParameter('output', 'simplified'), options),
		event: choiceOf('Trigger On', event, ['updated', 'created']) ?? 'updated',
		scope: {
			teamId: locatorId(filters.teamId),
			status: choicesOf('Statuses', filters.status, STATUSES),
		},
		template: templateReference(filters.templateId),
		startFrom: timestampOf(dateOf('Start From', options.startFrom, context.getTimezone())),
		lookback: wholeNumberOf('Lookback', options.lookback ?? DEFAULT_LOOKBACK, {
			min: 0,
			max: MAX_LOOKBACK,
		}),
		maxItems: wholeNumberOf('Max Items', options.maxItems ?? DEFAULT_MAX_ITEMS, { min: 1 }),
		oncePerInspection: booleanOf('Once per Inspection', options.oncePerInspection, false),
	};
}
