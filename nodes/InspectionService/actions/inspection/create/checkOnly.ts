import type { IDataObject } from 'n8n-workflow';

import { changedProblem } from '../../../domain/create/createdInspection';
import { InputError } from '../../../domain/inputError';
import { jsonText } from '../../../domain/json';
import type { Hint } from '../../../domain/notices';
import { problemText } from '../../../domain/problem';
import { RequestFailure } from '../../../domain/request/requestFailure';
import { rowsText } from '../../../domain/rowNumbers';
import { errorText, isServiceFailure, itemErrorOf } from '../../itemError';
import type { InspectionRequest } from './buildRequest';
import type { InspectionPlan, Sheet } from './planInspections';
import type { CreateOutcome } from './renderCreated';

/** Check Only's result for one planned inspection. */
export interface CheckedInspection {
	readonly json: IDataObject;
	readonly ok: boolean;
	/** Whether Create would send a request. False if the inspection already exists, or if its values can't be sent. */
	readonly isSendable: boolean;
	readonly alreadyExisted: boolean;
}

/**
 * The result of a check. `request` is the JSON that Create would send, or null if nothing would be sent. The output
 * item contains `request` only with the output Raw.
 */
interface CheckFacts {
	ok: boolean;
	problems: string;
	already_existed: boolean;
	request: string | null | undefined;
}

/**
 * Converts the result of Create's check to an output item, which lists the problems of its rows. Throws if the service
 * fails, because the check is then incomplete. If several checks fail with the same request error, only the first item
 * describes it in full: `reported` maps each error to the rows of that item.
 */
export async function checkInspection(
	plan: InspectionPlan,
	checking: Promise<InspectionRequest | CreateOutcome>,
	{ context, numbers, parameters }: Sheet,
	reported: Map<unknown, string>,
): Promise<CheckedInspection> {
	const rows = rowsText(plan.items.map((item) => numbers.of(item)));
	const checked = await checking.then(describeCheck, (cause: unknown): CheckFacts => {
		// Without an expression, Template is the same for all rows. Then the parameter is wrong, not a row.
		const isOfAll = cause instanceof RequestFailure && parameters.template === undefined;
		if (isOfAll || isServiceFailure(cause)) throw cause;
		const listed =
			cause instanceof InputError ? cause.detail && bulletsOf(cause.detail) : undefined;
		const whole = listed ?? errorText(itemErrorOf(context, cause));
		const firstRows = reported.get(cause);
		if (cause instanceof RequestFailure && firstRows === undefined) reported.set(cause, rows);
		const isReported = cause instanceof RequestFailure && firstRows !== undefined;
		const problems = isReported ? `${cause.message}. See ${firstRows} for details.` : whole;
		return { ok: false, problems, already_existed: false, request: null };
	});
	const { request, ...facts } = checked;
	const named = plan.name === undefined ? rows : `${rows} (${plan.name})`;
	return {
		json: { rows: named, ...plan.group, ...facts, ...(parameters.output === 'raw' && { request }) },
		ok: facts.ok,
		isSendable: request !== null,
		alreadyExisted: facts.already_existed,
	};
}

function describeCheck(checked: InspectionRequest | CreateOutcome): CheckFacts {
	if ('created' in checked) {
		const changed = changedProblem(checked.created);
		const all = [changed, ...checked.created.warnings].filter((problem) => problem !== undefined);
		const problems = bulletsOf(all);
		return { ok: changed === undefined, problems, already_existed: true, request: null };
	}
	const { body, suspicious } = checked;
	const problems = suspicious
		.filter(({ kind }) => kind !== 'spreadsheetNumber')
		.map((suspect) => `${problemText(suspect)}.`);
	return {
		ok: problems.length === 0,
		problems: bulletsOf(problems),
		already_existed: false,
		request: jsonText(body),
	};
}

/** Returns several problems as a list with one line each, because n8n's table shows the lines of a cell. */
function bulletsOf(problems: readonly string[]): string {
	return problems.length < 2 ? problems.join('') : problems.map((one) => `• ${one}`).join('\n');
}

export function checkHint(checked: readonly CheckedInspection[]): Hint {
	const total = checked.length;
	const good = checked.filter(({ isSendable }) => isSendable).length;
	const existing = checked.filter(({ alreadyExisted }) => alreadyExisted).length;
	const creatable = `${String(good)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'} can be created.`;
	const there = `${String(existing)} already ${existing === 1 ? 'exists' : 'exist'} with the same unique key and won't be created again.`;
	const failing = checked.filter(({ ok }) => !ok).length;
	const usable = checked.filter(({ ok, isSendable }) => isSendable && !ok).length;
	const bad = `${problemCount(failing, usable)}. To see them, filter by ok = false.`;
	const message = `'Check Only' is on: nothing was sent. ${creatable}${existing === 0 ? '' : ` ${there}`}${failing === 0 ? '' : ` ${bad}`}`;
	return { message, type: 'info' };
}

/**
 * Describes how many inspections have problems: `failing` in total. `usable` of them can be created anyway, because
 * their values only look wrong.
 */
function problemCount(failing: number, usable: number): string {
	const have = `${String(failing)} ${failing === 1 ? 'inspection has' : 'inspections have'} problems`;
	if (usable === 0) return have;
	if (usable < failing) return `${have}, but ${String(usable)} of them can be created anyway`;
	return `${have}, but can be created anyway`;
}
