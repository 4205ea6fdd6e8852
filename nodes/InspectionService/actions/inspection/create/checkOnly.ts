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

/**
 * The result of a check. `request` is the JSON that Create would send, or null if the inspection already exists, or if
 * its values can't be sent.
 */
interface CheckFacts {
	readonly ok: boolean;
	readonly problems: string;
	readonly already_existed: boolean;
	readonly request: string | null | undefined;
}

/** Check Only's result for one planned inspection. Its item contains the request only with the output Raw. */
export interface CheckedInspection {
	readonly json: IDataObject & Omit<CheckFacts, 'request'>;
	readonly isSendable: boolean;
}

/**
 * Converts the result of Create's check to an output item, which lists the problems of its rows. Throws if the service
 * fails, because the check is then incomplete.
 */
export async function checkInspection(
	{ items, name, group }: InspectionPlan,
	checking: Promise<InspectionRequest | CreateOutcome>,
	{ context, numbers, parameters }: Sheet,
): Promise<CheckedInspection> {
	const checked = await checking.then(describeCheck, (cause: unknown): CheckFacts => {
		// Without an expression, Template is the same for all rows. Then the parameter is wrong, not a row.
		const isOfAll = cause instanceof RequestFailure && parameters.template === undefined;
		if (isOfAll || isServiceFailure(cause)) throw cause;
		const listed = cause instanceof InputError ? cause.detail : undefined;
		const problems = bulletsOf(listed ?? [errorText(itemErrorOf(context, cause))]);
		return { ok: false, problems, already_existed: false, request: null };
	});
	const { request, ...facts } = checked;
	const rows = rowsText(items.map((item) => numbers.of(item)));
	const named = { rows: name === undefined ? rows : `${rows} (${name})`, ...group };
	const json = { ...named, ...facts, ...(parameters.output === 'raw' && { request }) };
	return { json, isSendable: request !== null };
}

function describeCheck(checked: InspectionRequest | CreateOutcome): CheckFacts {
	if ('created' in checked) {
		const changed = changedProblem(checked.created);
		const all = [changed, ...checked.created.warnings].filter((problem) => problem !== undefined);
		const problems = bulletsOf(all);
		return { ok: changed === undefined, problems, already_existed: true, request: null };
	}
	const { body, suspicious } = checked;
	const doubts = suspicious.filter(({ kind }) => kind !== 'spreadsheetNumber');
	const problems = bulletsOf(doubts.map((doubt) => `${problemText(doubt)}.`));
	return { ok: doubts.length === 0, problems, already_existed: false, request: jsonText(body) };
}

/** Returns several problems as a list with one line each, because n8n's table shows the lines of a cell. */
function bulletsOf(problems: readonly string[]): string {
	return problems.length < 2 ? problems.join('') : problems.map((one) => `• ${one}`).join('\n');
}

export function checkHint(checked: readonly CheckedInspection[]): Hint {
	const total = checked.length;
	const good = checked.filter(({ isSendable }) => isSendable).length;
	const existing = checked.filter(({ json }) => json.already_existed).length;
	const failing = checked.filter(({ json }) => !json.ok).length;
	const usable = checked.filter(({ json, isSendable }) => isSendable && !json.ok).length;
	const sentences = [
		"'Check Only' is on: nothing was sent.",
		`${String(good)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'} can be created.`,
	];
	if (existing > 0) {
		sentences.push(
			`${String(existing)} already ${existing === 1 ? 'exists' : 'exist'} with the same unique key and won't be created again.`,
		);
	}
	if (failing > 0) {
		sentences.push(`${problemCount(failing, usable)}. To see them, filter by ok = false.`);
	}
	return { message: sentences.join(' '), type: 'info' };
}

/**
 * Describes how many inspections have problems: `failing` in total. `usable` of them can be created anyway, because
 * their values only look wrong.
 */
function problemCount(failing: number, usable: number): string {
	const have = `${String(failing)} ${failing === 1 ? 'inspection has' : 'inspections have'} problems`;
	if (usable === 0) return have;
	return `${have}, but ${usable < failing ? `${String(usable)} of them ` : ''}can be created anyway`;
}
