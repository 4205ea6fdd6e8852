import type { IExecuteFunctions } from 'n8n-workflow';

import { groupRows } from '../../domain/create/groupRows';
import { InputError } from '../../domain/inputError';
import type { Unit } from '../operation';
import { groupColumnOf } from './createOptions';

/** The items that each make one inspection, in the order of the outputs. */
export interface CreateUnits {
	units: readonly Unit[];
	/** Whether a unit's items are the rows of a group, also where it is one row only. */
	isGrouped: boolean;
	/** @throws InputError where a row does not say which inspection it belongs to */
	check(unit: Unit): void;
}

export function createUnits(context: IExecuteFunctions): CreateUnits {
	const input = context.getInputData();
	const column = input.length === 0 ? undefined : groupColumnOf(context);
	if (column === undefined) {
		return { units: input.map((_, item): Unit => [item]), isGrouped: false, check: () => {} };
	}
	const problems = new Map<number, string>();
	const units = groupRows(
		input.map(({ json }) => json),
		column,
	).map(({ rows: [first = 0, ...others], problem }): Unit => {
		if (problem !== undefined) problems.set(first, problem);
		return [first, ...others];
	});
	return {
		units,
		isGrouped: true,
		check([first]) {
			const problem = problems.get(first);
			if (problem !== undefined) throw new InputError(`${problem}.`);
		},
	};
}
