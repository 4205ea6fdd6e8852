import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { MAX_EMITTED_MARKS } from '../domain/changes/checkpoint';
import { LATE_COMMIT_SECONDS } from '../domain/list/inspectionQuery';
import { propertiesOf } from '../fields/field';
import { SHARED_FILTERS } from '../fields/filters';
import { OUTPUT, OUTPUT_OPTIONS } from '../fields/output';
import { sheetAdviceFor } from '../output/outputChoice';

/** Seconds. It must not change: saved workflows without the option rely on it. */
export const DEFAULT_LOOKBACK = LATE_COMMIT_SECONDS;
/** Seconds: one day. An inspection may be written where there is no network, and sent in the evening. */
export const MAX_LOOKBACK = 86_400;
/** It must not change: saved workflows without the option rely on it. */
export const DEFAULT_MAX_ITEMS = 500;

/** Hides a field for the event "completed", which says itself which inspections start the workflow, and how often. */
const NOT_COMPLETED = { hide: { '/event': ['completed'] } };

function hiddenWhereTheEventSaysIt(field: INodeProperties): INodeProperties {
	return field.name === 'status' ? { ...field, displayOptions: NOT_COMPLETED } : field;
}

/** The trigger's fields besides its event. Their names and values are saved in workflows. */
export function triggerFields(): INodeProperties[] {
	return [
		...propertiesOf({ output: OUTPUT }),
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: propertiesOf(SHARED_FILTERS).map(hiddenWhereTheEventSaysIt),
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: triggerOptions().toSorted((a, b) => a.displayName.localeCompare(b.displayName)),
		},
	];
}

function triggerOptions(): INodeProperties[] {
	return [
		...propertiesOf(OUTPUT_OPTIONS),
		{
			displayName: 'Lookback (Seconds)',
			name: 'lookback',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: MAX_LOOKBACK },
			default: DEFAULT_LOOKBACK,
			description:
				'How many seconds later than its own timestamp a change may become visible and still be noticed. Each poll reads that much again.',
		},
		{
			displayName: 'Max Items',
			name: 'maxItems',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_MAX_ITEMS,
			description:
				'How many inspections one poll hands over at most. The next poll goes on from there.',
		},
		{
			displayName: 'Once per Inspection',
			name: 'oncePerInspection',
			displayOptions: NOT_COMPLETED,
			type: 'boolean',
			default: false,
			description: `Whether to start the workflow only the first time an inspection matches. The last ${MAX_EMITTED_MARKS.toLocaleString('en')} are remembered.`,
		},
		{
			displayName: 'Start From',
			name: 'startFrom',
			type: 'dateTime',
			default: '',
			description:
				'Begin with what changed at this time or later, instead of with what changes from now on. When you edit it, the trigger starts anew from there; when you clear it, the trigger goes on where it is.',
		},
	];
}

/**
 * The advice on rows for a sheet. A trigger has no way to give it with its items, so it stands beside the output until
 * the first run.
 */
export function sheetHints(): NodeHint[] {
	const isGiven = (option: string) => `!!$parameter["options"]["${option}"]`;
	return (['column id', 'columns id and instance'] as const).map((columns) => ({
		message: sheetAdviceFor(columns),
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $parameter["output"] === "row" && !${isGiven('fields')} && ${isGiven('rowPerInstanceOf')} === ${String(columns !== 'column id')} }}`,
	}));
}
