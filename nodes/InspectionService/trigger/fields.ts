import type { IPollFunctions, NodeHint } from 'n8n-workflow';

import { isRecord, textOf } from '../domain/json';
import { LATE_COMMIT_SECONDS } from '../domain/list/inspectionQuery';
import { timestampOf } from '../domain/timestamp';
import {
	choice,
	optionsCollection,
	shownFor,
	time,
	toggle,
	valuesOf,
	wholeNumber,
} from '../fields/field';
import { filtersCollection, SHARED_FILTERS } from '../fields/filters';
import { OUTPUT, OUTPUT_OPTIONS } from '../fields/output';
import { appendAdvice } from '../output/outputChoice';

/**
 * Maximum lookback, in seconds. Chosen: one day, because people can fill in an inspection offline and send it in the
 * evening.
 */
const MAX_LOOKBACK = 86_400;
/** Maximum wait until an inspection is unchanged, in minutes. Chosen: one day, for the same reason. */
const MAX_SETTLE_MINUTES = 1_440;
const SECONDS_PER_MINUTE = 60;

const NOT_COMPLETED = { hide: { '/event': ['completed'] } };

/** Saved workflows contain the names and values of parameters and rely on their defaults, so these must not change. */
export const TRIGGER_FIELDS = {
	event: choice({
		displayName: 'Trigger On',
		noDataExpression: true,
		options: [
			{
				name: 'Inspection Completed',
				value: 'completed',
				description:
					"Once per inspection, when it's first completed. Older completed inspections start the workflow if they change.",
			},
			{
				name: 'Inspection Created',
				value: 'created',
				description: 'Each new inspection, once',
			},
			{
				name: 'Inspection Created or Updated',
				value: 'updated',
				description: 'Each new inspection, and each change to an inspection',
			},
		],
		default: 'completed',
	}),
	output: OUTPUT,
	filters: filtersCollection({
		...SHARED_FILTERS,
		status: shownFor(SHARED_FILTERS.status, NOT_COMPLETED),
	}),
	options: optionsCollection({
		...OUTPUT_OPTIONS,
		lookback: wholeNumber({
			displayName: 'Lookback (Seconds)',
			min: 0,
			max: MAX_LOOKBACK,
			default: LATE_COMMIT_SECONDS,
			description: 'How late a change can appear in the list and still be detected, in seconds',
		}),
		maxItems: wholeNumber({
			displayName: 'Max Items',
			min: 1,
			default: 500,
			description: 'Maximum number of inspections per poll. The next poll returns the rest.',
		}),
		oncePerInspection: toggle({
			displayName: 'Once per Inspection',
			displayOptions: NOT_COMPLETED,
			description:
				'Whether to start the workflow only the first time an inspection matches. The trigger remembers the last 5,000 inspections.',
		}),
		startFrom: time({
			displayName: 'Start From',
			description:
				'Start with changes from this time on. If you edit this time, the trigger starts over from the new time.',
		}),
		settleMinutes: wholeNumber({
			displayName: 'Wait Until Unchanged (Minutes)',
			min: 0,
			max: MAX_SETTLE_MINUTES,
			default: 0,
			description:
				'How long an inspection must be unchanged before it starts the workflow, for photos that sync later',
		}),
	}),
};

/**
 * Returns hints about writing rows to a sheet. They appear next to the output until the first run, because n8n shows no
 * other hints of a trigger.
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

/** Reads the parameters of the trigger. Throws InputError if a value can't be used. */
export function triggerParameters(context: IPollFunctions) {
	const { event, output, filters, options } = valuesOf(
		TRIGGER_FIELDS,
		(name, preset) => context.getNodeParameter(name, preset),
		context.getTimezone(),
	);
	const isCompleted = event === 'completed';
	const startAt = timestampOf(options.startFrom);
	return {
		...options,
		output,
		event,
		settle: options.settleMinutes * SECONDS_PER_MINUTE,
		sortBy: event === 'created' ? ('created_at' as const) : ('updated_at' as const),
		flaggedItemsOnly: filters.flaggedItemsOnly,
		teamId: filters.teamId,
		statuses: isCompleted ? ['completed' as const] : filters.status,
		template: filters.templateId,
		startAt,
		startFrom: startAt && (savedStartFrom(context) ?? startAt),
		oncePerInspection: isCompleted || options.oncePerInspection,
	};
}

/** Returns the saved text of the option Start From (see `SourceIdentity`): a time, or an expression. */
function savedStartFrom(context: IPollFunctions): string | undefined {
	const { options }: Record<string, unknown> = context.getNode().parameters;
	return textOf(isRecord(options) ? options.startFrom : options);
}
