import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { withUniqueKey } from '../../domain/create/uniqueKey';
import { InputError } from '../../domain/inputError';
import { type JsonRecord, jsonText } from '../../domain/json';
import { rowsText } from '../../domain/rowNumbers';
import { booleanOf, membersOf } from '../../fields/parameterValue';
import type { Hint } from '../hints';
import { errorText, isTrouble, itemErrorOf } from '../itemError';
import type { Perform, Unit } from '../operation';
import { createOptions } from './createOptions';
import type { Order, Sheet } from './createOrders';
import type { CreateSteps } from './createSend';
import { canceledWarnings } from './keyLookUp';

/**
 * Whether everything is to be checked and nothing sent.
 * @throws InputError where rows say different things: an execution that is to check sends nothing at all
 */
export function isCheckOnly(
	context: IExecuteFunctions,
	{ numbers }: Sheet,
	orders: readonly Order[],
): boolean {
	const wantedBy = (item: number) =>
		booleanOf('Check Only', createOptions(context, item).checkOnly, false);
	const raw: unknown = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	if (typeof raw === 'object' && typeof membersOf(raw).checkOnly !== 'string') return wantedBy(0);
	const [first = 0, ...others] = orders.flatMap(({ unit }) => unit);
	const wanted = wantedBy(first);
	const other = others.find((item) => wantedBy(item) !== wanted);
	if (other === undefined) return wanted;
	const says = (item: number) => `row ${String(numbers.of(item))} says ${String(wantedBy(item))}`;
	const wrong = `${says(first)} and ${says(other)}; it holds for the whole execution, so give one value`;
	throw InputError.of({ subject: 'Check Only', wrong });
}

/** The option Check Only: one item for each inspection, from the same checks and the same look-ups as Create. */
export function checkOrders(context: IExecuteFunctions, { numbers }: Sheet, steps: CreateSteps) {
	const findings: Finding[] = [];
	return {
		/** A problem of a row is no error here. Trouble of the service is one, because then nothing is known. */
		async prepare(order: Order): Promise<Perform> {
			const finding = await findingOf(order, steps).catch((error: unknown) =>
				refused(context, error, order.unit),
			);
			findings.push(finding);
			const { unit, name } = order;
			const rows = `${rowsText(unit.map((item) => numbers.of(item)))}${name === undefined ? '' : ` (${name})`}`;
			const { request, ...found } = finding;
			const json = { rows, ...order.group, ...found, request: request && jsonText(request) };
			return async () => await Promise.resolve([{ json }]);
		},
		hints: () => [summedUp(findings)],
	};
}

async function findingOf(order: Order, steps: CreateSteps): Promise<Finding> {
	steps.outputs.of(order);
	const { body, service, template } = await steps.requestOf(order);
	const { key } = order;
	if (key === undefined) return wouldSend(body);
	const withKey = withUniqueKey(body, key);
	const existing = await steps.lookUpIn(service).existing(key, template);
	if (existing === undefined) return wouldSend(withKey);
	const problems = canceledWarnings(existing, key).join(' ');
	return { ok: true, problems, already_existed: true, request: null };
}

function summedUp(findings: readonly Finding[]): Hint {
	const total = findings.length;
	const good = findings.filter(({ request }) => request !== null).length;
	const existing = findings.filter((finding) => finding.already_existed).length;
	const made = `${String(good)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'} can be created.`;
	const there = `${String(existing)} ${existing === 1 ? 'exists' : 'exist'} already by the unique key and would not be created again.`;
	const message = `Check Only is on: nothing was sent. ${made}${existing === 0 ? '' : ` ${there}`}`;
	return { message, type: 'info' };
}

/** What was found about an inspection. */
interface Finding extends IDataObject {
	ok: boolean;
	/** All problems as one text; empty where there is none. */
	problems: string;
	/** True where an inspection has the unique key already: none would be made. */
	already_existed: boolean;
	/** The body of the request; null where none would be sent. */
	request: JsonRecord | null;
}

function wouldSend(request: JsonRecord): Finding {
	return { ok: true, problems: '', already_existed: false, request };
}

function refused(context: IExecuteFunctions, cause: unknown, unit: Unit): Finding {
	if (isTrouble(cause)) throw cause;
	const error = itemErrorOf(context, cause, unit[0]);
	const listed = cause instanceof InputError ? cause.detail?.join(' ') : undefined;
	return { ok: false, problems: listed ?? errorText(error), already_existed: false, request: null };
}
