import type { IPollFunctions } from 'n8n-workflow';

import { isRecord, type JsonValue, textOf } from '../domain/json';
import { type SortBy, type Status } from '../domain/list/inspectionQuery';
import { type Timestamp, timestampOf } from '../domain/timestamp';
import { valuesOf } from '../fields/field';
import { SHARED_FILTERS } from '../fields/filters';
import { OUTPUT, OUTPUT_OPTIONS } from '../fields/output';
import { booleanOf, choiceOf, dateOf, membersOf, wholeNumberOf } from '../fields/parameterValue';
import type { OutputChoice } from '../output/outputChoice';
import { DEFAULT_LOOKBACK, DEFAULT_MAX_ITEMS, MAX_LOOKBACK } from './fields';

/** The events that a trigger can watch for. These values are saved in workflows. */
export const TRIGGER_EVENTS = ['updated', 'created', 'completed'] as const;
export type TriggerEvent = (typeof TRIGGER_EVENTS)[number];

/** The time by which the trigger notices an event: that of creation, or that of the last update. */
export function timeOfEvent(event: TriggerEvent): SortBy {
	return event === 'created' ? 'created_at' : 'updated_at';
}

/** The option Start From. */
export interface StartFrom {
	/** The parameter as it is saved, also an expression: see `Polled`. */
	readonly parameter: string;
	/** Its value now. */
	readonly moment: Timestamp;
}

/** The trigger's parameters, checked. */
export interface TriggerParameters extends OutputChoice {
	event: TriggerEvent;
	/** Undefined for any team. */
	teamId: string | undefined;
	/** Empty for any status. */
	statuses: readonly Status[];
	/** Id or identifier; undefined for any template. */
	template: string | undefined;
	startFrom: StartFrom | undefined;
	/** Seconds. */
	lookback: number;
	maxItems: number;
	oncePerInspection: boolean;
}

/** Throws InputError where a value cannot be used: nothing is sent then. */
export function triggerParameters(context: IPollFunctions): TriggerParameters {
	const filters = membersOf(context.getNodeParameter('filters', {}));
	const options = membersOf(context.getNodeParameter('options', {}));
	const zone = context.getTimezone();
	const event =
		choiceOf('Trigger On', context.getNodeParameter('event', 'updated'), TRIGGER_EVENTS) ??
		'updated';
	const isOnce = booleanOf('Once per Inspection', options.oncePerInspection, false);
	return {
		output: OUTPUT.read(context.getNodeParameter('output', 'simplified'), zone),
		...valuesOf(OUTPUT_OPTIONS, (name) => options[name], zone),
		event,
		teamId: SHARED_FILTERS.teamId.read(filters.teamId, zone),
		statuses: event === 'completed' ? ['completed'] : SHARED_FILTERS.status.read(filters.status),
		template: SHARED_FILTERS.templateId.read(filters.templateId, zone),
		startFrom: startFromOf(context, options.startFrom),
		lookback: wholeNumberOf('Lookback', options.lookback ?? DEFAULT_LOOKBACK, {
			min: 0,
			max: MAX_LOOKBACK,
		}),
		maxItems: wholeNumberOf('Max Items', options.maxItems ?? DEFAULT_MAX_ITEMS, { min: 1 }),
		oncePerInspection: event === 'completed' || isOnce,
	};
}

function startFromOf(context: IPollFunctions, value: JsonValue | undefined): StartFrom | undefined {
	const moment = timestampOf(dateOf('Start From', value, context.getTimezone()));
	const { options }: Record<string, unknown> = context.getNode().parameters;
	const parameter = isRecord(options) ? textOf(options.startFrom) : textOf(options);
	return moment && { moment, parameter: parameter ?? moment };
}
