import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import {
	groupRows,
	type RowGroup,
	type SheetRow,
	withoutEmptyEnd,
} from '../../domain/create/groupRows';
import { similarGroups } from '../../domain/create/similarGroups';
import { InputError } from '../../domain/inputError';
import type { Unit } from '../operation';
import { groupColumnOf } from './createOptions';
import { isAutoMapped } from './itemAnswers';

/** The units of Create. The items of a unit make one inspection. */
export interface CreateUnits {
	units: readonly Unit[];
	/** The column by which rows are put together; undefined where each item is an inspection of its own. */
	groupColumn: string | undefined;
	/** @throws InputError where a row does not say which inspection it belongs to */
	check(unit: Unit): void;
	hints(): NodeExecutionHint[];
}

export function createUnits(context: IExecuteFunctions): CreateUnits {
	const rows = context.getInputData().map(({ json }) => json);
	const column = rows.length === 0 ? undefined : groupColumnOf(context);
	const groups = column === undefined ? alone(context, rows) : groupRows(rows, column);
	const problems = new Map<number, string | undefined>();
	const units = groups.map(({ rows: [first = 0, ...others], problem }): Unit => {
		problems.set(first, problem);
		return [first, ...others];
	});
	return {
		units,
		groupColumn: column,
		check([first]) {
			const problem = problems.get(first);
			if (problem !== undefined) throw new InputError(`${problem}.`);
		},
		hints() {
			const message = similarGroups(groups);
			return message === undefined ? [] : [{ message, type: 'warning', location: 'outputPane' }];
		},
	};
}

/**
 * Each row is a unit. With automatic mapping the empty rows at the end are left out; otherwise the answers do not come
 * from the row, so an empty row makes an inspection too.
 */
function alone(context: IExecuteFunctions, rows: readonly SheetRow[]): RowGroup[] {
	const used = rows.length > 0 && isAutoMapped(context) ? withoutEmptyEnd(rows) : rows;
	return used.map((_, place) => ({ rows: [place], value: undefined, problem: undefined }));
}
