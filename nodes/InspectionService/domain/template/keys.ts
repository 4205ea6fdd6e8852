import { cleanLine } from '../formatting';
import { idKey } from '../id';
import { foldName, foldPath, withoutAccents } from '../normalizeText';
import { isColumnKey } from '../rowKeys';
import { type Column, isQuestion, occurringOnce, type RepeatableSection } from './questions';

interface Meaning {
	/** The columns that match the key: none for an unknown key, several for an ambiguous one. */
	readonly columns: readonly Column[];
	/** The instance from the number at the end of the key, such as 2 in `Costs:2`. Undefined without a number. */
	readonly instance: number | undefined;
}

/** The keys of a whole template, or of one instance of a section. */
export interface Keys {
	/**
	 * Finds the meaning of a key. The first step that finds anything decides:
	 *
	 * 1. The key is exactly a field ID, control ID (in any form of a GUID), path, column name, or label.
	 * 2. The same for the key without `:n` at its end, which is the number of an instance.
	 * 3. The key is equivalent to a label, path, or name (`foldName`), or to a name shown in the editor.
	 * 4. The same without `:n`, ignoring spaces around the colon and after the number.
	 * 5. Steps 3 and 4 without accents, if exactly one column matches: `Etat general` for "État général".
	 * 6. All steps for the key without ` (required)`, which the editor adds to required questions.
	 *    Example: `N (required):2`.
	 */
	find(key: string): Meaning;
	/**
	 * Returns a key that `find` resolves only to this column. For a question of a repeatable section, that's also true
	 * with `:n` after the key. Prefers the wanted kind.
	 */
	keyOf(column: Column, kind?: ColumnNames): string;
}

/** The kind of key that names a row's columns (docs/get-many/rows.md). A path replaces a label that isn't unique. */
export type ColumnNames = 'label' | 'path' | 'fieldId';

/** One kind of key, such as labels, and the form in which keys are compared. */
interface KeyKind {
	namesOf: (column: Column, section: RepeatableSection | undefined) => readonly string[];
	formOf: (key: string) => string;
}

const asItIs = (key: string) => key;

/** Most reliable kind first. The first kind that knows a key decides its meaning. */
const EXACT: readonly KeyKind[] = [
	{ namesOf: ({ columnId, fieldId }) => [columnId, fieldId], formOf: asItIs },
	{ namesOf: ({ controlId }) => [controlId], formOf: idKey },
	{ namesOf: pathsOf, formOf: asItIs },
	{ namesOf: ({ name }) => [name], formOf: asItIs },
	{ namesOf: ({ label }) => [label], formOf: asItIs },
];

const FOLDED: readonly KeyKind[] = [
	{ namesOf: ({ label }) => [label], formOf: foldName },
	{ namesOf: pathsOf, formOf: foldPath },
	{ namesOf: ({ name }) => [name], formOf: foldName },
	{ namesOf: editorNamesOf, formOf: foldName },
];

const BARE: readonly KeyKind[] = FOLDED.map((kind) => ({
	...kind,
	formOf: (key) => withoutAccents(kind.formOf(key)),
}));

/** A key with an instance number, such as `Costs:2`. Up to nine digits, more than anyone needs. */
const INSTANCE = /:(0|[1-9]\d{0,8})$/;
/** Like `INSTANCE`, with the spaces that people write in a header: `Costs: 2`, `Costs:2 `. */
const LOOSE_INSTANCE = /:\s*(0|[1-9]\d{0,8})\s*$/;
const REQUIRED = / \(required\)(?=(?:\s{0,9}:\s{0,9}\d{1,9})?\s{0,9}$)/i;

/** Ways to compare a key, strictest first. The first way that finds anything decides. */
const WAYS = [
	{ kinds: EXACT, number: INSTANCE, mayBeSeveral: true },
	{ kinds: FOLDED, number: LOOSE_INSTANCE, mayBeSeveral: true },
	{ kinds: BARE, number: LOOSE_INSTANCE, mayBeSeveral: false },
];

/** Inside a section, a path can also be relative to the section's path. */
function pathsOf({ path }: Column, section: RepeatableSection | undefined): string[] {
	const outer = section && `${section.path}/`;
	return outer !== undefined && path.startsWith(outer) ? [path, path.slice(outer.length)] : [path];
}

const NOTHING: Meaning = { columns: [], instance: undefined };

/** @param section The section, if `columns` are the questions inside it. Their paths can be relative to it. */
export function keysOf(columns: readonly Column[], section?: RepeatableSection): Keys {
	const ways = WAYS.map(({ kinds, ...way }) => {
		return { ...way, indexes: kinds.map((kind) => buildKeyIndex(columns, kind, section)) };
	});
	const exactKeys = ways[0]?.indexes.flatMap(({ byKey }) => [...byKey.keys()]) ?? [];
	const numberedKeys = exactKeys.filter((key) => INSTANCE.test(key));
	const stems = new Set(numberedKeys.map((key) => key.replace(INSTANCE, '')));

	const findWhole = (key: string): Meaning | undefined => {
		for (const { indexes, number, mayBeSeveral } of ways) {
			const found = number.exec(key);
			const meaning =
				meaningIn(indexes, key) ??
				(found && meaningIn(indexes, key.slice(0, found.index), Number(found[1])));
			if (meaning && (mayBeSeveral || meaning.columns.length === 1)) return meaning;
		}
		return undefined;
	};
	// Cache: all rows of a sheet have the same keys.
	const meanings = new Map<string, Meaning>();
	const find = (key: string): Meaning => {
		const meaning =
			meanings.get(key) ?? findWhole(key) ?? findWhole(key.replace(REQUIRED, '')) ?? NOTHING;
		meanings.set(key, meaning);
		return meaning;
	};
	const fits = (key: string, column: Column) => {
		const { columns: found } = find(key);
		if (found.length !== 1 || found[0] !== column || !isColumnKey(key)) return false;
		const takesInstances = isQuestion(column) && column.section !== null;
		return !takesInstances || !(stems.has(key) || stems.has(idKey(key)));
	};
	return {
		find,
		keyOf: (column, kind = 'label') =>
			candidatesOf(column, kind).find((key) => fits(key, column)) ?? column.fieldId,
	};
}

interface KeyIndex {
	readonly formOf: (key: string) => string;
	readonly byKey: ReadonlyMap<string, readonly Column[]>;
}

function buildKeyIndex(
	columns: readonly Column[],
	{ namesOf, formOf }: KeyKind,
	section: RepeatableSection | undefined,
): KeyIndex {
	const byKey = new Map<string, Column[]>();
	for (const column of columns) {
		for (const key of new Set(namesOf(column, section).map(formOf))) {
			const known = byKey.get(key);
			if (known !== undefined) known.push(column);
			else if (key !== '') byKey.set(key, [column]);
		}
	}
	return { formOf, byKey };
}

function meaningIn(
	indexes: readonly KeyIndex[],
	key: string,
	instance?: number,
): Meaning | undefined {
	for (const { formOf, byKey } of indexes) {
		const columns = byKey.get(formOf(key));
		if (columns !== undefined) return { columns, instance };
	}
	return undefined;
}

function candidatesOf(column: Column, kind: ColumnNames): string[] {
	const { name, path, controlId } = column;
	const id = isQuestion(column) ? column.fieldId : column.columnId;
	const order = {
		label: [name, path, id, controlId],
		path: [path, name, id, controlId],
		fieldId: [id, controlId, path, name],
	};
	return order[kind];
}

/**
 * Maximum characters of a name in a list or a column of the editor: a few lines of n8n's panel, which doesn't cut it.
 */
const MAX_LIST_NAME = 200;

/**
 * Formats a name from the service for the editor: one line, without invisible characters. A space goes before a leading
 * `=`, because n8n also saves names, and reads text that begins with `=` as an expression.
 */
export function listName(name: string): string {
	const line = cleanLine(name, MAX_LIST_NAME);
	return line.startsWith('=') ? ` ${line}` : line;
}

/** The suffix of a required column's name. */
export const REQUIRED_MARK = ' (required)';
const MAX_NAME = MAX_LIST_NAME - REQUIRED_MARK.length;
/** Maximum characters of a path in parentheses, so that at least half of the name is the label. */
const MAX_PATH = 80;

/**
 * Returns unique names for the columns in the editor: `Name`, `Room › Name` in a repeatable section, or `Remarks
 * (Scaffolding/Checks)` if several questions have the label. n8n 2.41 cuts a name after about 27 characters.
 */
export function editorNames(columns: readonly Column[]): Map<Column, string> {
	const candidates = new Map(columns.map((column) => [column, editorNamesOf(column)]));
	const unique = occurringOnce([...candidates.values()].flatMap((names) => [...new Set(names)]));
	return new Map(
		[...candidates].map(([column, names]) => {
			const name = names.find((candidate) => unique.has(candidate)) ?? names.at(-1);
			return [column, name ?? column.fieldId];
		}),
	);
}

/**
 * Returns the possible names of a column, shortest first. People copy them into a header, so each is a key (`keysOf`).
 */
function editorNamesOf(column: Column): string[] {
	const title = titleOf(column);
	const outermost = isQuestion(column) ? (column.section ?? column) : column;
	const paths = [outerPath(outermost), outerPath(column)].filter((path) => path !== '');
	return [
		cleanLine(title, MAX_NAME),
		...[...new Set(paths), column.fieldId].map((path) => nameWithPath(title, path)),
	];
}

/**
 * Returns a name followed by its path, such as `Remarks (Scaffolding/Checks)`. Only the title is shortened to make
 * room.
 */
function nameWithPath(title: string, path: string): string {
	const end = ` (${cleanLine(path, MAX_PATH)})`;
	return cleanLine(title, MAX_NAME - end.length) + end;
}

function titleOf(column: Column): string {
	const label = shownLabel(column);
	if (!isQuestion(column)) return `${label} (list, one entry each)`;
	return column.section === null ? label : `${shownLabel(column.section)} › ${label}`;
}

function shownLabel({ label, fieldId }: Column): string {
	return cleanLine(label, MAX_NAME) || fieldId;
}

function outerPath({ path, label }: Column): string {
	return path.endsWith(`/${label}`) ? path.slice(0, -label.length - 1) : '';
}
