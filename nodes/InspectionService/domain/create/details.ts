import { isoOf, type ReadingOptions } from '../answer/answer';
import { utcEndOf } from '../answer/dateAnswer';
import { dateProblem } from '../answer/dateFormat';
import { shownValue } from '../answer/shownValue';
import { guidOf } from '../id';
import { isRecord, type JsonRecord, jsonText, type JsonValue, parseJson } from '../json';
import { STATUSES } from '../list/inspectionQuery';
import { isBlank } from '../plainText';
import type { Problem, ValueProblem } from '../problem';
import type { Detail, Row } from './draft';

/** Assignees of one task (Task of docs/service.openapi.yaml). */
export const MAX_ASSIGNEES = 50;

/** Priorities of a task (Task of docs/service.openapi.yaml). */
export const PRIORITIES = ['low', 'medium', 'high'] as const;

/** The value of a field as it is sent, undefined for none; or why it breaks a rule. */
type FieldReading = { value: JsonValue | undefined } | { problem: ValueProblem };

/** A field of the node, and the member of the request that it becomes. */
interface Field {
	/** The name of the node's parameter. */
	parameter: string;
	/** The name of the member. */
	name: string;
	label: string;
	read(given: unknown, reading: ReadingOptions): FieldReading;
}

/** The fields other than the answers (CreateInspection of docs/service.openapi.yaml), custom fields apart. */
const BODY: readonly Field[] = [
	{ parameter: 'teamId', name: 'team_id', label: 'Team ID', read: readTeamId },
	{ parameter: 'name', name: 'name', label: 'Name', read: readText },
	{ parameter: 'status', name: 'status', label: 'Status', read: oneOf(STATUSES) },
	{ parameter: 'description', name: 'description', label: 'Description', read: readText },
	{ parameter: 'createdBy', name: 'created_by', label: 'Created By', read: readTrimmed },
	{ parameter: 'locations', name: 'locations', label: 'Locations', read: readLocations },
];

/**
 * The fields of a task. An unknown priority is a problem, because the service would turn it into medium in silence
 * (Task of docs/service.openapi.yaml).
 */
const TASK: readonly Field[] = [
	{ parameter: 'title', name: 'title', label: 'Task title', read: readText },
	{ parameter: 'instructions', name: 'instructions', label: 'Task instructions', read: readText },
	{ parameter: 'priority', name: 'priority', label: 'Task priority', read: oneOf(PRIORITIES) },
	{
		parameter: 'dueDateTime',
		name: 'due_date_time',
		label: 'Task due date',
		read: readDueDate,
	},
	{ parameter: 'assignee', name: 'assignee', label: 'Task assignees', read: readAssignees },
];

/** The fields of a row other than the answers. Empty ones are not sent. */
export function detailsOf(
	{ additionalFields, task = {} }: Pick<Row, 'additionalFields' | 'task'>,
	reading: ReadingOptions,
): { details: Detail[]; problems: Problem[] } {
	const details: Detail[] = [];
	const problems: Problem[] = [];
	const add = (part: Detail['part'], fields: readonly Field[], given: Row['additionalFields']) => {
		for (const { parameter, name, label, read } of fields) {
			const found = read(given[parameter], reading);
			if ('problem' in found) problems.push({ subject: label, ...found.problem });
			else if (isGiven(found.value)) details.push({ part, name, label, value: found.value });
		}
	};
	add('body', BODY, additionalFields);
	add('task', TASK, task);
	for (const field of customFieldList(additionalFields.customFields)) {
		const found = readCustomField(field);
		if (Array.isArray(found)) details.push(...found);
		else problems.push(found);
	}
	return { details, problems };
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
	return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** The members of the create request that the details are. */
export function bodyOf(details: readonly Detail[], hasTask: boolean): JsonRecord {
	const membersOf = (part: Detail['part']) =>
		details.filter((detail) => detail.part === part).map(({ name, value }) => [name, value]);
	const customFields = details
		.filter(({ part }) => part === 'custom_fields')
		.map(({ name, value }) => ({ name, value }));
	return {
		...Object.fromEntries(membersOf('body')),
		...(customFields.length > 0 && { custom_fields: customFields }),
		...(hasTask && { task: Object.fromEntries(membersOf('task')) }),
	};
}

function textFrom(value: unknown): string | undefined {
	if (isBlank(value)) return undefined;
	return typeof value === 'object' ? (isoOf(value) ?? jsonText(value)) : String(value);
}

/** A value as text without outer blanks; undefined for blanks alone. */
function trimmedText(value: unknown): string | undefined {
	return textFrom(value)?.trim();
}

function wrongValue(given: unknown, wrong: string): FieldReading {
	return { problem: { value: shownValue(given), wrong } };
}

function readText(given: unknown): FieldReading {
	return { value: textFrom(given) };
}

/** An email that no member has is left to the service, which responds with a warning. */
function readTrimmed(given: unknown): FieldReading {
	return { value: trimmedText(given) };
}

function readTeamId(given: unknown): FieldReading {
	const text = trimmedText(given);
	const teamId = guidOf(text);
	if (text === undefined || teamId !== undefined) return { value: teamId };
	return wrongValue(
		given,
		`is not a GUID; take the id of the template's team, or leave the field out`,
	);
}

/** A value of a fixed list, given in any case of letters and sent in lower case, as the list has it. */
function oneOf(allowed: readonly string[]): Field['read'] {
	return (given) => {
		const text = trimmedText(given)?.toLowerCase();
		if (text === undefined || allowed.includes(text)) return { value: text };
		return wrongValue(given, `is none of ${allowed.join(', ')}`);
	};
}

/**
 * The entries of n8n's fixed collection, `{customField: [{name, value}]}`. An expression may also give the array itself,
 * one `{name, value}`, or an object of values by name, `{"Order": "A-17"}`.
 */
function customFieldList(value: unknown): readonly unknown[] {
	const given = isRecord(value) && 'customField' in value ? value.customField : value;
	if (given === undefined) return [];
	if (!isRecord(given)) return Array.isArray(given) ? given : [given];
	if ('name' in given) return [given];
	return Object.entries(given).map(([name, fieldValue]) => ({ name, value: fieldValue }));
}

/** A custom field, none for an empty entry; or a problem. */
function readCustomField(field: unknown): Detail[] | Problem {
	if (isBlank(field)) return [];
	const name = isRecord(field) ? textFrom(field.name) : undefined;
	const value = isRecord(field) ? textFrom(field.value) : undefined;
	if (name !== undefined) {
		const label = `Custom field "${name}"`;
		return [{ part: 'custom_fields', name, label, value: value ?? '' }];
	}
	if (isRecord(field) && value === undefined) return [];
	return { subject: 'Custom Fields', value: shownValue(field), wrong: 'has no name; give it one' };
}

/**
 * Reads an array of location objects, or one object, also as JSON text. The objects are sent as they are, because their
 * fields are not known (Location of docs/service.openapi.yaml).
 */
function readLocations(given: unknown): FieldReading {
	if (isBlank(given)) return { value: undefined };
	const parsed = typeof given === 'string' ? parseJson(given) : given;
	const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
	const locations = list.filter(isRecord);
	if (locations.length === list.length) return { value: locations };
	return wrongValue(
		given,
		'is not a list of locations; give a JSON array of objects, such as [{"name": "Gate 4"}]',
	);
}

/**
 * The due date in UTC. A date without a zone is read in the workflow's zone, as n8n's date picker means it. The service
 * would read it in the organization's (Task of docs/service.openapi.yaml), which nobody sees in n8n. A day without a
 * time means the end of that day.
 */
function readDueDate(given: unknown, reading: ReadingOptions): FieldReading {
	if (isBlank(given)) return { value: undefined };
	const value = utcEndOf(given, reading);
	if (value !== undefined) return { value };
	const problem = dateProblem(given, '2026-05-31T17:00:00Z', reading.dateFormat);
	return { problem: { value: shownValue(given), ...problem } };
}

/** Emails from a list, or from one text with commas, semicolons or line breaks; each once. */
function readAssignees(given: unknown): FieldReading {
	const list: unknown[] = Array.isArray(given) ? given : [given];
	const emails = new Map<string, string>();
	for (const text of list.flatMap(emailsIn)) {
		if (!emails.has(text.toLowerCase())) emails.set(text.toLowerCase(), text);
	}
	if (emails.size <= MAX_ASSIGNEES) return { value: [...emails.values()] };
	const wrong = `emails are more than the ${String(MAX_ASSIGNEES)} that a task takes; leave ${String(emails.size - MAX_ASSIGNEES)} out`;
	return { problem: { value: String(emails.size), wrong } };
}

function emailsIn(value: unknown): string[] {
	const text = textFrom(value) ?? '';
	const parsed = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
	if (Array.isArray(parsed)) return parsed.flatMap(emailsIn);
	return text
		.split(/[,;\r\n]/)
		.map((email) => email.trim())
		.filter((email) => email !== '');
}
