import type { OperationRun, OperationSteps } from '../operation';
import { Attempts } from './attempts';
import { checkedOrder, type CheckedOrder, checkHint, isCheckOnly } from './createCheck';
import { UnfilledExpressions } from './createExpressions';
import { createHints, type CreateNotes } from './createHints';
import { OPTIONS, optionsOf } from './createOptions';
import { type Order, ordersOf, sheetAdvice, sheetOf } from './createOrders';
import { createOutputs } from './createOutput';
import { createRequests } from './createRequests';
import { type CreateSteps, prepareCreate } from './createSend';
import { withUniqueKeys } from './uniqueKeys';

/** Creates one inspection per item, or per group of items. */
export async function beginCreate(run: OperationRun): Promise<OperationSteps> {
	const { context } = run;
	const sheet = sheetOf(context);
	const { orders: unkeyed, hints } = ordersOf(sheet);
	const { orders, keysIn } = await withUniqueKeys(unkeyed, sheet, run.serviceOf);
	const units = orders.map(({ unit }) => unit);
	const unfilled = new UnfilledExpressions(context, sheet.mapping, units.flat().length);
	const notes: CreateNotes = { requests: [], created: [], asRows: [] };
	const steps: CreateSteps = {
		requestOf: createRequests(run, sheet, unfilled, notes),
		keysIn,
		outputOf: createOutputs(run, notes),
	};
	const isCheck = isCheckOnly(sheet, orders);
	const attempts = new Attempts(context, units);
	const checked: CheckedOrder[] = [];
	const prepare = async (order: Order) => {
		if (!isCheck) return await prepareCreate(order, attempts, steps);
		const json = await checkedOrder(order, sheet, steps);
		checked.push(json);
		return async () => await Promise.resolve([{ json }]);
	};
	return {
		...optionsOf(context, 0, { concurrency: OPTIONS.concurrency }),
		jobs: orders.map((order) => ({ ...order, prepare: async () => await prepare(order) })),
		advice: sheetAdvice(sheet),
		done: isCheck ? undefined : (told) => attempts.done(told, sheet.numbers),
		hints: () => [
			...(isCheck ? [checkHint(checked)] : []),
			...createHints(notes, orders.length),
			...unfilled.hints(),
			...hints,
		],
	};
}
