import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { groupValue } from '../../domain/create/groupRows';
import { withUniqueKey } from '../../domain/create/uniqueKey';
import { InputError } from '../../domain/inputError';
import type { JsonRecord } from '../../domain/json';
import { booleanOf } from '../../fields/parameterValue';
import type { Hint } from '../hints';
import { errorText, isTrouble, itemErrorOf } from '../itemError';
import type { OperationSteps, Unit } from '../operation';
import { createOptions } from './createOptions';
import type { CreateUnits } from './createUnits';
import type { UniqueKeys } from './uniqueKeys';
import type { UnitRequest } from './unitRequests';

/** Whether everything is to be checked and nothing sent. The first item decides for all. */
export function isCheckOnly(context: IExecuteFunctions): boolean {
	return booleanOf('Check Only', createOptions(context, 0).checkOnly, false);
}

/** What the check of a unit takes. */
export interface CheckedBy {
	groups: CreateUnits;
	keys: UniqueKeys;
	/** Throws InputError with all problems of a unit. */
	requestOf(unit: Unit): Promise<UnitRequest>;
}

/**
 * The option Check Only: one item for each inspection, with the same checks and the same look-ups as Create, and nothing
 * is sent. A problem of a row is no error here. Trouble of the service is one, because then nothing is known.
 */
export function checkUnits(
	context: IExecuteFunctions,
	{ groups, keys, requestOf }: CheckedBy,
): Required<Pick<OperationSteps, 'prepare' | 'hints'>> {
	const input = context.getInputData();
	const found: Finding[] = [];
	const groupOf = ([item]: Unit): IDataObject => {
		const { groupColumn } = groups;
		if (groupColumn === undefined) return {};
		return { group: groupValue(input[item]?.json ?? {}, groupColumn) };
	};
	const check = async (unit: Unit): Promise<Finding> => {
		groups.check(unit);
		const key = keys.keyOf(unit);
		const request = await requestOf(unit);
		if (key === undefined) return wouldSend(request.body);
		const body = withUniqueKey(request.body, key);
		const existing = await keys.lookUpIn(request.service).existing(key, request.template);
		return existing === undefined ? wouldSend(body) : EXISTS;
	};
	return {
		async prepare(unit) {
			const finding = await check(unit).catch((error: unknown) => refused(context, error, unit));
			found.push(finding);
			return async () => await Promise.resolve([{ json: { ...finding, ...groupOf(unit) } }]);
		},
		hints: () => [summedUp(found)],
	};
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

const EXISTS: Finding = { ok: true, problems: '', already_existed: true, request: null };

function wouldSend(request: JsonRecord): Finding {
	return { ok: true, problems: '', already_existed: false, request };
}

function refused(context: IExecuteFunctions, cause: unknown, unit: Unit): Finding {
	const error = itemErrorOf(context, cause, unit[0]);
	if (isTrouble(error)) throw error;
	const listed = cause instanceof InputError ? cause.detail?.join(' ') : undefined;
	return { ok: false, problems: listed ?? errorText(error), already_existed: false, request: null };
}

function summedUp(found: readonly Finding[]): Hint {
	const good = found.filter(({ ok }) => ok).length;
	const count = `${String(good)} of ${String(found.length)} ${found.length === 1 ? 'inspection' : 'inspections'} can be created`;
	const message = `Check Only is on: nothing was sent. ${count}.`;
	return { message, type: 'info' };
}
