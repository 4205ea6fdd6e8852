import type { OperationRun, OperationSteps } from '../operation';
import { Attempts } from './attempts';
import { checkedOrder, type CheckedOrder, checkHint, isCheckOnly } from './createCheck';
import { OPTIONS, optionsOf } from './createOptions';
import { ordersOf, sheetAdvice, sheetOf } from './createOrders';
import { createOutputs } from './createOutput';
import { createRequests } from './createRequests';
import { prepareCreate } from './createSend';
import { withUniqueKeys } from './uniqueKeys';

/**
 * Creates one inspection per item, or per group of items: answers are checked before anything is sent, and compared
 * with what was stored.
 */
export async function beginCreate(run: OperationRun): Promise<OperationSteps> {
	const { context } = run;
	const sheet = sheetOf(context);
	const { orders: unkeyed, hints } = ordersOf(sheet);
	const { orders, keysIn } = await withUniqueKeys(unkeyed, sheet, run.serviceOf);
	const units = orders.map(({ unit }) => unit);
	const requests = createRequests(run, sheet, units.flat().length);
	const outputs = createOutputs(run);
	const steps = { requests, keysIn, outputs };
	const shared = {
		...optionsOf(context, 0, { concurrency: OPTIONS.concurrency }),
		advice: sheetAdvice(sheet),
	};
	if (isCheckOnly(sheet, orders)) {
		const checked: CheckedOrder[] = [];
		return {
			...shared,
			jobs: orders.map((order) => ({
				...order,
				async prepare() {
					const json = await checkedOrder(order, sheet, steps);
					checked.push(json);
					return async () => await Promise.resolve([{ json }]);
				},
			})),
			hints: () => [checkHint(checked), ...requests.hints(), ...hints],
		};
	}
	const attempts = new Attempts(context, units);
	return {
		...shared,
		jobs: orders.map((order) => ({
			...order,
			prepare: async () => await prepareCreate(order, attempts, steps),
		})),
		done: (told) => attempts.done(told, sheet.numbers),
		hints: () => [...outputs.hints(orders.length), ...requests.hints(), ...hints],
	};
}
