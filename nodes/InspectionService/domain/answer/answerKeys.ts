import { foldName, foldPath } from '../columnName';
import { idKey } from '../id';
import { isColumnKey } from '../rowKeys';
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
 * A key's meaning. `instance` is what stands after its last colon, undefined without one. Of the targets of an
 * ambiguous key the first few are listed.
 */
export type KeyMatch =
	| { kind: 'none' }
	| { kind: 'ambiguous'; count: number; targets: readonly KeyTarget[] }
	| { kind: 'found'; target: KeyTarget; instance: number | undefined };

export interface AnswerKeys {
	/**
	 * What a key of an item means: field id, control id (in any form of a GUID), path, column name, label, each exactly;
	 * then the same with `:n` taken off for instance n; then label, path and name as people tell them apart (`foldName`),
	 * in both ways.
	 */
	find(key: string): KeyMatch;
	/**
	 * The first key of its kind that `find` takes for this question (also with `:n` after it) or section and for
	 * nothing else, and that can be a row's column; where there is none, a key of another kind.
	 */
	keyOf(column: Question | RepeatableSection, kind?: ColumnNames): string;
}

/** What the columns of a row are named by (docs/get-many.md, Column Names). A label that is not unique gives way to the path. */
export type ColumnNames = 'label' | 'path' | 'fieldId';

/** At most nine digits: a longer number is no instance that anybody counted. */
const INSTANCE = /^(.+):(0|[1-9]\d{0,8})$/s;
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
];

/** The keys of a whole template. */
export function answerKeysOf({ questions, sections }: Readonly<TemplateQuestions>): AnswerKeys {
	const targets = [
		...questions.map((question) => ({ question })),
		...sections.map((section) => ({ section })),
	];
	return keysAmong(targets.map((target, place) => ({ target, place })))(EVERYTHING);
}

/** The keys of the targets in any part of them: all parts have one index. */
export function keysAmong(
	targets: readonly PlacedTarget<KeyTarget>[],
): (part: IndexPart) => AnswerKeys {
	const exact = new KeyIndex(targets, EXACT);
	const folded = new KeyIndex(targets, FOLDED);
	const stems = new Set(exact.keys().map((key) => splitKey(key)?.stem));
	return (part) => {
		const find = (key: string): KeyMatch => {
			const suffixed = splitKey(key);
			const withInstance = (match: KeyMatch) =>
				match.kind === 'found' && suffixed ? { ...match, instance: suffixed.instance } : match;
			const findIn = (index: KeyIndex<KeyTarget>, text: string) =>
				matchOf(index.meaningOf(text, part));
			return firstOf(
				() => findIn(exact, key),
				() => (suffixed ? withInstance(findIn(exact, suffixed.stem)) : NOTHING),
				() => findIn(folded, key),
				() => (suffixed ? withInstance(findIn(folded, suffixed.stem)) : NOTHING),
			);
		};
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

/** The keys of a question or section, those of the kind that is wanted first. */
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
