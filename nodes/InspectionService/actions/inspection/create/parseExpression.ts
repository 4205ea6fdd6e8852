import type { SheetRow } from '../../../domain/create/sheetRow';
import { readableText } from '../../../domain/encoding';
import { isBlank } from '../../../domain/normalizeText';

/** Matches expressions that read the current row. */
const OF_ITEM = /\$(?:json|input|binary)\b/;
/** Matches expressions that read the current row or a row of a previous node. */
const OF_ROW = /\$(?:json|input|binary|node|item)\b|\$\(/;
const OF_ERROR = /\berror\b/;
/** Matches a column in an expression: `$json.Order`, `$json["Order No"]`, `$('Sheet').item.json['Order No']`. */
const COLUMN =
	/\bjson\s{0,9}(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s{0,9}(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s{0,9}\])/gu;
/** Matches columns of the current row. Method calls such as `$json.keys()` aren't columns. */
const OWN_COLUMN = new RegExp(`\\$${COLUMN.source}(?![\\p{L}\\p{N}_$]|\\s*\\()`, 'gu');
/** Matches expressions that provide a fallback for a missing column. */
const HAS_FALLBACK = /\?|\|\||\bif\b|isEmpty/;
/** Matches code in an expression that handles empty cells: a condition, a comparison, or a default. */
const DECIDES = /\?(?!\.)|\|\||&&|[!=<>]|\bif\b|[iI]fEmpty|is(?:Not)?Empty/;

/** An expression of the node's parameters, parsed once per run, before n8n evaluates it for each row. */
export class Expression {
	/** The expression without its leading `=`. */
	readonly text: string;
	/** Whether the expression reads the current item. */
	readonly readsItem: boolean;
	/** Whether the expression reads the current row, or a row of a previous node. */
	readonly readsRow: boolean;
	readonly readsError: boolean;
	/** The columns that the expression reads. Can't detect computed names such as `$json[$vars.column]`. */
	readonly columns: readonly string[];
	/** The columns of the current row that the expression reads. */
	readonly ownColumns: readonly string[];
	/** Whether the expression handles empty cells. Otherwise, it has no complete value without `ownColumns`. */
	readonly decides: boolean;

	constructor(text: string) {
		this.text = text;
		this.readsItem = OF_ITEM.test(text);
		this.readsRow = OF_ROW.test(text);
		this.readsError = OF_ERROR.test(text);
		this.columns = columnsIn(text, COLUMN);
		this.ownColumns = columnsIn(text, OWN_COLUMN);
		this.decides = partsIn(text).some((part) => DECIDES.test(part));
	}

	/**
	 * Whether the expression reads a column that no row has. In the evaluated text, such a column is missing or becomes
	 * `undefined`.
	 */
	lacksColumn(rows: readonly SheetRow[]): boolean {
		const hasColumn = (column: string) => rows.some((row) => Object.hasOwn(row, column));
		return !HAS_FALLBACK.test(this.text) && this.ownColumns.some((column) => !hasColumn(column));
	}

	/** Returns the parts between `{{` and `}}`. */
	parts(): Expression[] {
		return partsIn(this.text).map((part) => new Expression(`{{${part}}}`));
	}

	/**
	 * Whether the expression reads only cells of the current row, and all these cells are empty. In later rows of a
	 * group, the value of such an expression is ignored. With merged cells, only the first row has a value, so `Walk {{
	 * $json.Site }}` becomes "Walk " in the rows below.
	 */
	takesOnlyEmptyCells(row: SheetRow = {}): boolean {
		const isEmpty = (column: string) => isBlank(row[column]);
		const { columns, ownColumns } = this;
		return (
			ownColumns.length > 0 && ownColumns.every(isEmpty) && columns.length === ownColumns.length
		);
	}
}

/** Returns the code between `{{` and `}}` of each part of an expression. */
function partsIn(text: string): string[] {
	const [, ...parts] = text.split('{{');
	return parts.map((part) => part.split('}}', 1).join());
}

function columnsIn(text: string, column: RegExp): string[] {
	const names = [...text.matchAll(column)].map(([, ...found]) => found.find((name) => name));
	return names.map((name = '') => readableText(name));
}
