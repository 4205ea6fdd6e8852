import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Doubt } from '../../../domain/create/doubts';
import { InputError } from '../../../domain/inputError';
import { jsonText } from '../../../domain/json';
import type { Hint } from '../../../domain/notices';
import { problemText } from '../../../domain/problem';
import { RequestFailure } from '../../../domain/request/requestFailure';
import { rowsText } from '../../../domain/rowNumbers';
import { expressionOf, locatorValue, rawParameter } from '../../../fields/parameterValue';
import { errorText, isTrouble, itemErrorOf } from '../../itemError';
import { chosenOutput } from './output';
import type { Order, Sheet } from './plan';
import type { CreateRequests } from './request';
import { canceledWarnings } from './send';

/** Check Only's result for an order. `request` is null if none would be sent. */
export interface CheckedOrder extends IDataObject {
	ok: boolean;
	problems: string;
	already_existed: boolean;
	request: string | null | undefined;
}

/**
 * Builds the item of an order. Problems of its rows don't throw. Trouble with the service does, because then nothing is
 * known. `told` contains the rows that describe a rejection in full, by the rejection's cause.
 */
export async function checkedOrder(
	order: Order,
	{ context, numbers }: Sheet,
	requests: CreateRequests,
	told: Map<unknown, string>,
): Promise<CheckedOrder> {
	const rows = rowsText(order.items.map((item) => numbers.of(item)));
	const checked = await checkOrder(order, context, requests).catch(
		(cause: unknown): CheckedOrder => {
			if (isTrouble(cause) || isTemplateOfAll(context, cause)) throw cause;
			const listed = cause instanceof InputError ? cause.detail?.join(' ') : undefined;
			const whole = listed ?? errorText(itemErrorOf(context, cause, order.items[0]));
			const where = told.get(cause);
			if (cause instanceof RequestFailure && where === undefined) told.set(cause, rows);
			const isTold = cause instanceof RequestFailure && where !== undefined;
			const problems = isTold ? `${cause.message}. See ${where}.` : whole;
			return { ok: false, problems, already_existed: false, request: null };
		},
	);
	const named = order.name === undefined ? rows : `${rows} (${order.name})`;
	return { rows: named, ...order.group, ...checked };
}

/** Whether the rejected template is the same for all rows. If so, the node's parameter is wrong, not a row. */
function isTemplateOfAll(context: IExecuteFunctions, cause: unknown): boolean {
	const isFixed = expressionOf(locatorValue(rawParameter(context, 'templateId'))) === undefined;
	return isFixed && cause instanceof RequestFailure;
}

async function checkOrder(
	order: Order,
	context: IExecuteFunctions,
	requests: CreateRequests,
): Promise<CheckedOrder> {
	chosenOutput(context, order);
	const { body, keyed, template, doubts } = await requests.requestFor(order, false);
	const existing = await keyed?.keys.existing(keyed.key, template);
	if (keyed === undefined || existing === undefined) {
		const problems = doubts.filter(({ kind }) => kind !== 'spreadsheet number').map(sentenceOf);
		const ok = problems.length === 0;
		return {
			ok,
			problems: problems.join(' '),
			already_existed: false,
			request: jsonText(body),
		};
	}
	const problems = canceledWarnings(existing, keyed.key).join(' ');
	return { ok: true, problems, already_existed: true, request: null };
}

function sentenceOf(doubt: Doubt): string {
	return `${problemText(doubt)}.`;
}

export function checkHint(checked: readonly CheckedOrder[]): Hint {
	const total = checked.length;
	const good = checked.filter(({ request }) => request !== null).length;
	const existing = checked.filter((order) => order.already_existed).length;
	const made = `${String(good)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'} can be created.`;
	const there = `${String(existing)} ${existing === 1 ? 'exists' : 'exist'} already by the unique key and would not be created again.`;
	const wrong = checked.filter(({ ok }) => !ok).length;
	const bad = `${String(wrong)} ${wrong === 1 ? 'inspection has' : 'inspections have'} problems: filter by ok = false.`;
	const message = `Check Only is on: nothing was sent. ${made}${existing === 0 ? '' : ` ${there}`}${wrong === 0 ? '' : ` ${bad}`}`;
	return { message, type: 'info' };
}
