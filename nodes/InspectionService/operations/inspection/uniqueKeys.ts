import type { IExecuteFunctions } from 'n8n-workflow';

import { shownValue } from '../../domain/answer/shownValue';
import {
	DEFAULT_KEY_DAYS,
	DEFAULT_KEY_FIELD,
	keyOfRows,
	type UniqueKey,
} from '../../domain/create/uniqueKey';
import { groupBy } from '../../domain/groupBy';
import { guidOf } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import { textOf } from '../../domain/json';
import { requiredTemplateReference } from '../../fields/locators';
import { wholeNumberOf } from '../../fields/parameterValue';
import type { ItemService } from '../../transport/itemServices';
import { callingExecutionOf, type TemplateCache } from '../../transport/templateCache';
import type { OperationRun, Unit } from '../operation';
import { createOptions } from './createOptions';
import type { CreateUnits } from './createUnits';
import { createdOnce, type CreatedOnce } from './keyLookUp';
import { readingsOf } from './keyReading';

/** The unique keys of one run of the node. */
export interface UniqueKeys {
	/** The units. Without Group Rows By those with the same key are put together, because they make one inspection. */
	readonly units: readonly Unit[];
	/**
	 * The key of a unit; undefined where the option is not used. Throws InputError for a key of no use, and where another
	 * group has the same one.
	 */
	keyOf(unit: Unit): UniqueKey | undefined;
	/** Looks inspections up in the service of a unit. */
	lookUpIn(service: ItemService): CreatedOnce;
	/** What people know a unit by: `Unique Key "A-17"`; undefined where it has no key of use. */
	nameOf(unit: Unit): string | undefined;
}

/** What tells one inspection from another: a key counts within its template, and a template within its service. */
interface Keyed {
	service: ItemService;
	template: string;
	key: string;
}

/** Throws InputError where Unique Key Field or Unique Key Days cannot be used. The first item decides both for all. */
export async function uniqueKeysOf(run: OperationRun, given: CreateUnits): Promise<UniqueKeys> {
	const { context } = run;
	const { uniqueKeyField, uniqueKeyDays } = createOptions(context, 0);
	const field = textOf(uniqueKeyField)?.trim() || DEFAULT_KEY_FIELD;
	const days = wholeNumberOf('Unique Key Days', uniqueKeyDays ?? DEFAULT_KEY_DAYS, { min: 0 });
	const { numbers } = given;
	const isGrouped = given.groupColumn !== undefined;
	const ownKeyOf = keyReader(context, given, field);
	const keyed = await keyedUnits(run, given, ownKeyOf);
	const { units, twins } = isGrouped ? groupsByKey(keyed) : mergedByKey(keyed);
	const keys = new Map(keyed.map((one) => [one.unit[0], one.keyed?.key]));
	const lookUps = new Map<string, CreatedOnce>();
	return {
		units,
		keyOf(unit) {
			const key = ownKeyOf(unit);
			const twin = twins.get(unit[0]);
			if (key !== undefined && twin !== undefined) {
				throw sameKey(key, numbers.of(unit[0]), numbers.of(twin[0]));
			}
			return key;
		},
		nameOf(unit) {
			const key = keys.get(unit[0]);
			return key === undefined ? undefined : `Unique Key ${shownValue(key)}`;
		},
		lookUpIn({ client, credential }) {
			const known = lookUps.get(credential);
			if (known !== undefined) return known;
			const ofService = keyed.filter((one) => one.keyed?.service.client === client);
			const wanted = new Set(ofService.flatMap((one) => one.keyed?.key ?? []));
			const search = { field, days, wanted };
			const kept = readingsOf(callingExecutionOf(context), credential, search);
			const lookUp = createdOnce(client, search, kept);
			lookUps.set(credential, lookUp);
			return lookUp;
		},
	};
}

/** Reads the key of a unit; undefined where the option is not used. */
function keyReader(
	context: IExecuteFunctions,
	{ groupColumn, numbers }: CreateUnits,
	field: string,
): (unit: Unit) => UniqueKey | undefined {
	return ([first, ...others]) => {
		if (!('uniqueKey' in createOptions(context, first))) return undefined;
		const keyOfRow = (item: number) => {
			return { row: numbers.of(item), value: createOptions(context, item).uniqueKey };
		};
		// Without groups the other items of a unit have the key of the first.
		const isGrouped = groupColumn !== undefined;
		return keyOfRows([keyOfRow(first), ...(isGrouped ? others.map(keyOfRow) : [])], field);
	};
}

function sameKey({ value }: UniqueKey, row: number, twin: number): InputError {
	const rows = [row, twin].toSorted((a, b) => a - b);
	return InputError.of({
		subject: 'Unique Key',
		wrong: `rows ${rows.join(' and ')} belong to two inspections and both say "${value}"; give each inspection a key of its own`,
		kind: 'two inspections',
	});
}

/** A unit and its key, undefined where it has none that can be used. Then it fails when it is checked, with the reason. */
interface KeyedUnit {
	unit: Unit;
	keyed: Keyed | undefined;
}

async function keyedUnits(
	run: OperationRun,
	{ units, check }: CreateUnits,
	keyOf: (unit: Unit) => UniqueKey | undefined,
): Promise<KeyedUnit[]> {
	const keyed = async (unit: Unit): Promise<Keyed | undefined> => {
		const key = keyOf(unit)?.value;
		if (key === undefined) return undefined;
		check(unit);
		const template = requiredTemplateReference(run.context.getNodeParameter('templateId', unit[0]));
		return { service: await run.serviceOf(unit[0]), template: template.toLowerCase(), key };
	};
	const found: KeyedUnit[] = [];
	for (const unit of units) {
		found.push({ unit, keyed: await keyed(unit).catch(() => undefined) });
	}
	await nameTemplatesAlike(found.flatMap((one) => one.keyed ?? []));
	return found;
}

/** Replaces identifiers by GUIDs where the units of a service name several templates: two names may mean one. */
async function nameTemplatesAlike(keyed: readonly Keyed[]): Promise<void> {
	for (const [templates, units] of groupBy(keyed, ({ service }) => service.templates)) {
		const names = new Set(units.map(({ template }) => template));
		if (names.size < 2) continue;
		const guids = await guidsOf(templates, names);
		for (const unit of units) unit.template = guids.get(unit.template) ?? unit.template;
	}
}

/** Ends at the first template that cannot be read: the check of its units says why. */
async function guidsOf(
	templates: TemplateCache,
	names: Iterable<string>,
): Promise<Map<string, string>> {
	const guids = new Map<string, string>();
	for (const name of names) {
		if (guidOf(name) !== undefined) continue;
		const template = await templates(name).catch(() => undefined);
		if (template === undefined) break;
		const guid = guidOf(template.id);
		if (guid !== undefined) guids.set(name, guid);
	}
	return guids;
}

/** The units as they will be prepared. `twins` has, by its first item, each unit whose key another group has as well. */
interface UnitsByKey {
	units: readonly Unit[];
	twins: ReadonlyMap<number, Unit>;
}

function sameInspection(keyed: readonly KeyedUnit[]): Unit[][] {
	const byKey = groupBy(keyed, ({ unit: [item], keyed: one }) =>
		one === undefined
			? String(item)
			: JSON.stringify([one.service.credential, one.template, one.key]),
	);
	return [...byKey.values()].map((units) => units.map(({ unit }) => unit));
}

/** Units with one key make one inspection, paired to all their items. */
function mergedByKey(keyed: readonly KeyedUnit[]): UnitsByKey {
	const units = sameInspection(keyed).flatMap(([first, ...others]): Unit[] => {
		return first === undefined ? [] : [[...first, ...others.flat()]];
	});
	return { units, twins: new Map() };
}

/** Groups with one key are a mistake in the sheet: nobody knows which of them the inspection is. */
function groupsByKey(keyed: readonly KeyedUnit[]): UnitsByKey {
	const twins = new Map<number, Unit>();
	for (const units of sameInspection(keyed)) {
		const [first, second] = units;
		if (first === undefined || second === undefined) continue;
		for (const unit of units) twins.set(unit[0], unit === first ? second : first);
	}
	return { units: keyed.map(({ unit }) => unit), twins };
}
