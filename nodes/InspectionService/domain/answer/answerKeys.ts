import { foldName } from '../columnName';
import type { Question, QuestionGroup, RepeatableSection } from '../template/question';
import { isColumnKey } from '../rowKeys';
import type { TemplateQuestions } from '../template/templateQuestions';

/** What a key can mean: a question, or a repeatable section with all its instances. */
export type KeyTarget =
	| { question: Question; section?: undefined }
	| { section: RepeatableSection; question?: undefined };

/** A key's meaning. `instance` is what stands behind its last colon, undefined without one. */
export type KeyMatch =
	| { kind: 'none' }
	| { kind: 'ambiguous'; targets: readonly KeyTarget[] }
	| { kind: 'found'; target: KeyTarget; instance: number | undefined };

export interface AnswerKeys {
	/**
	 * What a key of an item means: field id, control id, path, column name, label, each exactly; then the same
	 * with `:n` taken off for instance n; then label, path and name as people tell them apart (`foldName`), in both ways.
	 */
	find(key: string): KeyMatch;
	/**
	 * The first key of its kind that `find` takes for this question (also with `:n` behind it) or section and for
	 * nothing else, and that can be a row's column; where there is none, a key of another kind.
	 */
	keyOf(column: Question | RepeatableSection, kind?: ColumnNames): string;
}

/** What the columns of a row are named by (contract, row options). A label that is not unique gives way to the path. */
export type ColumnNames = 'label' | 'path' | 'fieldId';

/** What the keys of one instance of a section mean, or of an object inside it that stands for a plain section. */
export interface InstanceKeys extends AnswerKeys {
	/** The plain sections that a key means: field id, control id, path, label, label without regard to case. */
	groupsBy(key: string): readonly QuestionGroup[];
	/** The keys of an object that stands for a plain section: its questions, and those of the sections in it. */
	inside(group: QuestionGroup): InstanceKeys;
}

/** Column id of a repeatable section: takes an array with one object per instance (contract). */
export function sectionColumnId(section: RepeatableSection): string {
	return `section:${section.fieldId}`;
}

const INSTANCE = /^(.+):(0|[1-9]\d*)$/s;
const NOTHING: KeyMatch = { kind: 'none' };

type Level = Map<string, KeyTarget[]>;

/** The keys of a whole template. */
export function answerKeysOf({ questions, sections }: TemplateQuestions): AnswerKeys {
	const targets: KeyTarget[] = [
		...questions.map((question) => ({ question })),
		...sections.map((section) => ({ section })),
	];
	return indexKeys(targets, (path) => [path]);
}

/** The keys of one instance of a section: paths may begin at the section, labels need to be unique in it only. */
export function instanceKeysOf(
	section: RepeatableSection,
	questions: readonly Question[],
): InstanceKeys {
	return groupKeysOf(
		section.path,
		questions.filter((question) => question.section === section),
	);
}

function groupKeysOf(outerPath: string, questions: readonly Question[]): InstanceKeys {
	const prefix = `${outerPath}/`;
	const pathsOf = (path: string) =>
		path.startsWith(prefix) ? [path, path.slice(prefix.length)] : [path];
	const keys = indexKeys(
		questions.map((question) => ({ question })),
		pathsOf,
	);
	const groups = [...new Set(questions.flatMap((question) => question.groups))];
	const levels = groupLevels(groups, pathsOf);
	const known = new Map<QuestionGroup, InstanceKeys>();
	return {
		...keys,
		groupsBy: (key) => levels(key).find((found) => found.length > 0) ?? [],
		inside(group) {
			const inner = questions.filter((question) => question.groups.includes(group));
			const innerKeys = known.get(group) ?? groupKeysOf(group.path, inner);
			known.set(group, innerKeys);
			return innerKeys;
		},
	};
}

/** The groups by each kind of key, the surest first. */
function groupLevels(groups: readonly QuestionGroup[], pathsOf: (path: string) => string[]) {
	return (key: string): QuestionGroup[][] => [
		groups.filter(({ fieldId }) => fieldId === key),
		groups.filter(({ controlId }) => controlId === key),
		groups.filter(({ path }) => pathsOf(path).includes(key)),
		groups.filter(({ label }) => label === key),
		groups.filter(({ label }) => foldName(label) === foldName(key)),
	];
}

function indexKeys(targets: KeyTarget[], pathsOf: (path: string) => string[]): AnswerKeys {
	const exact: Level[] = [
		levelOf(targets, ({ question, section }) =>
			question ? [question.fieldId] : [sectionColumnId(section), section.fieldId],
		),
		levelOf(targets, (target) => [columnOf(target).controlId]),
		levelOf(targets, (target) => pathsOf(columnOf(target).path)),
		levelOf(targets, (target) => [columnOf(target).name]),
		levelOf(targets, (target) => [columnOf(target).label]),
	];
	const folded: Level[] = [
		levelOf(targets, (target) => [foldName(columnOf(target).label)]),
		levelOf(targets, (target) => pathsOf(columnOf(target).path).map(foldName)),
		levelOf(targets, (target) => [foldName(columnOf(target).name)]),
	];
	const stems = new Set(
		exact.flatMap((level) => [...level.keys()].map((key) => splitKey(key)?.stem)),
	);

	const find = (key: string): KeyMatch => {
		const suffixed = splitKey(key);
		const withInstance = (match: KeyMatch) =>
			match.kind === 'found' && suffixed ? { ...match, instance: suffixed.instance } : match;
		return firstOf(
			() => findIn(exact, key),
			() => (suffixed ? withInstance(findIn(exact, suffixed.stem)) : NOTHING),
			() => findIn(folded, foldName(key)),
			() => (suffixed ? withInstance(findIn(folded, foldName(suffixed.stem))) : NOTHING),
		);
	};
	const fits = (key: string, column: Question | RepeatableSection) => {
		const match = find(key);
		if (match.kind !== 'found' || columnOf(match.target) !== column) return false;
		if (match.instance !== undefined || !isColumnKey(key)) return false;
		const takesInstances = (match.target.question?.section ?? null) !== null;
		return !takesInstances || !stems.has(key);
	};
	const keyOf = (column: Question | RepeatableSection, kind: ColumnNames = 'label') =>
		keysOf(column, kind).find((key) => fits(key, column)) ?? column.fieldId;
	return { find, keyOf };
}

/** The keys of a question or section, those of the kind that is wanted first. */
function keysOf(column: Question | RepeatableSection, kind: ColumnNames): string[] {
	const { name, path, controlId } = column;
	const id = 'type' in column ? column.fieldId : sectionColumnId(column);
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

function levelOf(targets: KeyTarget[], keysOf: (target: KeyTarget) => string[]): Level {
	const level: Level = new Map();
	for (const target of targets) {
		for (const key of new Set(keysOf(target))) {
			const known = level.get(key);
			if (key === '') continue;
			if (known) known.push(target);
			else level.set(key, [target]);
		}
	}
	return level;
}

function findIn(levels: Level[], key: string): KeyMatch {
	for (const level of levels) {
		const targets = level.get(key);
		if (targets === undefined) continue;
		const [target] = targets;
		if (target && targets.length === 1) return { kind: 'found', target, instance: undefined };
		return { kind: 'ambiguous', targets };
	}
	return NOTHING;
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
