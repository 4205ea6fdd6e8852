import type { Row, SheetRow } from '../../../domain/create/sheetRow';
import { changedNames, withReadableText } from '../../../domain/encoding';
import { namingRow } from '../../../domain/inputError';
import { isRecord } from '../../../domain/json';
import type { Form } from '../../../domain/template/form';
import { isQuestion } from '../../../domain/template/questions';
import { parametersOf } from '../../../fields/field';
import { expressionOf, locatorValue, membersOf } from '../../../fields/parameterValue';
import { CREATE_FIELDS } from './description';
import { Expression } from './parseExpression';
import type { InspectionPlan, Sheet } from './planInspections';
import { mappedValues } from './readParameters';

/**
 * Reads the rows of one inspection from n8n's parameters. Throws InputError. With several rows, the error names the
 * row.
 */
export function readRows(
	sheet: Sheet,
	form: Form,
	{ items: [first, ...others], headings }: Pick<InspectionPlan, 'items' | 'headings'>,
): [Row, ...Row[]] {
	if (others.length + headings.length === 0) return [readRow(sheet, first)];
	const named = (item: number) => namingRow(sheet.numbers.of(item), () => readRow(sheet, item));
	const later = (item: number) => laterRow(sheet, form, item, named(item));
	const heads = headings.map((item) => withoutInstances(form, later(item)));
	const [top = named(first), ...below] = heads;
	// The first row usually contains the values of merged cells. Below a heading, each row has only some of them.
	return [top, ...below, ...(heads.length > 0 ? [first, ...others] : others).map(later)];
}

/** Returns the heading of a group without the answers that would add an instance to a repeatable section. */
function withoutInstances(form: Form, row: Row): Row {
	if (row.labels === undefined) return row;
	const values = Object.entries(row.values).filter(([id]) => isOutsideSections(form, id));
	return { ...row, values: Object.fromEntries(values) };
}

function isOutsideSections(form: Form, id: string): boolean {
	const column = form.columnOf(id);
	return column !== undefined && isQuestion(column) && column.section === null;
}

function readRow({ context, rows, cells: given, numbers, parameters }: Sheet, item: number): Row {
	const valueOf = (name: string): unknown =>
		withReadableText(context.getNodeParameter(name, item, {}));
	const { createTask } = parametersOf(context, item, { createTask: CREATE_FIELDS.createTask });
	const fields = membersOf(valueOf('additionalFields'));
	const name = withReadableText(context.getNodeParameter('name', item, ''));
	const { labels, answers } = parameters;
	const cells = given[item] ?? {};
	const mapped = labels === undefined ? {} : mappedValues(context, parameters, item);
	// If all cells are empty, only the fixed text is left: ` ()` from `{{ $json.Finding }} ({{ $json.Severity }})`. It isn't
	// an answer. In a repeatable section, it would add an instance that the sheet doesn't have.
	const gaps = answers.filter(
		({ expression }) => !expression.decides && expression.takesOnlyEmptyCells(cells),
	);
	// Use null, because undefined would mean that the sheet has no such column.
	const emptied = Object.fromEntries(gaps.map(({ name }) => [name, null]));
	const readable = withReadableText(mapped);
	const misencoded = changedNames(mapped, readable).map((id) => labels?.get(id) ?? id);
	return {
		number: numbers.of(item),
		values: labels === undefined ? (rows[item] ?? {}) : { ...readable, ...emptied },
		misencoded: [...changedNames(context.getInputData()[item]?.json ?? {}, cells), ...misencoded],
		cells,
		labels,
		// Pass only the ID from the value of the Team locator.
		additionalFields: { ...fields, name, teamId: locatorValue(fields.teamId) },
		task: createTask ? membersOf(valueOf('task')) : undefined,
	};
}

/**
 * Drops values of a later row in a group if their expressions read only empty cells. The first row usually contains
 * these values in merged cells. Keeps answers in a repeatable section, such as an expression's default, because each
 * row is a separate instance.
 */
function laterRow({ cells: given, parameters }: Sheet, form: Form, item: number, row: Row): Row {
	const cells = given[item];
	const { values, additionalFields, task } = row;
	const unfilled = parameters.answers.filter(
		({ name, expression }) =>
			isOutsideSections(form, name) && expression.takesOnlyEmptyCells(cells),
	);
	const emptied = Object.fromEntries(unfilled.map(({ name }) => [name, undefined]));
	return {
		...row,
		values: { ...values, ...emptied },
		additionalFields: filledMembers(additionalFields, parameters.saved.additionalFields, cells),
		task: task && filledMembers(task, parameters.saved.task, cells),
	};
}

/** Returns the members of a collection without those whose expression (in `saved`) reads only empty cells. */
function filledMembers(given: SheetRow, saved: SheetRow, cells: SheetRow | undefined): SheetRow {
	const members = Object.entries(given);
	return Object.fromEntries(
		members.map(([name, member]) => [name, filledValue(member, saved[name], cells)]),
	);
}

/** Returns a field's value, or undefined if its expression reads only empty cells. */
function filledValue(given: unknown, saved: unknown, cells: SheetRow | undefined): unknown {
	const expression = expressionOf(locatorValue(saved));
	if (expression !== undefined) {
		return new Expression(expression).takesOnlyEmptyCells(cells) ? undefined : given;
	}
	if (Array.isArray(given) && Array.isArray(saved)) {
		return given.map((member, index) => filledValue(member, saved[index], cells));
	}
	return isRecord(given) ? filledMembers(given, membersOf(saved), cells) : given;
}
