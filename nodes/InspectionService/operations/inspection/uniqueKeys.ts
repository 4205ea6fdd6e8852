import {
	DEFAULT_KEY_DAYS,
	DEFAULT_KEY_FIELD,
	type UniqueKey,
	uniqueKeyOf,
} from '../../domain/create/uniqueKey';
import { textOf } from '../../domain/json';
import { wholeNumberOf } from '../../fields/parameterValue';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import type { OperationRun, Unit } from '../operation';
import { createdOnce, type CreatedOnce } from './createdOnce';
import { createOptions } from './createOptions';

/** The unique keys of one run of the node. */
export interface UniqueKeys {
	/** The units. Those with the same key are put together, because they make one inspection. */
	readonly units: readonly Unit[];
	/** The key of a unit's first item; undefined where the option is not used. Throws InputError for a key of no use. */
	keyOf(unit: Unit): UniqueKey | undefined;
	/** Looks inspections up in the service that this client reaches. */
	lookUpIn(client: InspectionServiceClient): CreatedOnce;
}

/** Throws InputError where Unique Key Field or Unique Key Days cannot be used. The first item decides both for all. */
export async function uniqueKeysOf(
	{ context, serviceOf }: OperationRun,
	given: readonly Unit[],
): Promise<UniqueKeys> {
	const { uniqueKeyField, uniqueKeyDays } = createOptions(context, 0);
	const field = textOf(uniqueKeyField)?.trim() || DEFAULT_KEY_FIELD;
	const days = wholeNumberOf('Unique Key Days', uniqueKeyDays ?? DEFAULT_KEY_DAYS, { min: 0 });

	const keyOf = ([item]: Unit): UniqueKey | undefined => {
		const options = createOptions(context, item);
		return 'uniqueKey' in options ? uniqueKeyOf(options.uniqueKey, field) : undefined;
	};
	const clientOf = async ([item]: Unit) => (await serviceOf(item)).client;
	const { units, keys } = await mergeByKey(given, keyOf, clientOf);
	const lookUps = new Map<InspectionServiceClient, CreatedOnce>();
	return {
		units,
		keyOf,
		lookUpIn(client) {
			const wanted = new Set(keys.get(client)?.keys());
			const lookUp = lookUps.get(client) ?? createdOnce(client, { field, days, wanted });
			lookUps.set(client, lookUp);
			return lookUp;
		},
	};
}

type KeyedItems = Map<string, [number, ...number[]]>;

/**
 * Puts the units with one key in one service together. Gives these units, and the keys of each service. A unit whose key
 * or credential cannot be read stays alone: it fails when it is checked, with the reason.
 */
async function mergeByKey(
	given: readonly Unit[],
	keyOf: (unit: Unit) => UniqueKey | undefined,
	clientOf: (unit: Unit) => Promise<InspectionServiceClient>,
) {
	const keys = new Map<InspectionServiceClient, KeyedItems>();
	const keyedItemsOf = async (unit: Unit) => {
		const value = keyOf(unit)?.value;
		if (value === undefined) return undefined;
		const client = await clientOf(unit);
		const items: KeyedItems = keys.get(client) ?? new Map<string, [number, ...number[]]>();
		keys.set(client, items);
		return { value, items };
	};
	const units: Unit[] = [];
	for (const unit of given) {
		const keyed = await keyedItemsOf(unit).catch(() => undefined);
		const known = keyed?.items.get(keyed.value);
		if (known !== undefined) {
			known.push(...unit);
			continue;
		}
		const own: [number, ...number[]] = [...unit];
		keyed?.items.set(keyed.value, own);
		units.push(own);
	}
	return { units, keys };
}
