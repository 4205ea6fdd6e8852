import type { IExecuteFunctions } from 'n8n-workflow';

import { FILL_DOWN } from '../../../domain/create/groupRows';
import { whyNoIdentity } from '../../../domain/create/identity';
import { looksLikeTotal } from '../../../domain/create/inspectionRows';
import type { SheetRow } from '../../../domain/create/sheetRow';
import { keyOfRows } from '../../../domain/create/uniqueKey';
import { withReadableText } from '../../../domain/encoding';
import { quotedList, shownValue } from '../../../domain/formatting';
import { groupBy } from '../../../domain/groupBy';
import { InputError, namingRow } from '../../../domain/inputError';
import { foldName, isBlank } from '../../../domain/normalizeText';
import type { Problem, ValueProblem } from '../../../domain/problem';
import { rowsText } from '../../../domain/rowNumbers';
import type { Services } from '../../itemServices';
import type { InspectionPlan, Sheet } from './planInspections';
import type { Parameters } from './readParameters';

/** Adds the unique key of each planned inspection, or the problems of the key. */
export async function readUniqueKeys(
	plans: readonly InspectionPlan[],
	sheet: Sheet,
	services: Services,
): Promise<InspectionPlan[]> {
	const keyed: InspectionPlan[] = [];
	// Runs sequentially, because n8n reads and decrypts a credential with expressions again for each inspection.
	for (const plan of plans) keyed.push(await withKey(plan, sheet, services));
	return refuseVisits(refuseDuplicates(keyed, sheet), sheet);
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
			name: parameters.groupColumns.length === 0 ? `unique key ${shownValue(key)}` : plan.name,
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
	const { uniqueKey, groupColumns } = parameters;
	if (uniqueKey === undefined || groupColumns.length > 0) return [...plans];
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
	const named = quotedList(columns, ' and ');
	const listed = `"${columns.join(', ')}"`;
	const message = `only the first row of this inspection seems to have a value in ${named}. To make one inspection of its rows, set the option '${FILL_DOWN}' to ${listed} and the option 'Group Rows By' to ${listed}. If each row is a separate inspection, fill in ${named} in each row`;
	return { subject: 'Unique Key', message, kind: 'visit' };
}

function sameKey(duplicates: readonly InspectionPlan[], { numbers, parameters }: Sheet): Problem {
	const rows = rowsText(duplicates.map(({ items: [first] }) => numbers.of(first)));
	const all = duplicates.length === 2 ? 'both' : 'all';
	const fix =
		parameters.groupColumns.length === 0
			? ", or make these rows one inspection with the option 'Group Rows By'"
			: '';
	return {
		subject: 'Unique Key',
		message: `${rows} are separate inspections, but ${all} have the key "${duplicates[0]?.key ?? ''}". Give each inspection its own key${fix}`,
	};
}

/**
 * Returns an item's unique key. Throws InputError if a part of its expression, or a column that the part needs, doesn't
 * identify the inspection. n8n would omit an empty part, so that all such rows have the same key, such as `Gate-`. Also
 * throws InputError for fixed text that is the name of a column.
 */
function givenKey(
	context: IExecuteFunctions,
	{ uniqueKey, uniqueKeyParts }: Parameters,
	item: number,
	cells: SheetRow = {},
): unknown {
	const given = withReadableText(context.getNodeParameter('uniqueKey', item, ''));
	if (isBlank(given)) return given;
	if (uniqueKey === undefined) return fixedKey(given, context.getInputData()[item]?.json ?? {});
	for (const part of uniqueKeyParts) {
		for (const column of part.neededColumns) {
			const cell = cells[column];
			if (isBlank(cell)) throw emptyPart(`the column "${column}"`);
			refuseKey(whyNoIdentity(cell, column));
		}
		// If the part is the whole expression, its value is the key, which isn't blank.
		if (part.text === uniqueKey.text) continue;
		const value: unknown = withReadableText(context.evaluateExpression(part.text, item));
		const isMissing = value === undefined || value === null;
		if (isMissing || (isBlank(value) && !part.decides)) throw emptyPart(part.text);
		if (!isBlank(value) && part.columns.length > 0) refuseKey(whyNoIdentity(value));
	}
	return given;
}

function emptyPart(of: string): InputError {
	const message = `${of} has no value, so different inspections can have the same key. Check the column's name, and fill in the cell`;
	return InputError.of({ subject: 'Unique Key', message, kind: 'no identity' });
}

function refuseKey(why: ValueProblem | undefined): void {
	if (why !== undefined) throw InputError.of({ subject: 'Unique Key', ...why });
}

/**
 * Rejects fixed text that is a column's name. All rows would have the same key, so every run after the first would
 * create nothing.
 */
function fixedKey(given: unknown, row: SheetRow): unknown {
	const key = foldName(String(given));
	const column = Object.keys(row).find((name) => foldName(name) === key);
	if (column === undefined && !key.includes('{{')) return given;
	const message = `is the same for every row. Switch the field to 'Expression' and use a column, such as {{ $json[${JSON.stringify(column ?? 'Order No')}] }}`;
	throw InputError.of({ subject: 'Unique Key', value: shownValue(given), message });
}
