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
export class CreateCheck {
	private readonly context: IExecuteFunctions;
	private readonly sheet: Sheet;
	private readonly steps: CreateSteps;
	private readonly findings: Finding[] = [];

	constructor(context: IExecuteFunctions, sheet: Sheet, steps: CreateSteps) {
		this.context = context;
		this.sheet = sheet;
		this.steps = steps;
	}

	/** A problem of a row is no error here. Trouble of the service is one, because then nothing is known. */
	async prepare(order: Order): Promise<Perform> {
		const finding = await this.check(order).catch((error: unknown) =>
			refused(this.context, error, order.unit),
		);
		this.findings.push(finding);
		const rows = rowsText(order.unit.map((item) => this.sheet.numbers.of(item)));
		const { request, ...found } = finding;
		const json = { rows, ...order.group, ...found, request: request && jsonText(request) };
		return async () => await Promise.resolve([{ json }]);
	}

	hints(): Hint[] {
		const count = (is: (finding: Finding) => boolean) => this.findings.filter(is).length;
		const all = this.findings.length;
		const made = `${String(count(({ request }) => request !== null))} of ${String(all)} ${all === 1 ? 'inspection' : 'inspections'} can be created`;
		const existing = count((finding) => finding.already_existed);
		const there =
			existing === 0
				? ''
				: ` ${String(existing)} ${existing === 1 ? 'exists' : 'exist'} already by the unique key and would not be created again.`;
		return [{ message: `Check Only is on: nothing was sent. ${made}.${there}`, type: 'info' }];
	}

	private async check(order: Order): Promise<Finding> {
		const { requestOf, lookUpIn, outputs } = this.steps;
		outputs.of(order);
		const { body, service, template } = await requestOf(order);
		const { key } = order;
		if (key === undefined) return wouldSend(body);
		const withKey = withUniqueKey(body, key);
		const existing = await lookUpIn(service).existing(key, template);
		if (existing === undefined) return wouldSend(withKey);
		const problems = canceledWarnings(existing, key).join(' ');
		return { ok: true, problems, already_existed: true, request: null };
	}
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
	const error = itemErrorOf(context, cause, unit[0]);
	if (isTrouble(error)) throw error;
	const listed = cause instanceof InputError ? cause.detail?.join(' ') : undefined;
	return { ok: false, problems: listed ?? errorText(error), already_existed: false, request: null };
}
