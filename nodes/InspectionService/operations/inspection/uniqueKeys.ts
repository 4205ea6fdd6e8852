import type { IExecuteFunctions } from 'n8n-workflow';

import { shownValue } from '../../domain/answer/shownValue';
import { keyOfRows } from '../../domain/create/uniqueKey';
import { groupBy } from '../../domain/groupBy';
import { InputError } from '../../domain/inputError';
import { textOf } from '../../domain/json';
import type { Problem } from '../../domain/problem';
import { rowsText } from '../../domain/rowNumbers';
import { parametersOf } from '../../fields/field';
import { TEMPLATE } from '../../fields/locators';
import { wholeNumberOf } from '../../fields/parameterValue';
import { callingExecutionOf, type ItemService } from '../../transport/itemServices';
import type { OperationRun } from '../operation';
import { createOptions, DEFAULT_KEY_DAYS, DEFAULT_KEY_FIELD } from './createOptions';
import type { Order, Sheet } from './createOrders';
import { createdOnce, type CreatedOnce } from './keyLookUp';
import { type KeySearch, readingsOf } from './keyReading';

/** Looks inspections up by their keys in the service of an order. */
export type LookUpIn = (service: ItemService) => CreatedOnce;

/**
 * The orders with their unique keys, where the option is used, and with what is wrong with these.
 * @throws InputError where Unique Key Field or Unique Key Days cannot be used: the first item decides both for all
 */
export async function withUniqueKeys(
	run: OperationRun,
	sheet: Sheet,
	orders: readonly Order[],
): Promise<{ orders: readonly Order[]; lookUpIn: LookUpIn }> {
	const { context } = run;
	const { uniqueKeyField, uniqueKeyDays } = createOptions(context, 0);
	const field = textOf(uniqueKeyField)?.trim() || DEFAULT_KEY_FIELD;
	const days = wholeNumberOf('Unique Key Days', uniqueKeyDays ?? DEFAULT_KEY_DAYS, { min: 0 });
	const keyed = orders.map((order) => withKey(order, context, sheet, field));
	const wanted = new Set(keyed.flatMap(({ key }) => key?.value ?? []));
	return {
		orders: await refuseSameKeys(run, sheet, keyed),
		lookUpIn: lookUps(context, { field, days, wanted }),
	};
}

/** One look-up for each service: its list is read once for all orders. */
function lookUps(context: IExecuteFunctions, search: KeySearch): LookUpIn {
	const known = new Map<string, CreatedOnce>();
	return ({ client, credential }) => {
		const readings = readingsOf(callingExecutionOf(context), credential, search);
		const lookUp = known.get(credential) ?? createdOnce(client, search, readings);
		known.set(credential, lookUp);
		return lookUp;
	};
}

function withKey(
	order: Order,
	context: IExecuteFunctions,
	{ numbers, groupColumn }: Sheet,
	field: string,
): Order {
	const keyOfRow = (item: number) => {
		return { row: numbers.of(item), value: createOptions(context, item).uniqueKey };
	};
	const [first, ...others] = order.unit;
	try {
		if (order.refusal !== undefined || !('uniqueKey' in createOptions(context, first)))
			return order;
		const key = keyOfRows([keyOfRow(first), ...others.map(keyOfRow)], field);
		const name = groupColumn === undefined ? `Unique Key ${shownValue(key.value)}` : order.name;
		return { ...order, key, name };
	} catch (error) {
		// An expression that n8n cannot work out is the error of this order alone.
		if (!(error instanceof InputError)) return { ...order, refusal: error };
		return { ...order, keyProblems: error.problems };
	}
}

/** Orders with one key are a mistake in the sheet: nobody knows which of them the inspection is. All of them are refused. */
async function refuseSameKeys(
	run: OperationRun,
	sheet: Sheet,
	orders: readonly Order[],
): Promise<readonly Order[]> {
	const identities = new Map<Order, string>();
	for (const order of orders) {
		const identity = await identityOf(run, order);
		if (identity !== undefined) identities.set(order, identity);
	}
	const same = groupBy(identities.keys(), (order) => identities.get(order));
	return orders.map((order) => {
		const twins = same.get(identities.get(order)) ?? [];
		return twins.length < 2 ? order : { ...order, keyProblems: [sameKey(twins, sheet)] };
	});
}

/**
 * What no two inspections have in common: a key counts within its template, and a template within its service. Undefined
 * for an order without a key, and for one whose credential or template cannot be read: making its request says why.
 */
async function identityOf(
	{ context, serviceOf }: OperationRun,
	{ unit: [item], key }: Order,
): Promise<string | undefined> {
	if (key === undefined) return undefined;
	try {
		const template = parametersOf(context, item, { templateId: TEMPLATE }).templateId;
		const { credential } = await serviceOf(item);
		return JSON.stringify([credential, template.toLowerCase(), key.value]);
	} catch {
		return undefined;
	}
}

function sameKey(twins: readonly Order[], { numbers, groupColumn }: Sheet): Problem {
	const rows = rowsText(twins.map(({ unit: [first] }) => numbers.of(first)));
	const [count, all] = twins.length === 2 ? ['two', 'both'] : [String(twins.length), 'all'];
	const cure = groupColumn === undefined ? ', or make one of these rows with Group Rows By' : '';
	return {
		subject: 'Unique Key',
		wrong: `${rows} belong to ${count} inspections and ${all} say "${twins[0]?.key?.value ?? ''}"; give each inspection a key of its own${cure}`,
	};
}
