import type { IPollFunctions, NodeHint } from 'n8n-workflow';

import { isRecord, textOf } from '../domain/json';
import { LATE_COMMIT_SECONDS } from '../domain/list/inspectionQuery';
import { type Timestamp, timestampOf } from '../domain/timestamp';
import { optionsCollection, shownFor, time, toggle, valuesOf, wholeNumber } from '../fields/field';
import { filtersCollection, SHARED_FILTERS } from '../fields/filters';
import { OUTPUT, OUTPUT_OPTIONS } from '../fields/output';
import { chosenValues } from '../fields/parameterValue';
import { appendAdvice } from '../output/outputChoice';

/** Workflows save these values. */
const TRIGGER_EVENTS = ['updated', 'created', 'completed'] as const;

/** Chosen: one day, because an inspection can be filled in offline and sent in the evening. */
const MAX_LOOKBACK = 86_400;
/** Chosen: one day, for the same reason. */
const MAX_SETTLE_MINUTES = 1_440;
const SECONDS_PER_MINUTE = 60;

const NOT_COMPLETED = { hide: { '/event': ['completed'] } };

const { fields, fileKinds, include, maxSize, rowPerInstanceOf, ...outputOptions } = OUTPUT_OPTIONS;

/** The trigger's fields except its event. Workflows save their names and values, and rely on their defaults. */
export const TRIGGER_FIELDS = {
	output: OUTPUT,
	filters: filtersCollection({
		...SHARED_FILTERS,
		status: shownFor(SHARED_FILTERS.status, NOT_COMPLETED),
	}),
	options: optionsCollection({
		...outputOptions,
		fields,
		fileKinds,
		include,
		lookback: wholeNumber({
			displayName: 'Lookback (Seconds)',
			min: 0,
			max: MAX_LOOKBACK,
			default: LATE_COMMIT_SECONDS,
			description:
				'How late a change can appear after its own timestamp and still be detected, in seconds. Each poll reads this much again.',
		}),
		maxItems: wholeNumber({
			displayName: 'Max Items',
			min: 1,
			default: 500,
			description: 'Maximum number of inspections per poll. The next poll continues from there.',
		}),
		maxSize,
		oncePerInspection: toggle({
			displayName: 'Once per Inspection',
			displayOptions: NOT_COMPLETED,
			description:
				'Whether to start the workflow only the first time an inspection matches. The last 5,000 are remembered.',
		}),
		rowPerInstanceOf,
		startFrom: time({
			displayName: 'Start From',
			description:
				'Start with changes at this time or later, instead of with changes from now on. If you edit it, the trigger starts again from there. If you clear it, the trigger continues where it is.',
		}),
		settleMinutes: wholeNumber({
			displayName: 'Wait Until Unchanged (Minutes)',
			min: 0,
			max: MAX_SETTLE_MINUTES,
			default: 0,
			description:
				"How long an inspection must be unchanged before it starts the workflow, so that photos that sync later are included. Each change restarts the wait. With 'Inspection Created', the time since creation counts.",
		}),
	}),
};

/**
 * Returns advice about rows for a sheet. It appears next to the output until the first run, because a trigger can't
 * show hints later.
 */
export function sheetHints(): NodeHint[] {
	const isGiven = (option: string) => `!!$parameter["options"]["${option}"]`;
	return [false, true].map((isRowPerInstance) => ({
		message: appendAdvice(isRowPerInstance),
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $parameter["output"] === "row" && !${isGiven('fields')} && ${isGiven('rowPerInstanceOf')} === ${String(isRowPerInstance)} }}`,
	}));
}

export type TriggerParameters = ReturnType<typeof triggerParameters>;

/** Throws InputError if a value can't be used. No request was sent at that point. */
export function triggerParameters(context: IPollFunctions) {
	const given = context.getNodeParameter('event', 'updated');
	const [event = 'updated'] = chosenValues('Trigger On', given, TRIGGER_EVENTS);
	const { output, filters, options } = valuesOf(
		TRIGGER_FIELDS,
		(name, preset) => context.getNodeParameter(name, preset),
		context.getTimezone(),
	);
	const isCompleted = event === 'completed';
	return {
		...options,
		output,
		event,
		settle: options.settleMinutes * SECONDS_PER_MINUTE,
		sortBy: event === 'created' ? ('created_at' as const) : ('updated_at' as const),
		teamId: filters.teamId,
		statuses: isCompleted ? ['completed' as const] : filters.status,
		template: filters.templateId,
		startFrom: startFromOf(context, timestampOf(options.startFrom)),
		oncePerInspection: isCompleted || options.oncePerInspection,
	};
}

/** Returns the option Start From with its saved parameter (see `SourceIdentity`). */
function startFromOf(context: IPollFunctions, moment: Timestamp | undefined) {
	const { options }: Record<string, unknown> = context.getNode().parameters;
	const parameter = isRecord(options) ? textOf(options.startFrom) : textOf(options);
	return moment && { moment, parameter: parameter ?? moment };
}
