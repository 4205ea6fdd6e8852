import type { AnswerOptions } from '../answer/answer';
import type { ChoiceColumns } from './choiceColumns';

/** The cells of a row, by column. */
export type SheetRow = Readonly<Record<string, unknown>>;

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
	/** The columns and questions whose text had C1 control characters, which `withReadableText` replaced. */
	readonly misencoded?: readonly string[];
}

/** How to read the rows of an inspection. */
export interface SheetRowOptions extends AnswerOptions {
	/** The columns of Group Rows By. Empty if each row is a separate inspection. */
	groupColumns: readonly string[];
	/** Whether required questions can stay unanswered. */
	allowMissing?: boolean;
	/** The columns that stand for one choice each. Only for automatic mapping. */
	choices?: ChoiceColumns | undefined;
	/** How to fix a mapping that belongs to another template. Undefined for the default advice. */
	otherTemplateFix?: string | undefined;
}
