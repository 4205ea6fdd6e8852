import { cleanLine } from '../formatting';
import { groupBy } from '../groupBy';
import { guidOf } from '../id';
import { foldPath, withoutAccents } from '../normalizeText';
import { isColumnKey } from '../rowKeys';
import { type Column, isQuestion, occurringOnce, type RepeatableSection } from './questions';

interface Meaning {
	/** The columns that match the key. Empty for an unknown key. Several columns for an ambiguous key. */
	readonly columns: readonly Column[];
	/** The instance number at the end of the key, such as 2 in `Costs:2`. Undefined without a number. */
	readonly instance: number | undefined;
}

/** Finds columns by key, and keys for columns: in a whole template, or in one instance of a section. */
export interface Keys {
	/**
	 * Finds the columns that a key can mean. Tries these steps, and returns the result of the first one that finds a
	 * column:
	 *
	 * 1. The key is exactly a field ID, control ID (in any GUID format), path, column name, or label.
	 * 2. Like step 1, for the key without `:n` at its end. `n` is the number of an instance.
	 * 3. The key is a label, path, or name, without regard to case and spaces (`foldName`). Or it's a name from the
	 *    editor.
	 * 4. Like step 3, for the key without `:n`. Spaces around the colon and after the number are allowed.
	 * 5. Like steps 3 and 4 without accents, if exactly one column matches: `Etat general` for "État général".
	 * 6. All steps for the key without ` (required)`, which the editor adds to required questions. Example: `N
	 *    (required):2`.
	 */
	find(key: string): Meaning;
	/**
	 * Returns a key for which `find` returns only this column. For a question of a repeatable section, `:n` can be added
	 * to the key. The key is of the given kind if possible.
	 */
	keyOf(column: Column, kind?: KeyOrder): string;
}

/** The kind of key for the columns of a row (docs/get.md). If a label isn't unique, the path is used. */
export type ColumnNames = 'label' | 'fieldId';
/** The kind of key that `keyOf` prefers. The path is a fallback for labels that aren't unique. */
type KeyOrder = ColumnNames | 'path';

/** Returns the keys of one kind that a column has, such as its label. `section` is explained at `keysOf`. */
type KeysOfKind = (column: Column, section: RepeatableSection | undefined) => readonly string[];

/**
 * The kinds of keys that must match exactly, most reliable first. The first kind with a match determines the columns.
 */
const EXACT: readonly KeysOfKind[] = [
	({ columnId, fieldId }) => [columnId, fieldId],
	({ controlId }) => [controlId],
	pathsOf,
	({ name }) => [name],
	({ label }) => [label],
];

/** The kinds of keys that people type in a header. */
const TYPED: readonly KeysOfKind[] = [
	({ label }) => [label],
	pathsOf,
	({ name }) => [name],
	editorNamesOf,
];

/** Matches the instance number of a key such as `Costs:2`. Allows nine digits, which is more than anyone needs. */
const INSTANCE = /:(0|[1-9]\d{0,8})$/;
/** Like `INSTANCE`, but allows the spaces that people type in a header: `Costs: 2`, `Costs:2 `. */
const LOOSE_INSTANCE = /:\s*(0|[1-9]\d{0,8})\s*$/;
const REQUIRED = / \(required\)(?=(?:\s{0,9}:\s{0,9}\d{1,9})?\s{0,9}$)/i;

/** Returns the key of a question's instance: `Costs`, `Costs:2`. `Keys.find` reads it as this instance. */
export function instanceKey(key: string, instance: number): string {
	return instance === 1 ? key : `${key}:${String(instance)}`;
}

/** The ways to compare a key, strictest first. The first way with a match determines the columns. */
const WAYS = [
	{ kinds: EXACT, normalize: asGuid, number: INSTANCE, mayBeSeveral: true },
	{ kinds: TYPED, normalize: foldPath, number: LOOSE_INSTANCE, mayBeSeveral: true },
	{ kinds: TYPED, normalize: barePath, number: LOOSE_INSTANCE, mayBeSeveral: false },
];

/** Returns a key as it is. Writes a GUID in its usual form. */
function asGuid(key: string): string {
	return guidOf(key) ?? key;
}

function barePath(key: string): string {
	return withoutAccents(foldPath(key));
}

/**
 * Returns the paths by which a column can be found: its full path, and inside a section also the path relative to that
 * section.
 */
function pathsOf({ path }: Column, section: RepeatableSection | undefined): string[] {
	const outer = section && `${section.path}/`;
	return outer !== undefined && path.startsWith(outer) ? [path, path.slice(outer.length)] : [path];
}

const NOTHING: Meaning = { columns: [], instance: undefined };

/**
 * @param section The repeatable section, if `columns` are its questions. Their paths can then be relative to the
 * section.
 */
export function keysOf(columns: readonly Column[], section?: RepeatableSection): Keys {
	const ways = WAYS.map((way) => ({ ...way, byKey: columnsByKey(columns, way, section) }));
	const numberedKeys = [...(ways[0]?.byKey.keys() ?? [])].filter((key) => INSTANCE.test(key));
	const stems = new Set(numberedKeys.map((key) => key.replace(INSTANCE, '')));

	const findWhole = (key: string): Meaning | undefined => {
		for (const { byKey, normalize, number, mayBeSeveral } of ways) {
			const found = number.exec(key);
			const whole = byKey.get(normalize(key));
			const stem = found && byKey.get(normalize(key.slice(0, found.index)));
			const [matches, instance] = whole ? [whole, undefined] : [stem, Number(found?.[1])];
			if (matches && (mayBeSeveral || matches.length === 1)) return { columns: matches, instance };
		}
		return undefined;
	};
	// A cache, because all rows of a sheet have the same keys.
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
		return !takesInstances || !stems.has(asGuid(key));
	};
	return {
		find,
		keyOf: (column, kind = 'label') =>
			candidatesOf(column, kind).find((key) => fits(key, column)) ?? column.fieldId,
	};
}

function columnsByKey(
	columns: readonly Column[],
	{ kinds, normalize }: Pick<(typeof WAYS)[number], 'kinds' | 'normalize'>,
	section: RepeatableSection | undefined,
): ReadonlyMap<string, readonly Column[]> {
	const byKey = new Map<string, readonly Column[]>();
	for (const kind of kinds) {
		const keyed = columns.flatMap((column) => {
			const keys = new Set(kind(column, section).map(normalize));
			return [...keys].map((key) => ({ key, column }));
		});
		for (const [key, found] of groupBy(keyed, (one) => one.key)) {
			const matches = found.map(({ column }) => column);
			if (key !== '' && !byKey.has(key)) byKey.set(key, matches);
		}
	}
	return byKey;
}

function candidatesOf(column: Column, kind: KeyOrder): string[] {
	const { name, path, controlId } = column;
	const id = isQuestion(column) ? column.fieldId : column.columnId;
	const order = {
		label: [name, path, id, controlId],
		path: [path, name, id, controlId],
		fieldId: [id, controlId, path, name],
	};
	return order[kind];
}

/** Maximum characters of a name in the editor: a few lines of n8n's panel, because the panel doesn't shorten names. */
const MAX_LIST_NAME = 200;

/**
 * Formats a name from the service for the editor: one line, without invisible characters. If the name begins with `=`,
 * adds a space before it. n8n also saves names, and would evaluate such a name as an expression.
 */
export function listName(name: string): string {
	const line = cleanLine(name, MAX_LIST_NAME);
	return line.startsWith('=') ? ` ${line}` : line;
}

/** The suffix that the editor adds to the name of a required column. */
export const REQUIRED_MARK = ' (required)';
const MAX_NAME = MAX_LIST_NAME - REQUIRED_MARK.length;
/** Maximum characters of the path in parentheses after a label, so that at least half of the name is the label. */
const MAX_PATH = 80;

/**
 * Returns unique names for the columns in the editor: `Name`, or `Room › Name` in a repeatable section. If several
 * questions have the same label, the path is added: `Remarks (Scaffolding/Checks)`. n8n 2.41 cuts names after about 27
 * characters.
 */
export function editorNames(columns: readonly Column[]): Map<Column, string> {
	const unique = occurringOnce(columns.flatMap((column) => [...new Set(editorNamesOf(column))]));
	return new Map(
		columns.map((column) => {
			const names = editorNamesOf(column);
			const name = names.find((candidate) => unique.has(candidate)) ?? names.at(-1);
			return [column, name ?? column.fieldId];
		}),
	);
}

/**
 * Returns the possible names of a column in the editor, shortest first. `Keys.find` accepts all of them, because people
 * copy them into a header.
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
 * Returns a title with a path in parentheses, such as `Remarks (Scaffolding/Checks)`. If this is too long, only the
 * title is shortened.
 */
function nameWithPath(title: string, path: string): string {
	const end = ` (${cleanLine(path, MAX_PATH)})`;
	return cleanLine(title, MAX_NAME - end.length) + end;
}

function titleOf(column: Column): string {
	const label = shownLabel(column);
	if (!isQuestion(column)) return `${label} (list of instances)`;
	return column.section === null ? label : `${shownLabel(column.section)} › ${label}`;
}

function shownLabel({ label, fieldId }: Column): string {
	return cleanLine(label, MAX_NAME) || fieldId;
}

function outerPath({ path, label }: Column): string {
	return path.endsWith(`/${label}`) ? path.slice(0, -label.length - 1) : '';
}
