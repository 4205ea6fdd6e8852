import { idKey } from '../id';
import { foldName, foldPath, withoutAccents } from '../plainText';
import { isColumnKey } from '../rowKeys';
import { editorNamesOf } from './editorNames';
import { type Column, isQuestion, type RepeatableSection } from './questions';

/** What a key means. */
interface Meaning {
	/** The columns that go by the key: none for an unknown key, several for an ambiguous one. */
	readonly columns: readonly Column[];
	/** The instance that a number behind the key names, such as 2 in `Costs:2`; undefined where there is none. */
	readonly instance: number | undefined;
}

/** The keys of a whole template, or of one instance of a section. */
export interface Keys {
	/**
	 * Finds what a key means. The first of these steps that finds anything decides:
	 *
	 * 1. The key is exactly a field id, control id (in any form of a GUID), path, column name or label.
	 * 2. The same for the key without `:n` at its end, which names instance n.
	 * 3. The key is a label, path or name as people tell them apart (`foldName`), or a name as the editor shows it.
	 * 4. The same without `:n`; blanks around the colon and after the number do not matter.
	 * 5. The same two steps without accents, where exactly one column fits: `Etat general` for "État général".
	 * 6. All of this for the key without ` (required)`, as the editor shows a required question: `N (required):2`, too.
	 */
	find(key: string): Meaning;
	/**
	 * A key for a row's column that `find` takes for this column and for nothing else. For a question of a repeatable
	 * section this holds also with `:n` after the key. The key is of the wanted kind where there is such a one, else of
	 * another kind.
	 */
	keyOf(column: Column, kind?: ColumnNames): string;
}

/**
 * The kind of key that names a row's columns (docs/get-many.md, Column Names). A path replaces a label that is not
 * unique.
 */
export type ColumnNames = 'label' | 'path' | 'fieldId';

/** One kind of key, such as field ids or labels. */
interface KeyKind {
	/** The keys of this kind that a column has, among all columns or inside a section. */
	keysOf(column: Column, section: RepeatableSection | undefined): readonly string[];
	/** The form in which two keys are compared. */
	formOf(key: string): string;
}

const asItIs = (key: string) => key;

/** The surest kind first: the first kind that knows a key says what it means. */
const EXACT: readonly KeyKind[] = [
	{ keysOf: idsOf, formOf: asItIs },
	{ keysOf: ({ controlId }) => [controlId], formOf: idKey },
	{ keysOf: pathsOf, formOf: asItIs },
	{ keysOf: ({ name }) => [name], formOf: asItIs },
	{ keysOf: ({ label }) => [label], formOf: asItIs },
];

const FOLDED: readonly KeyKind[] = [
	{ keysOf: ({ label }) => [label], formOf: foldName },
	{ keysOf: pathsOf, formOf: foldPath },
	{ keysOf: ({ name }) => [name], formOf: foldName },
	{ keysOf: editorNamesOf, formOf: foldName },
];

/** The same without accents. Such a key counts only where exactly one column has it. */
const BARE: readonly KeyKind[] = FOLDED.map(({ keysOf: keysOfKind, formOf }) => ({
	keysOf: keysOfKind,
	formOf: (key) => withoutAccents(formOf(key)),
}));

function idsOf({ columnId, fieldId }: Column): string[] {
	return [columnId, fieldId];
}

/** The path, and inside a section also what follows the section's own path. */
function pathsOf({ path }: Column, section: RepeatableSection | undefined): string[] {
	const outer = section && `${section.path}/`;
	return outer !== undefined && path.startsWith(outer) ? [path, path.slice(outer.length)] : [path];
}

/** The ways to compare a key, the strictest first: the first that finds anything decides. */
function levelsOf(columns: readonly Column[], section: RepeatableSection | undefined) {
	const indexesOf = (kinds: readonly KeyKind[]) =>
		kinds.map((kind) => new KeyIndex(columns, kind, section));
	return [
		{ indexes: indexesOf(EXACT), numberedKey: numbered, mayBeSeveral: true },
		{ indexes: indexesOf(FOLDED), numberedKey: looselyNumbered, mayBeSeveral: true },
		{ indexes: indexesOf(BARE), numberedKey: looselyNumbered, mayBeSeveral: false },
	];
}

/** @param section where these are the questions inside a section: their paths may begin there */
export function keysOf(columns: readonly Column[], section?: RepeatableSection): Keys {
	const levels = levelsOf(columns, section);
	const exactKeys = levels[0]?.indexes.flatMap((index) => index.keys()) ?? [];
	const stems = new Set(exactKeys.map((key) => numbered(key)?.stem));

	const findWhole = (key: string) => {
		for (const { indexes, numberedKey, mayBeSeveral } of levels) {
			const number = numberedKey(key);
			const meaning =
				meaningIn(indexes, key) ?? (number && meaningIn(indexes, number.stem, number.instance));
			if (meaning && (mayBeSeveral || meaning.columns.length === 1)) return meaning;
		}
		return undefined;
	};
	// All rows of a sheet have the same keys.
	const meanings = new Map<string, Meaning>();
	const find = (key: string): Meaning => {
		const known = meanings.get(key);
		if (known !== undefined) return known;
		const meaning =
			findWhole(key) ??
			(REQUIRED.test(key) ? findWhole(key.replace(REQUIRED, '')) : undefined) ??
			NOTHING;
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

const NOTHING: Meaning = { columns: [], instance: undefined };

function meaningIn(
	indexes: readonly KeyIndex[],
	key: string,
	instance?: number,
): Meaning | undefined {
	for (const index of indexes) {
		const columns = index.find(key);
		if (columns !== undefined) return { columns, instance };
	}
	return undefined;
}

/** The columns by one kind of key. */
class KeyIndex {
	private readonly columns = new Map<string, Column[]>();
	private readonly kind: KeyKind;

	constructor(columns: readonly Column[], kind: KeyKind, section: RepeatableSection | undefined) {
		this.kind = kind;
		for (const column of columns) {
			const keys = kind.keysOf(column, section).map((key) => kind.formOf(key));
			for (const key of new Set(keys)) {
				const known = this.columns.get(key);
				if (known !== undefined) known.push(column);
				else if (key !== '') this.columns.set(key, [column]);
			}
		}
	}

	find(key: string): readonly Column[] | undefined {
		return this.columns.get(this.kind.formOf(key));
	}

	keys(): string[] {
		return [...this.columns.keys()];
	}
}

/** The keys that may name a column; the first is of the wanted kind. */
function candidatesOf(column: Column, kind: ColumnNames): string[] {
	const { name, path, controlId } = column;
	const id = isQuestion(column) ? column.fieldId : column.columnId;
	switch (kind) {
		case 'label':
			return [name, path, id, controlId];
		case 'path':
			return [path, name, id, controlId];
		case 'fieldId':
			return [id, controlId, path, name];
	}
}

/**
 * A key with the number of an instance, such as `Costs:2`. It has at most nine digits, because nobody counts further.
 */
const INSTANCE = /^(.+):(0|[1-9]\d{0,8})$/s;
/** The same as people write it into a header: `Costs: 2`, `Costs:2 `. */
const LOOSE_INSTANCE = /:\s*(0|[1-9]\d{0,8})$/;
/** What the editor shows behind the name of a required question. */
const REQUIRED = / \(required\)(?=(?:\s{0,9}:\s{0,9}\d{1,9})?\s{0,9}$)/i;

interface NumberedKey {
	stem: string;
	instance: number;
}

function numbered(key: string): NumberedKey | undefined {
	const [, stem, instance] = INSTANCE.exec(key) ?? [];
	return stem === undefined ? undefined : { stem, instance: Number(instance) };
}

function looselyNumbered(key: string): NumberedKey | undefined {
	const text = key.trimEnd();
	const found = LOOSE_INSTANCE.exec(text);
	if (found === null) return undefined;
	return { stem: text.slice(0, found.index), instance: Number(found[1]) };
}
