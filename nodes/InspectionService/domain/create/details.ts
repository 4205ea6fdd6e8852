import { type AnswerOptions, isoOf } from '../answer/answer';
import { utcEndOf } from '../answer/dateAnswer';
import { dateProblem } from '../answer/refusedDate';
import { spreadsheetMoment } from '../answer/spreadsheetDate';
import { shownValue } from '../formatting';
import { guidOf } from '../id';
import { isRecord, type JsonRecord, jsonText, type JsonValue, parseJson, recordsOf } from '../json';
import { STATUSES } from '../list/inspectionQuery';
import { isBlank } from '../normalizeText';
import type { Problem } from '../problem';
import type { Row, SheetRow } from './sheetRow';

/** A field of the request that isn't an answer. `label` is the field's name in the node's panel. */
export interface Detail {
	part: 'body' | 'task' | 'custom_fields';
	name: string;
	label: string;
	value: JsonValue;
	/** The number of the row that contains the value. */
	row: number;
	/** The position among the row's custom fields of the same name, from 0. 0 for other fields. */
	index: number;
}

/** Maximum assignees of one task, and the priorities (`Task` in docs/service.openapi.yaml). */
export const MAX_ASSIGNEES = 50;
export const PRIORITIES = ['low', 'medium', 'high'] as const;

/**
 * The value to send for a field, or why the given value breaks a rule. If the problem has no `value`, messages show the
 * given value.
 */
type FieldResult = string | JsonValue[] | undefined | Problem;

interface DetailRule {
	/** The name of the field in the request. */
	readonly name: string;
	/** The label in the editor. */
	readonly label: string;
	/** Reads the given value. Not called for a blank value. */
	readonly read: (given: unknown, reading: AnswerOptions) => FieldResult;
}

/**
 * The fields of a create request other than answers and custom fields (CreateInspection and Task of
 * docs/service.openapi.yaml). Grouped by the part of the request, and keyed by the node's parameter.
 */
export const DETAILS = {
	body: {
		teamId: { name: 'team_id', label: 'Team', read: readTeamId },
		name: { name: 'name', label: 'Name', read: readName },
		status: { name: 'status', label: 'Status', read: (given) => readOneOf(STATUSES, given) },
		description: { name: 'description', label: 'Description', read: textFrom },
		// The service checks whether a member has this email, and responds with a warning if not.
		createdBy: { name: 'created_by', label: 'Created By (Email)', read: trimmedText },
		locations: { name: 'locations', label: 'Locations', read: readLocations },
	},
	task: {
		title: { name: 'title', label: 'Title', read: textFrom },
		instructions: { name: 'instructions', label: 'Instructions', read: textFrom },
		// Reject an unknown priority, because the service would silently change it to medium.
		priority: {
			name: 'priority',
			label: 'Priority',
			read: (given) => readOneOf(PRIORITIES, given),
		},
		dueDateTime: { name: 'due_date_time', label: 'Due Date', read: readDueDate },
		assignee: { name: 'assignee', label: 'Assignees (Emails)', read: readAssignees },
	},
} satisfies Readonly<Record<'body' | 'task', Readonly<Record<string, DetailRule>>>>;

/** The node's parameters for a part of the request. The node's description must declare each of them. */
export type DetailParameter<Part extends keyof typeof DETAILS> = keyof (typeof DETAILS)[Part];

/** Reads the fields of the request that aren't answers, such as the name. Leaves out empty fields. */
export function detailsOf(
	{ number: row, additionalFields, task = {} }: Pick<Row, 'number' | 'additionalFields' | 'task'>,
	reading: AnswerOptions,
): { details: Detail[]; problems: Problem[] } {
	const details: Detail[] = [];
	const problems: Problem[] = [];
	const given = { body: additionalFields, task };
	for (const part of ['body', 'task'] as const) {
		for (const [parameter, rule] of Object.entries<DetailRule>(DETAILS[part])) {
			const { name, read } = rule;
			const label = part === 'task' ? `Task → ${rule.label}` : rule.label;
			const value = given[part][parameter];
			const found = isBlank(value) ? undefined : read(value, reading);
			if (typeof found === 'object' && 'message' in found) {
				problems.push({ subject: label, value: shownValue(value), ...found });
			} else if (found !== undefined && found.length > 0) {
				details.push({ part, name, label, value: found, row, index: 0 });
			}
		}
	}
	const namesakes = new Map<string, number>();
	for (const field of customFieldList(additionalFields.customFields)) {
		const [name, value] = [textFrom(field.name), textFrom(field.value)];
		if (name === undefined) {
			const problem = { subject: 'Custom Fields', message: 'has no name. Enter a name' };
			if (value !== undefined) problems.push({ ...problem, value: shownValue(field) });
			continue;
		}
		const index = namesakes.get(name) ?? 0;
		namesakes.set(name, index + 1);
		const label = `Custom field "${name}"`;
		details.push({ part: 'custom_fields', name, label, value: value ?? '', row, index });
	}
	return { details, problems };
}

export function bodyOf(details: readonly Detail[], hasTask: boolean): JsonRecord {
	const body: JsonRecord = {};
	const task: JsonRecord = {};
	const customFields: JsonRecord[] = [];
	for (const { part, name, value } of details) {
		if (part === 'custom_fields') customFields.push({ name, value });
		else if (part === 'task') task[name] = value;
		else body[name] = value;
	}
	if (customFields.length > 0) body.custom_fields = customFields;
	if (hasTask) body.task = task;
	return body;
}

function textFrom(value: unknown): string | undefined {
	if (isBlank(value)) return undefined;
	return typeof value === 'object' ? (isoOf(value) ?? jsonText(value)) : String(value);
}

function trimmedText(value: unknown): string | undefined {
	return textFrom(value)?.trim();
}

/** Reads the name. Rejects a list, an object, and a number that is most likely a date of a spreadsheet. */
function readName(given: unknown): FieldResult {
	const isObject = typeof given === 'object' && isoOf(given) === undefined;
	if (isObject || (typeof given === 'string' && NO_NAME.test(given))) {
		return { message: "isn't a name. Enter text, or a column that contains text" };
	}
	const moment = typeof given === 'number' ? spreadsheetMoment(given) : undefined;
	if (moment === undefined) return textFrom(given);
	return {
		message: `isn't a name, because it might be ${moment}, as spreadsheets store it. Format the column as text in Excel`,
	};
}

/** Matches the JSON of an empty list or object. */
const NO_NAME = /^\s*(?:\[\s*\]|\{\s*\})\s*$/;

function readTeamId(given: unknown): FieldResult {
	const message = `is not the ID of a team. Choose the team of the template from the list, or remove the field`;
	return guidOf(trimmedText(given)) ?? { message };
}

function readOneOf(allowed: readonly string[], given: unknown): FieldResult {
	const text = trimmedText(given)?.toLowerCase();
	if (text === undefined || allowed.includes(text)) return text;
	return { message: `is not one of these: ${allowed.join(', ')}` };
}

/**
 * Returns the custom fields from the value of n8n's parameter: `{customField: [{name, value}]}`. The value is `{}` if
 * an expression replaces the whole list (2.41.1).
 */
function customFieldList(value: unknown): readonly SheetRow[] {
	return isRecord(value) ? recordsOf(value.customField) : [];
}

/**
 * Accepts an object or an array of objects, also as JSON text. Doesn't check the objects' fields, because they're not
 * documented (`Location` in docs/service.openapi.yaml).
 */
function readLocations(given: unknown): FieldResult {
	const parsed = typeof given === 'string' ? parseJson(given) : given;
	const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
	if (list.every(isRecord)) return list;
	return {
		message: `isn't a list of locations. Enter a list in square brackets with each location in braces, such as [{"name": "Gate 4"}]`,
	};
}

/**
 * Reads a due date. A date without a zone is read in the workflow's time zone. The service would read it in the
 * organization's time zone (`Task` in docs/service.openapi.yaml).
 */
function readDueDate(given: unknown, reading: AnswerOptions): FieldResult {
	const example = '2026-05-31T17:00:00Z';
	return utcEndOf(given, reading) ?? dateProblem(given, example, reading.dateFormat);
}

/** Reads emails from a list or from separated text. Drops duplicates. */
function readAssignees(given: unknown): FieldResult {
	const list: unknown[] = Array.isArray(given) ? given : [given];
	const emails = new Map<string, string>();
	for (const text of list.flatMap(emailsIn)) {
		if (!emails.has(text.toLowerCase())) emails.set(text.toLowerCase(), text);
	}
	const unclear = [...emails.values()].find((text) => !EMAIL.test(text));
	if (unclear !== undefined) {
		return {
			value: shownValue(unclear),
			message:
				"isn't an email. Separate emails with commas, such as kim@example.com, ana@example.com",
		};
	}
	if (emails.size <= MAX_ASSIGNEES) return [...emails.values()];
	const message = `emails, but a task accepts ${String(MAX_ASSIGNEES)}. Remove at least ${String(emails.size - MAX_ASSIGNEES)} of them`;
	return { value: String(emails.size), message };
}

/** Matches one `@` between two parts without spaces or brackets. The service checks whether a member has the email. */
const EMAIL = /^[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+$/;
/** Matches the email in `Kim Lee <kim@example.com>`, as email programs copy an address. */
const ADDRESS = /<\s*(?:mailto:)?([^\s<>@]+@[^\s<>@]+)\s*>/gi;

/** Returns the emails in a value, separated by commas, semicolons, line breaks, or spaces. Ignores the names of addresses. */
function emailsIn(value: unknown): string[] {
	const text = textFrom(value) ?? '';
	const parsed = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
	if (Array.isArray(parsed)) return parsed.flatMap(emailsIn);
	// Remove quoted names, because a name may contain a comma: "Lee, Kim" <kim@example.com>.
	const named = text.includes('<') ? text.replace(/"[^"]*"/g, ' ') : text;
	return named.split(/[;\r\n]/).flatMap((entry) => {
		const parts = entry.split(',');
		// A part without an email is a family name before an address: Lee, Kim <kim@example.com>.
		const isName = (part: string, next = '') => !part.includes('@') && next.includes('<');
		return parts.filter((part, index) => !isName(part, parts[index + 1])).flatMap(emailsOfPart);
	});
}

function emailsOfPart(part: string): string[] {
	const addresses = [...part.matchAll(ADDRESS)].map(([, email = '']) => email);
	const rest = (addresses.length === 0 ? part : part.slice(part.lastIndexOf('>') + 1)).trim();
	const words = rest.split(/\s+/);
	const others = words.every((word) => word.includes('@')) ? words : [rest].filter(Boolean);
	return [...addresses, ...others];
}
