import { isEmpty, isoOf, type ReadingOptions, shownValue } from '../answer/answer';
import { utcEndOf } from '../answer/dateAnswer';
import { dateCure } from '../answer/dateFormat';
import { guidOf } from '../id';
import { isRecord, type JsonRecord, jsonText, parseJson } from '../json';
import { MAX_ASSIGNEES } from '../limits';
import { STATUSES } from '../list/inspectionQuery';

/** Priorities of a task (Task of docs/service.openapi.yaml). */
export const PRIORITIES = ['low', 'medium', 'high'] as const;

/** What the node's fields hold beside the answers, as n8n hands it over. */
export interface DetailFields {
	/** `name`, `status`, `description`, `teamId`, `createdBy`, `customFields`, `locations`. */
	additionalFields: Readonly<Record<string, unknown>>;
	/** `title`, `instructions`, `priority`, `dueDateTime`, `assignee`; undefined for no task. */
	task: Readonly<Record<string, unknown>> | undefined;
}

/** The members of the create request that are no answers, and what speaks against sending them. */
export interface CreateDetails {
	body: JsonRecord;
	problems: string[];
}

/**
 * Reads the fields beside the answers (CreateInspection and Task of docs/service.openapi.yaml). Empty
 * fields are not sent. The service would turn an unknown priority into medium in silence: here it is a problem.
 * Emails of nobody are left to the service, which answers them with a warning.
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

/** Blanks alone are nothing given: an email of '' would be refused with a warning. */
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

/** One of a fixed list in any case, in the list's own spelling. */
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
 * n8n's fixed collection, `{customField: [{name, value}]}`; by expression also the array itself, one `{name, value}`,
 * or an object of values by name, `{"Order": "A-17"}`.
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

/** An array of location objects or one object, also as JSON text. What is in them is not shown (Location of docs/service.openapi.yaml). */
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
 * In UTC, as Task of docs/service.openapi.yaml has it. Without a zone it is read in the workflow's, as n8n's own date picker
 * means it, and not in the organization's, which nobody sees in n8n. A day without a time is the end of that day.
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
