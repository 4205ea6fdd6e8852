import { shownValue } from '../answer/answer';
import { isBlank, isSameText } from '../columnName';
import { isRecord, type JsonRecord, jsonText, type JsonValue, recordsOf, textOf } from '../json';
import { msSinceEpoch, timestampOf } from '../timestamp';
import type { CreateDetails } from './createDetails';
import { mergeProblems } from './mergeProblems';

/** What the fields beside the answers hold for one row of a group; `row` is the number by which people know it. */
export interface DetailedRow {
	row: number;
	details: CreateDetails;
}

/** One member of what a row gives. */
interface Member {
	name: string;
	value: JsonValue | undefined;
	row: number;
}

/** The request's names as the node's panel shows them, where that is not the name with its first letter capital. */
const LABELS: Readonly<Record<string, string>> = {
	team_id: 'Team ID',
	created_by: 'Created By',
	due_date_time: 'due date',
	assignee: 'assignees',
};
/** `{{ $now }}` in a due date is worked out for each row anew: within this time, in ms, rows mean the same moment. */
const SAME_MOMENT_MS = 60_000;

/**
 * The fields beside the answers of one inspection that several rows make (docs/create.md, Group Rows By): the first value
 * that is not empty counts, for each member of the task and each custom field by itself; another value in another
 * row is a problem that names both rows. There is a task where any row wants one.
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
	return Object.entries(record).map(([name, value]) => ({ name, value, row }));
}

function recordOf(members: readonly Member[]): JsonRecord {
	return Object.fromEntries(members.map(({ name, value }) => [name, value]));
}

function customFieldsOf(fields: JsonValue | undefined, row: number): Member[] {
	return recordsOf(fields).map(({ name, value }) => ({ name: textOf(name) ?? '', value, row }));
}

/** Of each name the first value that is not empty; one that is empty in all rows stays empty. */
function firstMembers(given: readonly Member[], labelOf: (name: string) => string) {
	const first = new Map<string, Member>();
	const problems = new Map<string, string>();
	for (const member of given) {
		const { name, value, row } = member;
		const known = first.get(name);
		if (known === undefined || isBlank(known.value)) {
			first.set(name, member);
		} else if (!isBlank(value) && !isSameDetail(known.value, value) && !problems.has(name)) {
			problems.set(
				name,
				`${labelOf(name)}: row ${String(known.row)} says ${shownValue(known.value)} and row ${String(row)} says ${shownValue(value)}; the rows of one inspection give one value`,
			);
		}
	}
	return { members: [...first.values()], problems: [...problems.values()] };
}

function isSameDetail(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
	if (isSameText(a, b)) return true;
	const json = jsonText(a);
	if (json !== undefined && json === jsonText(b)) return true;
	const [first, second] = [timestampOf(a), timestampOf(b)];
	if (first === undefined || second === undefined) return false;
	return Math.abs(msSinceEpoch(first) - msSinceEpoch(second)) < SAME_MOMENT_MS;
}
