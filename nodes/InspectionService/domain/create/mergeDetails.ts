import { shownValue } from '../answer/answer';
import { isSameButForNow } from '../answer/sameMoment';
import { isBlank, isSameText } from '../columnName';
import { isRecord, type JsonRecord, jsonText, type JsonValue, recordsOf, textOf } from '../json';
import type { CreateDetails } from './createDetails';
import { mergeProblems } from './mergeProblems';

/** The details that one row of a group gives; `row` is the number by which people know it. */
export interface DetailedRow {
	row: number;
	details: CreateDetails;
}

/** One member of a row's details, such as `name` and its value. */
interface Member {
	name: string;
	/** 1 for the first member of that name in its row: a row may have several custom fields of one name. */
	count: number;
	value: JsonValue | undefined;
	row: number;
}

/** Names of the request as the node's panel shows them. Any other name is shown with its first letter as a capital. */
const LABELS: Readonly<Record<string, string>> = {
	team_id: 'Team ID',
	created_by: 'Created By',
	due_date_time: 'due date',
	assignee: 'assignees',
};
/**
 * The fields other than the answers, for one inspection that several rows make (docs/create.md, Group Rows By). The
 * first value that is not empty counts, for each member of the task and each custom field by itself. Another value in
 * another row is a problem that names both rows. There is a task where any row wants one.
 */
export function mergeDetails(rows: readonly DetailedRow[]): CreateDetails {
	const given = rows.flatMap(({ row, details }) => membersOf(details.body, row));
	const named = (name: string) => given.filter((member) => member.name === name);
	const tasks = named('task');
	const body = firstMembers(
		given.filter(({ name }) => name !== 'task' && name !== 'custom_fields'),
		(name) => LABELS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
	);
	const task = firstMembers(
		tasks.flatMap(({ value, row }) => (isRecord(value) ? membersOf(value, row) : [])),
		(name) => `Task ${LABELS[name] ?? name}`,
	);
	const custom = firstMembers(
		named('custom_fields').flatMap(({ value, row }) => customFieldsOf(value, row)),
		(name) => `Custom field "${name}"`,
	);
	const customFields = custom.members.map(({ name, value }) => ({ name, value }));
	return {
		body: {
			...recordOf(body.members),
			...(customFields.length > 0 && { custom_fields: customFields }),
			...(tasks.length > 0 && { task: recordOf(task.members) }),
		},
		problems: [
			...mergeProblems(rows.map(({ row, details }) => ({ row, problems: details.problems }))),
			...body.problems,
			...task.problems,
			...custom.problems,
		],
	};
}

function membersOf(record: JsonRecord, row: number): Member[] {
	return Object.entries(record).map(([name, value]) => ({ name, count: 1, value, row }));
}

function recordOf(members: readonly Member[]): JsonRecord {
	return Object.fromEntries(members.map(({ name, value }) => [name, value]));
}

function customFieldsOf(fields: JsonValue | undefined, row: number): Member[] {
	const counts = new Map<string, number>();
	return recordsOf(fields).map(({ name: given, value }) => {
		const name = textOf(given) ?? '';
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return { name, count, value, row };
	});
}

/** The first value of each name that is not empty. A value that is empty in all rows stays empty. */
function firstMembers(given: readonly Member[], labelOf: (name: string) => string) {
	const first = new Map<string, Member>();
	const problems = new Map<string, string>();
	for (const member of given) {
		const { name, count, value, row } = member;
		const id = `${String(count)} ${name}`;
		const known = first.get(id);
		if (known === undefined || isBlank(known.value)) {
			first.set(id, member);
		} else if (!isBlank(value) && !isSameDetail(known.value, value) && !problems.has(id)) {
			problems.set(
				id,
				`${labelOf(name)}: row ${String(known.row)} says ${shownValue(known.value)} and row ${String(row)} says ${shownValue(value)}; the rows of one inspection give one value`,
			);
		}
	}
	return { members: [...first.values()], problems: [...problems.values()] };
}

function isSameDetail(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
	if (isSameText(a, b)) return true;
	const [first, second] = [jsonText(a), jsonText(b)];
	return first !== undefined && second !== undefined && isSameButForNow(first, second);
}
