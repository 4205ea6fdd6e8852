import { FILL_DOWN, rowConflicts, type RowValue } from '../../../domain/create/groupRows';
import { whyNoIdentity } from '../../../domain/create/identity';
import { looksLikeTotal } from '../../../domain/create/inspectionRows';
import { keyOfRows } from '../../../domain/create/uniqueKey';
import { withReadableText } from '../../../domain/encoding';
import { quotedList, shownValue } from '../../../domain/formatting';
import { groupBy } from '../../../domain/groupBy';
import { InputError, namingRow } from '../../../domain/inputError';
import { foldName, isBlank } from '../../../domain/normalizeText';
import type { Problem } from '../../../domain/problem';
import { rowsText } from '../../../domain/rowNumbers';
import type { InspectionPlan, Sheet } from './planInspections';

/**
 * Adds what the rows of each planned inspection need in common: their service, template, and unique key. Rejects plans
 * whose rows differ, or whose key can't identify them.
 */
export async function identifyInspections(
	plans: readonly InspectionPlan[],
	sheet: Sheet,
): Promise<InspectionPlan[]> {
	const identified: InspectionPlan[] = [];
	// Runs sequentially, because n8n reads and decrypts a credential with expressions again for each inspection.
	for (const plan of plans) identified.push(await identify(plan, sheet));
	return refuseVisits(refuseDuplicates(identified, sheet), sheet);
}

async function identify(plan: InspectionPlan, sheet: Sheet): Promise<InspectionPlan> {
	if (plan.refusal !== undefined) return plan;
	try {
		return { ...plan, ...(await sourceOf(plan, sheet)), ...keyOf(plan, sheet) };
	} catch (refusal) {
		// n8n couldn't evaluate an expression or read the credential. Such an error affects only this inspection.
		return { ...plan, refusal };
	}
}

/** Returns the service and template of the first row. Also returns the error if other rows have different ones. */
async function sourceOf(
	{ items }: InspectionPlan,
	{ cells, numbers, parameters, services }: Sheet,
): Promise<Pick<InspectionPlan, 'source' | 'refusal'>> {
	const [first] = items;
	const service = await services.of(first);
	const [credentials, references]: [RowValue[], RowValue[]] = [[], []];
	for (const item of items.length === 1 ? [] : items) {
		const row = numbers.of(item);
		const { credential } = await services.of(item);
		credentials.push({ row, shown: credential === service.credential ? 'one' : 'another' });
		if (item !== first && parameters.template?.takesOnlyEmptyCells(cells[item])) continue;
		references.push({ row, shown: `"${namingRow(row, () => parameters.templateOf(item))}"` });
	}
	const conflicts = [
		...rowConflicts('Credential', 'credential', credentials),
		...rowConflicts('Template', 'template', references, (one, other) => {
			return one.shown.toLowerCase() === other.shown.toLowerCase();
		}),
	];
	const refusal = conflicts.length === 0 ? undefined : InputError.ofRow(conflicts, items.length);
	return { source: { service, reference: parameters.templateOf(first) }, refusal };
}

/** Returns the unique key of a planned inspection, or its problems. Empty if the field Unique Key is empty. */
function keyOf({ items, headings }: InspectionPlan, sheet: Sheet): Partial<InspectionPlan> {
	const { cells, numbers, parameters } = sheet;
	const { hasUniqueKey, uniqueKey, groupColumns } = parameters;
	if (!hasUniqueKey) return {};
	const isGap = (item: number) => uniqueKey?.takesOnlyEmptyCells(cells[item]) === true;
	// With merged cells, only one row has the key. Without any, the error names the first row.
	const filled = [...headings, ...items].filter((item) => !isGap(item));
	try {
		const rows = (filled.length > 0 ? filled : items.slice(0, 1)).map((item) => {
			const row = numbers.of(item);
			return { row, value: namingRow(row, () => givenKey(sheet, item)) };
		});
		const key = keyOfRows(rows);
		const isNamed = groupColumns.length > 0;
		return isNamed ? { key } : { key, name: `unique key ${shownValue(key)}` };
	} catch (error) {
		return error instanceof InputError ? { keyProblems: error.problems } : { refusal: error };
	}
}

/**
 * Returns an item's unique key. Throws InputError if a part of its expression, or a column that the part needs, doesn't
 * identify the inspection. n8n would omit an empty part, so that all such rows have the same key, such as `Gate-`. Also
 * throws InputError for fixed text that is the name of a column.
 */
function givenKey({ context, cells, parameters }: Sheet, item: number): unknown {
	const { uniqueKey, uniqueKeyParts } = parameters;
	const row = cells[item] ?? {};
	const given = withReadableText(context.getNodeParameter('uniqueKey', item, ''));
	if (isBlank(given)) return given;
	if (uniqueKey === undefined) refuseKey(whyFixed(String(given), Object.keys(row)));
	for (const part of uniqueKeyParts) {
		for (const column of part.decides ? [] : part.ownColumns) {
			const cell = row[column];
			refuseKey(isBlank(cell) ? whyEmpty(`the column "${column}"`) : whyNoIdentity(cell, column));
		}
		// If the part is the whole expression, its value is the key, which isn't blank.
		if (part.text === uniqueKey?.text) continue;
		const value: unknown = withReadableText(context.evaluateExpression(part.text, item));
		const isMissing = value === undefined || value === null;
		if (isMissing || (isBlank(value) && !part.decides)) refuseKey(whyEmpty(part.text));
		else if (!isBlank(value) && part.columns.length > 0) refuseKey(whyNoIdentity(value));
	}
	return given;
}

function whyEmpty(part: string): Problem {
	const message = `${part} has no value, so different inspections can have the same key. Check the column's name, and fill in the cell`;
	return { message, kind: 'no identity' };
}

function refuseKey(why: Problem | undefined): void {
	if (why !== undefined) throw InputError.of({ subject: 'Unique Key', ...why });
}

/**
 * Returns the problem of fixed text that is a column's name. All rows would have the same key, so every run after the
 * first would create nothing.
 */
function whyFixed(given: string, columns: readonly string[]): Problem | undefined {
	const key = foldName(given);
	const column = columns.find((name) => foldName(name) === key);
	if (column === undefined && !key.includes('{{')) return undefined;
	const message = `is the same for every row. Switch the field to 'Expression' and use a column, such as {{ $json[${JSON.stringify(column ?? 'Order No')}] }}`;
	return { value: shownValue(given), message };
}

/**
 * Rejects planned inspections with the same key, because it's unclear which of them the key belongs to. Keys of different
 * templates or services can be the same.
 */
function refuseDuplicates(plans: readonly InspectionPlan[], sheet: Sheet): InspectionPlan[] {
	const alike = groupBy(plans, ({ key, source }) => {
		if (key === undefined) return undefined;
		return JSON.stringify([source?.service.credential, source?.reference.toLowerCase(), key]);
	});
	alike.delete(undefined);
	const problems = new Map<InspectionPlan, Problem>();
	for (const duplicates of alike.values()) {
		if (duplicates.length === 1) continue;
		const problem = sameKey(duplicates, sheet);
		for (const plan of duplicates) problems.set(plan, problem);
	}
	return plans.map((plan) => {
		const problem = problems.get(plan);
		return problem === undefined ? plan : { ...plan, keyProblems: [problem] };
	});
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
	const visits: InspectionPlan[][] = [];
	for (const plan of plans) {
		const visit = visits.at(-1);
		if (visit !== undefined && isBelow(plan)) visit.push(plan);
		else visits.push([plan]);
	}
	const problem = visitProblem(uniqueKey.columns);
	return visits.flatMap((visit) => {
		const isVisit = visit.length > 1 && visit[0]?.key !== undefined;
		return isVisit ? visit.map((plan) => ({ ...plan, keyProblems: [problem] })) : visit;
	});
}

function visitProblem(columns: readonly string[]): Problem {
	const named = quotedList(columns, ' and ');
	const listed = `"${columns.join(', ')}"`;
	const message = `only the first row of this inspection seems to have a value in ${named}. To make one inspection of its rows, set the option '${FILL_DOWN}' to ${listed} and the option 'Group Rows By' to ${listed}. If each row is a separate inspection, fill in ${named} in each row`;
	return { subject: 'Unique Key', message, kind: 'visit' };
}
