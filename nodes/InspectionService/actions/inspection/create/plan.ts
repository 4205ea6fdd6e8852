import type { IExecuteFunctions } from 'n8n-workflow';

import { columnNameOf, isGroupColumn } from '../../../domain/create/column';
import { FILL_DOWN, fillDown, groupRows, type RowGroup } from '../../../domain/create/groupRows';
import {
	carriedError,
	isEmptyRow,
	looksLikeTotal,
	rowName,
} from '../../../domain/create/inspectionRows';
import type { SheetRow } from '../../../domain/create/sheetRow';
import { keyOfRows } from '../../../domain/create/uniqueKey';
import { repaired } from '../../../domain/encoding';
import { shownValue } from '../../../domain/formatting';
import { groupBy } from '../../../domain/groupBy';
import { InputError, namingRow } from '../../../domain/inputError';
import type { Problem } from '../../../domain/problem';
import { type RowNumbers, rowsText } from '../../../domain/rowNumbers';
import type { Plan, Run } from '../../action';
import { callingExecutionOf, type Services } from '../../itemServices';
import { givenKey } from './givenKey';
import { type Parameters, readParameters, unfilledMappingProblem } from './parameters';
import { UniqueKeyIndexes } from './uniqueKeyIndex';

export interface Sheet {
	context: IExecuteFunctions;
	/** The rows to process. Their empty cells are already filled, if Fill Empty Cells From Above is set. */
	rows: readonly SheetRow[];
	/** The rows as the sheet has them. Expressions read these rows. */
	cells: readonly SheetRow[];
	numbers: RowNumbers;
	parameters: Parameters;
}

/** The rows of one inspection, with their name, unique key, and problems. */
export interface InspectionPlan extends Plan {
	/** Blank rows of the group. Expressions can read their group column, but they aren't instances of a section. */
	readonly headings: readonly number[];
	/** Identifies the inspection in messages: `"Nr." 18`, `Unique Key "A-17"`, or the first filled cell of its row. */
	readonly name: string | undefined;
	readonly group: { group?: string | number | boolean | null };
	/** The error to throw for rows that can't be processed. Undefined for other rows. */
	readonly refusal: unknown;
	/** Undefined if the field Unique Key is empty or invalid. */
	readonly key?: string | undefined;
	/** Credential and template as one string. Keys of different templates can be the same. */
	readonly keySpace?: string | undefined;
	/** `keySpace` and unique key as one string. Planned inspections with the same identity are rejected. */
	readonly identity?: string | undefined;
	/** Problems with the unique key, which are reported together with the problems of the answers. */
	readonly keyProblems?: readonly Problem[] | undefined;
}

export function sheetOf({ context, numbers }: Run): Sheet {
	const cells = context.getInputData().map(({ json }) => repaired(json));
	const parameters = readParameters(context, cells);
	return { context, rows: fillDown(cells, parameters.filledColumns), cells, numbers, parameters };
}

/**
 * Groups the rows into planned inspections, in the order of their first rows. Leaves out blank rows, which `skipped`
 * lists.
 */
export function planInspections(sheet: Sheet): {
	plans: InspectionPlan[];
	skipped: string | undefined;
} {
	const { context, rows, numbers, parameters } = sheet;
	const { groupColumn, refusesErrors } = parameters;
	const groups = groupsOf(sheet);
	const used = groups.flatMap((group) => group.rows);
	const headings = groups.flatMap((group) => group.headings);
	const unfilledMapping = unfilledMappingProblem(context, parameters, used);
	const plans = groups.map(({ rows: items, headings, name, cell, problem }): InspectionPlan => {
		const values = items.map((index) => ({ number: numbers.of(index), values: rows[index] ?? {} }));
		const refusal =
			problem ?? (refusesErrors ? carriedError(values) : undefined) ?? unfilledMapping;
		return {
			items,
			headings,
			name: name ?? rowName(rows[items[0]] ?? {}),
			group: groupColumn === undefined ? {} : { group: cell },
			refusal: refusal && InputError.of(refusal),
		};
	});
	const kept = new Set([...used, ...headings]);
	const skipped = rows.flatMap((_, index) => (kept.has(index) ? [] : [numbers.of(index)]));
	return { plans, skipped: skipped.length === 0 ? undefined : rowsText(skipped) };
}

interface HeadedGroup extends RowGroup {
	/** The blank rows of the group: only their group column has a value. */
	headings: readonly number[];
}

/** Returns the rows of each inspection, without blank rows. Sorted by the first row of each inspection. */
function groupsOf(sheet: Sheet): HeadedGroup[] {
	const { rows, parameters } = sheet;
	const { groupColumn, filledColumns } = parameters;
	const isFilled = filledColumns.some((column) => isGroupColumn(columnNameOf(column), groupColumn));
	const groups =
		groupColumn === undefined
			? rows.map((_, index): RowGroup => ({ rows: [index], cell: null }))
			: groupRows(rows, groupColumn, isFilled);
	const blank = blankRows(sheet);
	return groups
		.flatMap((group): HeadedGroup[] => {
			const [first, ...others] = group.rows.filter((index) => !blank.has(index));
			const headings = group.rows.filter((index) => blank.has(index));
			return first === undefined ? [] : [{ ...group, rows: [first, ...others], headings }];
		})
		.toSorted((a, b) => a.rows[0] - b.rows[0]);
}

/**
 * Returns the indexes of blank rows. Empty if the node doesn't read its items, because every row then creates the same
 * inspection.
 */
function blankRows({ context, rows, parameters }: Sheet): ReadonlySet<number> {
	const { groupColumn, readsItem } = parameters;
	if (!readsItem) return new Set();
	const input = context.getInputData();
	// A row with a file isn't blank, even without filled cells, because an expression may read the file's name.
	const hasFile = (index: number) => Object.keys(input[index]?.binary ?? {}).length > 0;
	const indexes = [...rows.keys()];
	return new Set(
		indexes.filter((index) => isEmptyRow(rows[index] ?? {}, groupColumn) && !hasFile(index)),
	);
}

/** Adds the unique key of each planned inspection, or the problems of the key. */
export async function withUniqueKeys(
	plans: readonly InspectionPlan[],
	sheet: Sheet,
	services: Services,
	days: number,
): Promise<{ plans: readonly InspectionPlan[]; uniqueKeyIndexes: UniqueKeyIndexes }> {
	const keyed: InspectionPlan[] = [];
	// Runs sequentially, because n8n reads and decrypts a credential with expressions again for each inspection.
	for (const plan of plans) keyed.push(await withKey(plan, sheet, services));
	const wanted = new Set(keyed.flatMap(({ key }) => key ?? []));
	const execution = callingExecutionOf(sheet.context);
	return {
		plans: refuseVisits(refuseDuplicates(keyed, sheet), sheet),
		uniqueKeyIndexes: new UniqueKeyIndexes(execution, { days, wanted }),
	};
}

async function withKey(
	plan: InspectionPlan,
	{ context, cells, numbers, parameters }: Sheet,
	services: Services,
): Promise<InspectionPlan> {
	const { items, headings, refusal } = plan;
	const [first] = items;
	try {
		if (refusal !== undefined) return plan;
		if (!parameters.hasUniqueKey) return plan;
		const rows = [...headings, ...items].map((item) => {
			const isGap =
				(item !== first || headings.length > 0) &&
				parameters.uniqueKey?.takesOnlyEmptyCells(cells[item]) === true;
			const row = numbers.of(item);
			const read = () => givenKey(context, parameters, item, cells[item]);
			return { row, value: isGap ? undefined : namingRow(row, read) };
		});
		const key = keyOfRows(rows);
		const { credential: credentialHash } = await services.of(first);
		const template = parameters.templateOf(first).toLowerCase();
		const keySpace = JSON.stringify([credentialHash, template]);
		return {
			...plan,
			key,
			keySpace,
			identity: JSON.stringify([keySpace, key]),
			name: parameters.groupColumn === undefined ? `unique key ${shownValue(key)}` : plan.name,
		};
	} catch (error) {
		// n8n couldn't evaluate an expression or read the credential. Such an error affects only this inspection.
		if (!(error instanceof InputError)) return { ...plan, refusal: error };
		return { ...plan, keyProblems: error.problems };
	}
}

/**
 * Rejects planned inspections that have the same `identity`, because it's unclear which of them the unique key belongs
 * to.
 */
function refuseDuplicates(plans: readonly InspectionPlan[], sheet: Sheet): InspectionPlan[] {
	const problems = new Map<string, Problem>();
	for (const [identity, duplicates] of groupBy(plans, (plan) => plan.identity)) {
		if (identity !== undefined && duplicates.length > 1)
			problems.set(identity, sameKey(duplicates, sheet));
	}
	return plans.map((plan) => {
		const problem = problems.get(plan.identity ?? '');
		return problem === undefined ? plan : { ...plan, keyProblems: [problem] };
	});
}

/**
 * Rejects all rows from one filled key to the next, if rows between them have no key. Such rows seem to belong to one
 * inspection. If only its first row were sent, the findings of the other rows could never be added: the key then exists.
 */
function refuseVisits(plans: readonly InspectionPlan[], sheet: Sheet): InspectionPlan[] {
	const { cells, rows, parameters } = sheet;
	const { uniqueKey, groupColumn } = parameters;
	if (uniqueKey === undefined || groupColumn !== undefined) return [...plans];
	const isBelow = ({ items: [item], key, refusal }: InspectionPlan) =>
		key === undefined &&
		refusal === undefined &&
		uniqueKey.takesOnlyEmptyCells(cells[item]) &&
		!looksLikeTotal(rows[item] ?? {});
	let first = -1;
	const firstOf = plans.map((plan, index) => {
		if (!isBelow(plan)) first = plan.key === undefined ? -1 : index;
		return first;
	});
	const problem = visitProblem(uniqueKey.columns);
	return plans.map((plan, index) => {
		const start = firstOf[index] ?? -1;
		const isVisit = start !== -1 && firstOf[start + 1] === start;
		const isInVisit = isVisit && (index === start || isBelow(plan));
		return isInVisit ? { ...plan, keyProblems: [problem] } : plan;
	});
}

function visitProblem(columns: readonly string[]): Problem {
	const named = columns.map((column) => `"${column}"`).join(' and ');
	const group = columns.length === 1 ? named : 'the column that identifies an inspection';
	const message = `only the first row of this inspection seems to have a value in ${named}. To make one inspection of its rows, set the option '${FILL_DOWN}' to "${columns.join(', ')}" and the option 'Group Rows By' to ${group}. If each row is a separate inspection, fill in ${named} in each row`;
	return { subject: 'Unique Key', message, kind: 'visit' };
}

function sameKey(duplicates: readonly InspectionPlan[], { numbers, parameters }: Sheet): Problem {
	const rows = rowsText(duplicates.map(({ items: [first] }) => numbers.of(first)));
	const all = duplicates.length === 2 ? 'both' : 'all';
	const fix =
		parameters.groupColumn === undefined
			? ", or make these rows one inspection with the option 'Group Rows By'"
			: '';
	return {
		subject: 'Unique Key',
		message: `${rows} are separate inspections, but ${all} have the key "${duplicates[0]?.key ?? ''}"; give each inspection its own key${fix}`,
	};
}
