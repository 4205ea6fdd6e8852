import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { DateTime } from 'luxon';

import type { CursorEvent } from '../domain/cursorState';
import { InputError } from '../domain/inputError';
import { INCLUDES, STATUSES, type Include, type Status } from '../domain/inspectionQuery';
import { isRecord, textOf } from '../domain/json';
import { timestampOf, type Timestamp } from '../domain/timestamp';
import { templateReference } from '../fields/templateLocator';

/** A day: what an organisation might need whose devices send their inspections in the evening. */
const MAX_LOOKBACK_SECONDS = 86_400;

/** The trigger's parameters, checked. */
export interface TriggerParameters {
	event: CursorEvent;
	teamId: string | undefined;
	status: readonly Status[];
	/** Id or identifier. */
	template: string | undefined;
	includes: readonly Include[];
	startFrom: Timestamp | undefined;
	lookback: number;
	maxItems: number;
	oncePerInspection: boolean;
	downloadFiles: boolean;
}

/** @throws InputError where a value cannot be used */
export function triggerParameters(context: IPollFunctions): TriggerParameters {
	const filters = recordOf(context.getNodeParameter('filters', {}));
	const options = recordOf(context.getNodeParameter('options', {}));
	return {
		event: context.getNodeParameter('event', 'updated') === 'created' ? 'created' : 'updated',
		teamId: textOf(filters.teamId),
		status: STATUSES.filter((status) => listOf(filters.status).includes(status)),
		template: templateReference(filters.templateId),
		includes: INCLUDES.filter((include) => listOf(options.include).includes(include)),
		startFrom: startFromOf(options.startFrom, context.getTimezone()),
		lookback: numberOf('Lookback', options.lookback ?? 60, { min: 0, max: MAX_LOOKBACK_SECONDS }),
		maxItems: numberOf('Max Items', options.maxItems ?? 500, { min: 1, max: Infinity }),
		oncePerInspection: options.oncePerInspection === true,
		downloadFiles: options.downloadFiles === true,
	};
}

function recordOf(value: unknown): IDataObject {
	return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A date of n8n's picker has no zone: it means the workflow's. */
function startFromOf(value: unknown, timezone: string): Timestamp | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const text = value instanceof Date ? value.toISOString() : String(value);
	const moment = timestampOf(DateTime.fromISO(text.trim(), { zone: timezone }).toUTC().toISO());
	if (moment !== undefined) return moment;
	throw new InputError(
		`Start From: "${text}" is not a date. Pick one, or give a text such as 2026-01-31T09:00:00Z.`,
	);
}

function numberOf(
	name: string,
	value: unknown,
	{ min, max }: { min: number; max: number },
): number {
	const number = typeof value === 'string' ? Number(value) : value;
	if (typeof number === 'number' && number >= min && number <= max) return Math.floor(number);
	const range = max === Infinity ? `${min} or more` : `from ${min} to ${max}`;
	throw new InputError(`${name}: ${JSON.stringify(value)} is not a number ${range}.`);
}
