import { groupAdvice, mixedDecimals } from '../../domain/create/sheetAdvice';
import type { ItemOutput } from '../../output/inspectionOutput';
import type { Execution, Run } from '../operation';
import { Attempts } from './attempts';
import { checkedOrder, type CheckedOrder, checkHint } from './createCheck';
import { CreateHints } from './createHints';
import { optionOfAll, OPTIONS, optionsOf } from './createOptions';
import { type Order, ordersOf, sheetOf, withUniqueKeys } from './createOrders';
import { createOutputs } from './createOutput';
import { createRequests } from './createRequests';
import { type Perform, prepareCreate } from './createSend';

/** Creates one inspection per item, or per group of items. */
export async function startCreate(
	run: Run,
): Promise<Execution<Order, Perform, () => ItemOutput[]>> {
	const { context, serviceOf, notices } = run;
	const sheet = sheetOf(run);
	const { orders: unkeyed, hints: sheetHints } = ordersOf(sheet);
	const { orders, keysIn } = await withUniqueKeys(unkeyed, sheet, serviceOf);
	const units = orders.map((order) => order.items);
	const hints = new CreateHints(sheet.mapping.ofRows, units.flat().length);
	const steps = {
		requestOf: createRequests(serviceOf, sheet, keysIn, hints),
		outputOf: createOutputs(run, hints),
	};
	const isCheck = optionOfAll(sheet, units.flat(), ['checkOnly', OPTIONS.checkOnly]);
	const attempts = new Attempts(context, units);
	const checked: CheckedOrder[] = [];
	const told = new Map<unknown, string>();
	return {
		...optionsOf(context, 0, { concurrency: OPTIONS.concurrency }),
		plans: orders,
		async check(order) {
			if (!isCheck) return await prepareCreate(order, attempts, steps);
			const json = await checkedOrder(order, sheet, steps, told);
			checked.push(json);
			return async () => await Promise.resolve(() => [{ json }]);
		},
		send: async (perform) => await perform(),
		render(done) {
			const items = done.map(({ outcome }) => outcome());
			if (isCheck) notices.addEach([checkHint(checked)]);
			notices.addEach([...hints.hints(orders.length), ...sheetHints]);
			return items;
		},
		advice: (refused) => {
			const { rows, numbers, groupColumn } = sheet;
			const grouped = groupColumn === undefined ? groupAdvice(rows, refused) : undefined;
			const advice = [grouped, mixedDecimals(rows, refused, numbers)];
			return advice.filter((sentence) => sentence !== undefined);
		},
		progress: (reported) => (isCheck ? undefined : attempts.progress(reported, sheet.numbers)),
	};
}
