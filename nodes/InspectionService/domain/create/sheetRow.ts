import { type Answer, readAnswer, type ReadingOptions } from '../answer/answer';
import { jsonText, type JsonValue } from '../json';
import type { Problem } from '../problem';
import { shownValue } from '../shownText';
import type { Form } from '../template/form';
import type { RepeatableSection } from '../template/questions';

/** The cells of a row, by column. */
export type SheetRow = Readonly<Record<string, unknown>>;

/** A member of the request other than the answers. `label` is its name in the node's panel. */
export interface Detail {
	part: 'body' | 'task' | 'custom_fields';
	name: string;
	label: string;
	value: JsonValue;
}

/** What n8n gives for one input item. */
export interface Row {
	/** The number by which people know it (`rowNumbers`). */
	readonly number: number;
	/** The item's own fields with automatic mapping, else the values of the mapper's columns, by column id. */
	readonly values: SheetRow;
	/** The names of the mapper's columns, by their ids; undefined with automatic mapping. */
	readonly labels: ReadonlyMap<string, string> | undefined;
	readonly additionalFields: SheetRow;
	readonly task: SheetRow | undefined;
	/** The columns and questions whose texts had C1 control characters (`repaired`). */
	readonly repaired?: readonly string[];
}

/** What one row, or several, say about an inspection. */
export interface Draft {
	/** The number of the row; of several, that of the first. */
	row: number;
	answers: Answer[];
	details: Detail[];
	hasTask: boolean;
	problems: Problem[];
	/** Keys with a value that match nothing in the template. */
	unknownKeys: string[];
	/** Keys with a value that are the row's own, such as `name`. They are never taken for a question. */
	ownKeys: string[];
	/** Sections whose value could not be read. Their required questions are not reported as well. */
	unread: Set<RepeatableSection>;
}

/** How the rows of an inspection are read. */
export interface RowReading extends ReadingOptions {
	/** Undefined where each row is an inspection of its own. */
	groupColumn: string | undefined;
	/** What to do about a mapped question that the template does not have; undefined for the usual advice. */
	goneCure?: string | undefined;
}

/** A row that is being read, and what was found in it so far. */
export interface ReadRow {
	readonly form: Form;
	readonly row: Row;
	readonly how: RowReading;
	readonly draft: Draft;
}

/** Reads a value that is not empty. Nothing comes of it where it is no answer. */
export function readGiven(
	{ row, how, draft }: ReadRow,
	given: Pick<Answer, 'question' | 'order' | 'given' | 'key' | 'inArray'>,
): void {
	const isGrouped = how.groupColumn !== undefined;
	const { question, order, key } = given;
	if (isGrouped && order !== 1 && !given.inArray) {
		const wrong = `with Group Rows By each instance has a row of its own; put the answer into one, under "${question.name}"`;
		draft.problems.push({ subject: `"${key}"`, wrong });
		return;
	}
	const { value, problem } = readAnswer(question, given.given, how);
	if (value === undefined && problem === undefined) return;
	const place = { element: order, row: isGrouped ? row.number : undefined };
	draft.answers.push({ ...given, ...place, value: value ?? asGiven(given.given), problem });
}

/** The value as JSON holds it, such as the ISO 8601 text of a date. A value that JSON cannot hold becomes text. */
function asGiven(value: unknown): JsonValue {
	const json = jsonText(value);
	if (json === undefined) return typeof value === 'object' ? shownValue(value) : String(value);
	return JSON.parse(json) as JsonValue;
}
