import type { Answer } from '../answer/answer';
import { InputError } from '../inputError';
import type { JsonValue } from '../json';
import type { Problem } from '../problem';
import type { RepeatableSection } from '../template/questions';

/** Data items in one create request (CreateInspection of docs/service.openapi.yaml). */
export const MAX_DATA_ITEMS = 1000;

/** What n8n gives for one input item. */
export interface Row {
	/** The number by which people know it (`rowNumbers`). */
	readonly number: number;
	/** The item's own fields with automatic mapping, else the values of the mapper's columns, by column id. */
	readonly values: Readonly<Record<string, unknown>>;
	/** Undefined with automatic mapping. */
	readonly mapped: MappedColumns | undefined;
	/** `name`, `status`, `description`, `teamId`, `createdBy`, `customFields`, `locations`. */
	readonly additionalFields: Readonly<Record<string, unknown>>;
	/** `title`, `instructions`, `priority`, `dueDateTime`, `assignee`; undefined for no task. */
	readonly task: Readonly<Record<string, unknown>> | undefined;
}

/** What is known of the columns that are mapped one by one. */
export interface MappedColumns {
	/** The names of the columns, by their ids. */
	readonly labels: ReadonlyMap<string, string>;
	/** What to do about a column that the template does not have; undefined for the usual advice. */
	readonly cure: string | undefined;
}

/** A member of the request other than the answers. */
export interface Detail {
	/** `body` is the request itself; a custom field is a `{name, value}` of its own. */
	part: 'body' | 'task' | 'custom_fields';
	name: string;
	/** The name as the node's panel shows it, for messages. */
	label: string;
	value: JsonValue;
}

/** What one row, or several, say about an inspection. */
export interface Draft {
	answers: Answer[];
	details: Detail[];
	/** Whether a task is wanted, also one without any field. */
	hasTask: boolean;
	problems: Problem[];
	/** Those with the details. They are told after those with the answers. */
	detailProblems: Problem[];
	/** Keys that have a value and match nothing in the template. */
	unknownKeys: string[];
	/** Keys that have a value and are the row's own, such as `name`. They are never taken for a question. */
	ownKeys: string[];
	/** Sections whose value could not be read. Their required questions are not reported as well. */
	unread: Set<RepeatableSection>;
}

/** Calls `make` for one of the rows that make an inspection. An InputError gets the number of the row. */
export function namingRow<Made>(row: number, make: () => Made): Made {
	let refusal: unknown;
	try {
		return make();
	} catch (error) {
		refusal = error;
	}
	if (!(refusal instanceof InputError)) throw refusal;
	const problems = refusal.problems.map((problem) => ({ ...problem, rows: [row] }));
	throw new InputError(`row ${String(row)}: ${refusal.message}`, refusal.detail, problems);
}
