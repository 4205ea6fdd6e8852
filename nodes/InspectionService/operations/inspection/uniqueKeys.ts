import { keyOfRows } from '../../domain/create/uniqueKey';
import { groupBy } from '../../domain/groupBy';
import { InputError } from '../../domain/inputError';
import type { Problem } from '../../domain/problem';
import { rowsText } from '../../domain/rowNumbers';
import { shownValue } from '../../domain/shownText';
import { callingExecutionOf, type ServiceOfItem } from '../../transport/itemServices';
import { templateOfItem } from './createFields';
import { DEFAULT_KEY_FIELD, givenOptions, OPTIONS, optionsOf } from './createOptions';
import type { Order, Sheet } from './createOrders';
import { keyLists } from './keyList';

/**
 * Gives each order its unique key, or what is wrong with that. The field that keeps the keys, and how many days back they
 * are looked for, are those of the first item.
 */
export async function withUniqueKeys(
	orders: readonly Order[],
	sheet: Sheet,
	serviceOf: ServiceOfItem,
): Promise<{ orders: readonly Order[]; keysIn: ReturnType<typeof keyLists> }> {
	const { uniqueKeyField, uniqueKeyDays } = OPTIONS;
	const options = optionsOf(sheet.context, 0, { uniqueKeyField, uniqueKeyDays });
	const field = options.uniqueKeyField ?? DEFAULT_KEY_FIELD;
	const keyed: Order[] = [];
	// Not all at once: where the credential has expressions, n8n reads and decrypts it for each order.
	for (const order of orders) keyed.push(await withKey(order, field, sheet, serviceOf));
	const wanted = new Set(keyed.flatMap(({ key }) => key?.value ?? []));
	const execution = callingExecutionOf(sheet.context);
	return {
		orders: refuseTwins(keyed, sheet),
		keysIn: keyLists(execution, { field, days: options.uniqueKeyDays, wanted }),
	};
}

async function withKey(
	order: Order,
	field: string,
	{ context, numbers, groupColumn }: Sheet,
	serviceOf: ServiceOfItem,
): Promise<Order> {
	const { unit, refusal } = order;
	const [first] = unit;
	try {
		if (refusal !== undefined || !('uniqueKey' in givenOptions(context, first))) return order;
		const rows = unit.map((item) => {
			return { row: numbers.of(item), value: givenOptions(context, item).uniqueKey };
		});
		const key = keyOfRows(rows, field);
		const { credential: credentialHash } = await serviceOf(first);
		const template = templateOfItem(context, first).toLowerCase();
		return {
			...order,
			key,
			identity: JSON.stringify([credentialHash, template, key.value]),
			name: groupColumn === undefined ? `Unique Key ${shownValue(key.value)}` : order.name,
		};
	} catch (error) {
		// n8n could not work out an expression, or read the credential: that is the error of this order alone.
		if (!(error instanceof InputError)) return { ...order, refusal: error };
		return { ...order, keyProblems: error.problems };
	}
}

/** Refuses all orders that have a key in common: nobody knows which of them is meant. */
function refuseTwins(orders: readonly Order[], sheet: Sheet): Order[] {
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
	const cure =
		groupColumn === undefined ? ', or make these rows one inspection with Group Rows By' : '';
	return {
		subject: 'Unique Key',
		wrong: `${rows} belong to ${count} inspections and ${all} say "${twins[0]?.key?.value ?? ''}"; give each inspection a key of its own${cure}`,
	};
}
