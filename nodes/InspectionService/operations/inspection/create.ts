import type { OperationRun, OperationSteps } from '../operation';
import { checkOrders, isCheckOnly } from './createCheck';
import { concurrencyOf } from './createOptions';
import { createOrders, type Order } from './createOrders';
import { createOutputs } from './createOutput';
import { prepareCreate } from './createSend';
import { CreateSummary, doneSoFar } from './createSummary';
import { createAttempts } from './madeInExecution';
import { orderRequests } from './orderRequests';
import { UnfilledExpressions } from './unfilledExpressions';
import { withUniqueKeys } from './uniqueKeys';

/**
 * Creates one inspection per item, or per group of items: answers are checked before anything is sent, and compared
 * with what was stored.
 */
export async function beginCreate(run: OperationRun): Promise<OperationSteps> {
	const { context } = run;
	const { sheet, advice, hints, ...made } = createOrders(context);
	const { orders, lookUpIn } = await withUniqueKeys(run, sheet, made.orders);
	const units = orders.map(({ unit }) => unit);
	const summary = new CreateSummary(orders.length);
	const unfilled = new UnfilledExpressions(context, units.flat().length);
	const requestFor = orderRequests(run, { sheet, orders }, unfilled);
	const requestOf = async (order: Order) => {
		const request = await requestFor(order);
		summary.addRequest(request);
		return request;
	};
	const outputs = createOutputs(run, summary);
	const steps = { requestOf, lookUpIn, outputs };
	const attempts = createAttempts(context, units);
	const check = isCheckOnly(context, sheet, orders)
		? checkOrders(context, sheet, steps)
		: undefined;
	const prepare = async (order: Order) =>
		await (check?.prepare(order) ?? prepareCreate(order, attempts, steps));
	return {
		concurrency: concurrencyOf(context),
		jobs: orders.map((order) => {
			const { unit, name } = order;
			return { unit, name, prepare: async () => await prepare(order) };
		}),
		advice,
		done: check === undefined ? doneSoFar(attempts, sheet.numbers) : undefined,
		hints: () => [
			...[check ?? outputs, summary, unfilled].flatMap((part) => part.hints()),
			...hints,
		],
	};
}
