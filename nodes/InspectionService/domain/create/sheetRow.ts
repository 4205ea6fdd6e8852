import { type Answer, readAnswer, type ReadingOptions } from '../answer/answer';
import type { JsonValue } from '../json';
import type { Problem } from '../problem';
import type { Form } from '../template/form';
import type { RepeatableSection } from '../template/questions';
import type { ChoiceColumns } from './choiceColumns';

/** The cells of a row, by column. */
export type SheetRow = Readonly<Record<string, unknown>>;

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

/** The data that n8n provides for one input item. */
export interface Row {
	/** The row number in messages (`rowNumbers`). */
	readonly number: number;
	/** With automatic mapping, the item's fields. Otherwise, the values of the mapper's columns, by column ID. */
	readonly values: SheetRow;
	/** The cells of the row in the sheet. */
	readonly cells: SheetRow;
	/** The names of the mapper's columns, by ID. Undefined with automatic mapping. */
	readonly labels: ReadonlyMap<string, string> | undefined;
	readonly additionalFields: SheetRow;
	readonly task: SheetRow | undefined;
	/** The columns and questions whose text had C1 control characters, which `repaired` replaced. */
	readonly repaired?: readonly string[];
}

/** The content of an inspection, read from one or more rows. Rows can repeat answers and details. */
export interface Draft {
	answers: Answer[];
	details: Detail[];
	hasTask: boolean;
	problems: Problem[];
	/** Keys that have a value, but match no question or section of the template. */
	readonly unknownKeys: Set<string>;
	/** Reserved keys with a value, such as `name`. They never match a question. */
	readonly ownKeys: Set<string>;
	/** Sections whose value couldn't be read. Their required questions aren't also reported as unanswered. */
	readonly unread: Set<RepeatableSection>;
}

/** How to read the rows of an inspection. */
export interface RowReading extends ReadingOptions {
	/** The column of Group Rows By. Undefined if each row is a separate inspection. */
	groupColumn: string | undefined;
	/** Whether required questions can stay unanswered. */
	allowMissing?: boolean;
	/** The columns that stand for one choice each. Only for automatic mapping. */
	choices?: ChoiceColumns | undefined;
	/** How to fix a mapping that belongs to another template. Undefined for the default advice. */
	otherTemplateFix?: string | undefined;
}

/** A row that is being read, and the draft that is built from it. */
export interface ReadRow {
	readonly form: Form;
	readonly row: Row;
	readonly how: RowReading;
	readonly draft: Draft;
}

/** Reads a cell's value as an answer, and adds it to the draft. Adds nothing if the answer is empty. */
export function readGiven(
	{ row, how, draft }: ReadRow,
	given: Pick<Answer, 'question' | 'order' | 'given' | 'key' | 'inArray'>,
	read = readAnswer(given.question, given.given, how),
): void {
	const isGrouped = how.groupColumn !== undefined;
	const { question, order, key } = given;
	if (isGrouped && order !== 1 && !given.inArray) {
		const message = `with 'Group Rows By', each instance has its own row; enter the answer in a separate row, under "${question.name}"`;
		draft.problems.push({ subject: `"${key}"`, message });
		return;
	}
	const { value, problem } = read;
	if (value === undefined && problem === undefined) return;
	const origin = { element: order, row: isGrouped ? row.number : undefined };
	// A refused value is never sent. Comparisons use the given value.
	draft.answers.push({ ...given, ...origin, value: value ?? null, problem });
}
