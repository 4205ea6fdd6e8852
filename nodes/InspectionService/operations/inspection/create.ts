import type { IExecuteFunctions } from 'n8n-workflow';

import { groupAdvice, mergedAdvice, mixedDecimals } from '../../domain/create/sheetAdvice';
import type { OperationRun, OperationSteps } from '../operation';
import { Attempts } from './attempts';
import { checkedOrder, type CheckedOrder, checkHint } from './createCheck';
import { CreateHints, type SetFields } from './createHints';
import { optionOfAll, OPTIONS, optionsOf } from './createOptions';
import { type Order, ordersOf, sheetOf, withUniqueKeys } from './createOrders';
import { createOutputs } from './createOutput';
import { createRequests } from './createRequests';
import { prepareCreate } from './createSend';
import { isSet } from './givenKey';

function setFields(context: IExecuteFunctions): SetFields {
	return { name: isSet(context, 'name'), uniqueKey: isSet(context, 'uniqueKey') };
}

/** Creates one inspection per item, or per group of items. */
export async function beginCreate(run: OperationRun): Promise<OperationSteps> {
	const { context, serviceOf } = run;
	const sheet = sheetOf(context);
	const { orders: unkeyed, hints: sheetHints } = ordersOf(sheet);
	const { orders, keysIn } = await withUniqueKeys(unkeyed, sheet, serviceOf);
	const units = orders.map(({ unit }) => unit);
	const hints = new CreateHints(sheet.mapping.ofRows, units.flat().length);
	const steps = {
		requestOf: createRequests(serviceOf, sheet, keysIn, hints),
		outputOf: createOutputs(run, hints),
	};
	const isCheck = optionOfAll(sheet, units.flat(), ['checkOnly', OPTIONS.checkOnly]);
	const attempts = new Attempts(context, units);
	const checked: CheckedOrder[] = [];
	const told = new Map<unknown, string>();
	const prepare = async (order: Order) => {
		if (!isCheck) return await prepareCreate(order, attempts, steps);
		const json = await checkedOrder(order, sheet, steps, told);
		checked.push(json);
		return async () => await Promise.resolve([{ json }]);
	};
	return {
		...optionsOf(context, 0, { concurrency: OPTIONS.concurrency }),
		jobs: orders.map((order) => ({ ...order, prepare: async () => await prepare(order) })),
		advice: (refused) => {
			const { rows, numbers, groupColumn } = sheet;
			const grouped = groupColumn === undefined ? groupAdvice(rows, refused) : undefined;
			const merged = grouped ?? mergedAdvice(rows, refused, numbers);
			const advice = [merged, mixedDecimals(rows, refused, numbers)];
			return advice.filter((sentence) => sentence !== undefined);
		},
		done: isCheck ? undefined : (told) => attempts.done(told, sheet.numbers),
		hints: () => [
			...(isCheck ? [checkHint(checked)] : []),
			...hints.hints(orders.length),
			...sheetHints,
			...(context.getMode() === 'manual' ? hints.hintsToBeginners(setFields(context)) : []),
		],
	};
}
