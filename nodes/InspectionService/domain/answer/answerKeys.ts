import { foldName, foldPath } from '../columnName';
import { idKey } from '../id';
import { isColumnKey } from '../rowKeys';
import { cleanLine } from '../shownText';
import type { Question, RepeatableSection } from '../template/question';
import type { TemplateQuestions } from '../template/templateQuestions';
import {
	asItIs,
	EVERYTHING,
	type IndexPart,
	KeyIndex,
	type KeyKind,
	type Meaning,
	type PlacedTarget,
} from './keyIndex';

/** What a key can mean: a question, or a repeatable section with all its instances. */
export type KeyTarget =
	| { question: Question; section?: undefined }
	| { section: RepeatableSection; question?: undefined };

/**
 * What a key means. `instance` is the number that names an instance after the key's last colon (`Costs:2`); undefined
 * where there is none. `count` is the number of targets of an ambiguous key, and `targets` are the first few of them.
 */
export type KeyMatch =
	| { kind: 'none' }
	| { kind: 'ambiguous'; count: number; targets: readonly KeyTarget[] }
	| { kind: 'found'; target: KeyTarget; instance: number | undefined };

export interface AnswerKeys {
	/**
	 * Finds what a key of an item means. The first of these steps that finds anything decides:
	 *
	 * 1. The key is exactly a field id, control id (in any form of a GUID), path, column name or label.
	 * 2. The same for the key without `:n` at its end, which names instance n.
	 * 3. The key is a label, path or name as people tell them apart (`foldName`).
	 * 4. The same without `:n`; blanks around the colon and after the number do not matter.
	 * 5. All of this for the key without ` (required)` at its end, as the editor shows a required question.
	 */
	find(key: string): KeyMatch;
	/**
	 * A key for a row's column that `find` takes for this question or section and for nothing else. For a question of a
	 * repeatable section this holds also with `:n` after the key. The key is of the wanted kind where there is such a one,
	 * else of another kind.
	 */
	keyOf(column: Question | RepeatableSection, kind?: ColumnNames): string;
}

/**
 * The kind of key that names a row's columns (docs/get-many.md, Column Names). A path replaces a label that is not
 * unique.
 */
export type ColumnNames = 'label' | 'path' | 'fieldId';

/**
 * A key with the number of an instance, such as `Costs:2`. Chosen: at most nine digits, because nobody counts further.
 */
const INSTANCE = /^(.+):(0|[1-9]\d{0,8})$/s;
/** The same as people write it into a header: `Costs: 2`, `Costs:2 `. */
const LOOSE_INSTANCE = /:\s*(0|[1-9]\d{0,8})$/;
/** What the editor shows behind the name of a required question. */
const REQUIRED = / \(required\)\s{0,9}$/i;
const NOTHING: KeyMatch = { kind: 'none' };

const EXACT: readonly KeyKind<KeyTarget>[] = [
	{
		keysOf: ({ question, section }) =>
			question ? [question.fieldId] : [section.columnId, section.fieldId],
		formOf: asItIs,
	},
	{ keysOf: (target) => [columnOf(target).controlId], formOf: idKey },
	{ keysOf: (target) => [columnOf(target).path], formOf: asItIs, isPath: true },
	{ keysOf: (target) => [columnOf(target).name], formOf: asItIs },
	{ keysOf: (target) => [columnOf(target).label], formOf: asItIs },
];

const FOLDED: readonly KeyKind<KeyTarget>[] = [
	{ keysOf: (target) => [columnOf(target).label], formOf: foldName },
	{ keysOf: (target) => [columnOf(target).path], formOf: foldPath, isPath: true },
	{ keysOf: (target) => [columnOf(target).name], formOf: foldName },
	{ keysOf: shownNames, formOf: foldName },
];

/** Characters of a label or a place in such a name. Chosen: the editor cuts longer ones, so nobody can copy them. */
const MAX_SHOWN = 200;

/** The names under which the editor shows a column, such as `Room › Name`. People copy them into the header of a sheet. */
function shownNames(target: KeyTarget): string[] {
	const { section } = target.question ?? {};
	const column = columnOf(target);
	const label = labelOf(column);
	const inSection = section ? `${labelOf(section)} › ${label}` : label;
	const title = target.section ? `${label} (list, one entry each)` : inSection;
	const places = new Set([outerPath(section ?? column), outerPath(column), column.fieldId]);
	return [title, ...[...places].map((place) => `${title} (${cleanLine(place, MAX_SHOWN)})`)];
}

function labelOf({ label, fieldId }: Question | RepeatableSection): string {
	return cleanLine(label, MAX_SHOWN) || fieldId;
}

/** The path without the column's own label. */
function outerPath({ path, label }: Question | RepeatableSection): string {
	return path.endsWith(`/${label}`) ? path.slice(0, -label.length - 1) : '';
}

/** The keys of a whole template. */
export function answerKeysOf({ questions, sections }: Readonly<TemplateQuestions>): AnswerKeys {
	const targets = [
		...questions.map((question) => ({ question })),
		...sections.map((section) => ({ section })),
	];
	return keysAmong(targets.map((target, place) => ({ target, place })))(EVERYTHING);
}

/** Gives the keys of a part of the targets, such as the inside of a section. All parts share one index. */
export function keysAmong(
	targets: readonly PlacedTarget<KeyTarget>[],
): (part: IndexPart) => AnswerKeys {
	const exact = new KeyIndex(targets, EXACT);
	const folded = new KeyIndex(targets, FOLDED);
	const stems = new Set(exact.keys().map((key) => splitKey(key)?.stem));
	return (part) => {
		const findWhole = (key: string): KeyMatch => {
			const suffixed = splitKey(key);
			const loose = splitLooseKey(key);
			const withInstance = (match: KeyMatch) =>
				match.kind === 'found' && loose ? { ...match, instance: loose.instance } : match;
			const findIn = (index: KeyIndex<KeyTarget>, text: string) =>
				matchOf(index.meaningOf(text, part));
			return firstOf(
				() => findIn(exact, key),
				() => (suffixed ? withInstance(findIn(exact, suffixed.stem)) : NOTHING),
				() => findIn(folded, key),
				() => (loose ? withInstance(findIn(folded, loose.stem)) : NOTHING),
			);
		};
		const find = (key: string) =>
			firstOf(
				() => findWhole(key),
				() => (REQUIRED.test(key) ? findWhole(key.replace(REQUIRED, '')) : NOTHING),
			);
		const fits = (key: string, column: Question | RepeatableSection) => {
			const match = find(key);
			if (match.kind !== 'found' || columnOf(match.target) !== column) return false;
			if (match.instance !== undefined || !isColumnKey(key)) return false;
			const takesInstances = (match.target.question?.section ?? null) !== null;
			return !takesInstances || !(stems.has(key) || stems.has(idKey(key)));
		};
		const keyOf = (column: Question | RepeatableSection, kind: ColumnNames = 'label') =>
			keysOf(column, kind).find((key) => fits(key, column)) ?? column.fieldId;
		return { find, keyOf };
	};
}

/** The keys of a question or section; the first is of the wanted kind. */
function keysOf(column: Question | RepeatableSection, kind: ColumnNames): string[] {
	const { name, path, controlId } = column;
	const id = 'type' in column ? column.fieldId : column.columnId;
	switch (kind) {
		case 'label':
			return [name, path, id, controlId];
		case 'path':
			return [path, name, id, controlId];
		case 'fieldId':
			return [id, controlId, path, name];
	}
}

/** The question or section that a key means. */
export function columnOf(target: KeyTarget): Question | RepeatableSection {
	return target.question ?? target.section;
}

function matchOf(meaning: Meaning<KeyTarget>): KeyMatch {
	const [target] = meaning.targets;
	if (target === undefined) return NOTHING;
	if (meaning.count > 1) return { kind: 'ambiguous', ...meaning };
	return { kind: 'found', target, instance: undefined };
}

function firstOf(...attempts: (() => KeyMatch)[]): KeyMatch {
	for (const attempt of attempts) {
		const match = attempt();
		if (match.kind !== 'none') return match;
	}
	return NOTHING;
}

function splitKey(key: string): { stem: string; instance: number } | undefined {
	const [, stem, instance] = INSTANCE.exec(key) ?? [];
	return stem === undefined ? undefined : { stem, instance: Number(instance) };
}

function splitLooseKey(key: string): { stem: string; instance: number } | undefined {
	const text = key.trimEnd();
	const found = LOOSE_INSTANCE.exec(text);
	if (found === null || found.index === 0) return undefined;
	return { stem: text.slice(0, found.index), instance: Number(found[1]) };
}
