import type { IExecuteFunctions } from 'n8n-workflow';

import { keyOfRows } from '../../domain/create/uniqueKey';
import { groupBy } from '../../domain/groupBy';
import { InputError } from '../../domain/inputError';
import type { Problem } from '../../domain/problem';
import { rowsText } from '../../domain/rowNumbers';
import { shownValue } from '../../domain/shownText';
import {
	callingExecutionOf,
	type ItemService,
	type ServiceOfItem,
} from '../../transport/itemServices';
import { Memory } from '../../transport/memory';
import { templateOf } from './createFields';
import { DEFAULT_KEY_FIELD, givenOptions, OPTIONS, optionsOf } from './createOptions';
import type { Order, Sheet } from './createOrders';
import { keptReading, KeyList, type KeySearch } from './keyList';

export type KeysIn = (service: ItemService) => KeyList;

/** The orders with their unique keys, and with what is wrong with these. The first item decides field and days for all. */
export async function withUniqueKeys(
	orders: readonly Order[],
	sheet: Sheet,
	serviceOf: ServiceOfItem,
): Promise<{ orders: readonly Order[]; keysIn: KeysIn }> {
	const { uniqueKeyField, uniqueKeyDays } = OPTIONS;
	const search = optionsOf(sheet.context, 0, { uniqueKeyField, uniqueKeyDays });
	const field = search.uniqueKeyField ?? DEFAULT_KEY_FIELD;
	const keyed: Order[] = [];
	for (const order of orders) keyed.push(await withKey(order, field, sheet, serviceOf));
	const wanted = new Set(keyed.flatMap(({ key }) => key?.value ?? []));
	return {
		orders: withoutTwins(keyed, sheet),
		keysIn: keyLists(sheet.context, { field, days: search.uniqueKeyDays, wanted }),
	};
}

/** One list for each service: it is read once for all orders. */
function keyLists(context: IExecuteFunctions, search: KeySearch): KeysIn {
	const lists = new Memory<KeyList>();
	const execution = callingExecutionOf(context);
	return ({ client, credential }) =>
		lists.getOrMake(
			credential,
			() => new KeyList(client, search, keptReading(execution, credential, search)),
		);
}

async function withKey(
	order: Order,
	field: string,
	{ context, numbers, groupColumn }: Sheet,
	serviceOf: ServiceOfItem,
): Promise<Order> {
	const keyOfRow = (item: number) => {
		return { row: numbers.of(item), value: givenOptions(context, item).uniqueKey };
	};
	const [first, ...others] = order.unit;
	try {
		if (order.refusal !== undefined || !('uniqueKey' in givenOptions(context, first))) return order;
		const key = keyOfRows([keyOfRow(first), ...others.map(keyOfRow)], field);
		const { credential } = await serviceOf(first);
		const template = templateOf(context, first);
		return {
			...order,
			key,
			identity: JSON.stringify([credential, template.toLowerCase(), key.value]),
			name: groupColumn === undefined ? `Unique Key ${shownValue(key.value)}` : order.name,
		};
	} catch (error) {
		// What n8n cannot work out, and a credential that cannot be read, are the error of this order alone.
		if (!(error instanceof InputError)) return { ...order, refusal: error };
		return { ...order, keyProblems: error.problems };
	}
}

/** Refuses all orders of one key: nobody knows which of them the inspection is. */
function withoutTwins(orders: readonly Order[], sheet: Sheet): Order[] {
	const problems = new Map<string, Problem>();
	for (const [identity, twins] of groupBy(orders, (order) => order.identity)) {
		if (identity !== undefined && twins.length > 1) problems.set(identity, sameKey(twins, sheet));
	}
	return orders.map((order) => {
		const problem = problems.get(order.identity ?? '');
		return problem === undefined ? order : { ...order, keyProblems: [problem] };
	});
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
