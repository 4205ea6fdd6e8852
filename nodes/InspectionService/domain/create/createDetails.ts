import { isEmpty, isoOf, type ReadingOptions, shownValue } from '../answer/answer';
import { utcEndOf } from '../answer/dateAnswer';
import { dateCure } from '../answer/dateFormat';
import { guidOf } from '../id';
import { isRecord, type JsonRecord, jsonText, parseJson } from '../json';
import { MAX_ASSIGNEES } from '../limits';
import { STATUSES } from '../list/inspectionQuery';

/** Priorities of a task (Task of docs/service.openapi.yaml). */
export const PRIORITIES = ['low', 'medium', 'high'] as const;

/** The values of the node's fields other than the answers, as n8n hands them over. */
export interface DetailFields {
	/** `name`, `status`, `description`, `teamId`, `createdBy`, `customFields`, `locations`. */
	additionalFields: Readonly<Record<string, unknown>>;
	/** `title`, `instructions`, `priority`, `dueDateTime`, `assignee`; undefined for no task. */
	task: Readonly<Record<string, unknown>> | undefined;
}

/** The members of the create request other than the answers, and the problems that forbid sending them. */
export interface CreateDetails {
	body: JsonRecord;
	problems: string[];
}

/**
 * Reads the fields other than the answers (CreateInspection of docs/service.openapi.yaml). Empty fields are not sent.
 * An unknown priority is a problem, because the service would turn it into medium in silence
 * (Task of docs/service.openapi.yaml). An email that no member has is left to the service, which responds with a
 * warning.
 */
export function createDetails(
	{ additionalFields: fields, task }: DetailFields,
	reading: ReadingOptions,
): CreateDetails {
	const problems: string[] = [];
	const body: JsonRecord = {
		...present('team_id', teamIdOf(fields.teamId, problems)),
		...present('name', textFrom(fields.name)),
		...present('status', oneOf('Status', fields.status, STATUSES, problems)),
		...present('description', textFrom(fields.description)),
		...present('created_by', trimmedText(fields.createdBy)),
		...present('custom_fields', customFieldsOf(fields.customFields, problems)),
		...present('locations', locationsOf(fields.locations, problems)),
		...present('task', task && taskOf(task, reading, problems)),
	};
	return { body, problems };
}

function present(name: string, value: JsonRecord[string]): JsonRecord {
	if (value === undefined || (Array.isArray(value) && value.length === 0)) return {};
	return { [name]: value };
}

function textFrom(value: unknown): string | undefined {
	if (isEmpty(value)) return undefined;
	return typeof value === 'object' ? (isoOf(value) ?? jsonText(value)) : String(value);
}

/** A value as text without outer blanks; undefined for blanks alone. The service would refuse an email of ''. */
function trimmedText(value: unknown): string | undefined {
	const text = textFrom(value)?.trim();
	return text === '' ? undefined : text;
}

function teamIdOf(value: unknown, problems: string[]): string | undefined {
	const given = trimmedText(value);
	const teamId = guidOf(given);
	if (given === undefined || teamId !== undefined) return teamId;
	problems.push(
		`Team ID: ${shownValue(value)} is not a GUID; take the id of the template's team, or leave the field out`,
	);
	return undefined;
}

/** A value of a fixed list, given in any case of letters and returned in lower case, as the list has it. */
function oneOf(
	field: string,
	value: unknown,
	allowed: readonly string[],
	problems: string[],
): string | undefined {
	const text = trimmedText(value)?.toLowerCase();
	if (text === undefined || allowed.includes(text)) return text;
	problems.push(`${field}: ${shownValue(value)} is none of ${allowed.join(', ')}`);
	return undefined;
}

/**
 * Reads n8n's fixed collection, `{customField: [{name, value}]}`. An expression may also give the array itself, one
 * `{name, value}`, or an object of values by name, `{"Order": "A-17"}`.
 */
function customFieldsOf(value: unknown, problems: string[]): JsonRecord[] {
	return customFieldList(value).flatMap((field) => {
		if (isEmpty(field)) return [];
		const name = isRecord(field) ? textFrom(field.name) : undefined;
		const fieldValue = isRecord(field) ? textFrom(field.value) : undefined;
		if (name !== undefined) return [{ name, value: fieldValue ?? '' }];
		if (isRecord(field) && fieldValue === undefined) return [];
		problems.push(`Custom Fields: ${shownValue(field)} has no name; give it one`);
		return [];
	});
}

function customFieldList(value: unknown): readonly unknown[] {
	const given = isRecord(value) && 'customField' in value ? value.customField : value;
	if (given === undefined) return [];
	if (!isRecord(given)) return Array.isArray(given) ? given : [given];
	if ('name' in given) return [given];
	return Object.entries(given).map(([name, fieldValue]) => ({ name, value: fieldValue }));
}

/**
 * Reads an array of location objects, or one object, also as JSON text. The objects are sent as they are, because their
 * fields are not known (Location of docs/service.openapi.yaml).
 */
function locationsOf(value: unknown, problems: string[]): JsonRecord[] {
	if (isEmpty(value)) return [];
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
	const locations = list.filter(isRecord);
	if (locations.length === list.length) return locations;
	problems.push(
		`Locations: ${shownValue(value)} is not a list of locations; give a JSON array of objects, such as [{"name": "Gate 4"}]`,
	);
	return [];
}

function taskOf(
	task: Readonly<Record<string, unknown>>,
	reading: ReadingOptions,
	problems: string[],
) {
	return {
		...present('title', textFrom(task.title)),
		...present('instructions', textFrom(task.instructions)),
		...present('priority', oneOf('Task priority', task.priority, PRIORITIES, problems)),
		...present('due_date_time', dueDateOf(task.dueDateTime, reading, problems)),
		...present('assignee', assigneesOf(task.assignee, problems)),
	};
}

/**
 * The due date in UTC. A date without a zone is read in the workflow's zone, as n8n's date picker means it. The service
 * would read it in the organization's (Task of docs/service.openapi.yaml), which nobody sees in n8n. A day without a
 * time means the end of that day.
 */
function dueDateOf(
	value: unknown,
	reading: ReadingOptions,
	problems: string[],
): string | undefined {
	if (isEmpty(value)) return undefined;
	const date = utcEndOf(value, reading);
	if (date === undefined) {
		problems.push(
			`Task due date: ${shownValue(value)} is not a date; ${dateCure(value, '2026-05-31T17:00:00Z', reading.dateFormat)}`,
		);
	}
	return date;
}

/** Emails from a list, or from one text with commas, semicolons or line breaks; each once. */
function assigneesOf(value: unknown, problems: string[]): string[] {
	const given: unknown[] = Array.isArray(value) ? value : [value];
	const emails = new Map<string, string>();
	for (const text of given.flatMap(emailsIn)) {
		if (!emails.has(text.toLowerCase())) emails.set(text.toLowerCase(), text);
	}
	if (emails.size > MAX_ASSIGNEES) {
		problems.push(
			`Task assignees: ${String(emails.size)} emails are more than the ${String(MAX_ASSIGNEES)} that a task takes; leave ${String(emails.size - MAX_ASSIGNEES)} out`,
		);
	}
	return [...emails.values()];
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
