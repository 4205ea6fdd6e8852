import { foldName } from '../columnName';
import { idKey } from '../id';
import { isColumnKey } from '../rowKeys';
import type { Question, QuestionGroup, RepeatableSection } from '../template/question';
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
	 * What a key of an item means: field id, control id (in any form of a GUID), path, column name, label, each exactly;
	 * then the same with `:n` taken off for instance n; then label, path and name as people tell them apart (`foldName`),
	 * in both ways.
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

/** At most nine digits: a longer number is no instance that anybody counted. */
const INSTANCE = /^(.+):(0|[1-9]\d{0,8})$/s;
const NOTHING: KeyMatch = { kind: 'none' };

/** One kind of key: what it means, and how two keys of the kind are compared. */
interface Level<Target> {
	readonly targets: ReadonlyMap<string, readonly Target[]>;
	readonly keyOf: (key: string) => string;
}

const asItIs = (key: string) => key;

/** The keys of a whole template. */
export function answerKeysOf({ questions, sections }: TemplateQuestions): AnswerKeys {
	const targets: KeyTarget[] = [
		...questions.map((question) => ({ question })),
		...sections.map((section) => ({ section })),
	];
	return indexKeys(targets, (path) => [path]);
}

/**
 * The keys of one instance of a section with these questions, or of a plain section in it, whose path is `outerPath`:
 * paths may begin there, labels need to be unique among the questions only.
 */
export function instanceKeysOf(outerPath: string, questions: readonly Question[]): InstanceKeys {
	const prefix = `${outerPath}/`;
	const pathsOf = (path: string) =>
		path.startsWith(prefix) ? [path, path.slice(prefix.length)] : [path];
	const keys = indexKeys(
		questions.map((question) => ({ question })),
		pathsOf,
	);
	const levels = groupLevels(groupsAround(questions), pathsOf);
	const known = new Map<QuestionGroup, InstanceKeys>();
	return {
		...keys,
		groupsBy: (key) => targetsIn(levels, key) ?? [],
		inside(group) {
			const inner = known.get(group) ?? instanceKeysOf(group.path, questionsIn(group, questions));
			known.set(group, inner);
			return inner;
		},
	};
}

/** All plain sections around the questions, each once; the way up ends where another question's way was. */
function groupsAround(questions: readonly Question[]): QuestionGroup[] {
	const groups = new Set<QuestionGroup>();
	for (const { group } of questions) {
		for (let at = group; at !== null && !groups.has(at); at = at.outer) groups.add(at);
	}
	return [...groups];
}

/** The questions in a plain section or in those inside it; each section on the way up is looked at once. */
function questionsIn(wanted: QuestionGroup, questions: readonly Question[]): Question[] {
	const isInside = new Map<QuestionGroup | null, boolean>([
		[wanted, true],
		[null, false],
	]);
	return questions.filter(({ group }) => {
		const way: QuestionGroup[] = [];
		let at = group;
		for (; at !== null && !isInside.has(at); at = at.outer) way.push(at);
		const found = isInside.get(at) === true;
		for (const passed of way) isInside.set(passed, found);
		return found;
	});
}

/** The groups by each kind of key, the surest first. */
function groupLevels(groups: readonly QuestionGroup[], pathsOf: (path: string) => string[]) {
	return [
		levelOf(groups, ({ fieldId }) => [fieldId]),
		levelOf(groups, ({ controlId }) => [controlId], idKey),
		levelOf(groups, ({ path }) => pathsOf(path)),
		levelOf(groups, ({ label }) => [label]),
		levelOf(groups, ({ label }) => [label], foldName),
	];
}

function indexKeys(targets: KeyTarget[], pathsOf: (path: string) => string[]): AnswerKeys {
	const exact = [
		levelOf(targets, ({ question, section }) =>
			question ? [question.fieldId] : [section.columnId, section.fieldId],
		),
		levelOf(targets, (target) => [columnOf(target).controlId], idKey),
		levelOf(targets, (target) => pathsOf(columnOf(target).path)),
		levelOf(targets, (target) => [columnOf(target).name]),
		levelOf(targets, (target) => [columnOf(target).label]),
	];
	const folded = [
		levelOf(targets, (target) => [columnOf(target).label], foldName),
		levelOf(targets, (target) => pathsOf(columnOf(target).path), foldName),
		levelOf(targets, (target) => [columnOf(target).name], foldName),
	];
	const stems = new Set(
		exact.flatMap((level) => [...level.targets.keys()].map((key) => splitKey(key)?.stem)),
	);

	const find = (key: string): KeyMatch => {
		const suffixed = splitKey(key);
		const withInstance = (match: KeyMatch) =>
			match.kind === 'found' && suffixed ? { ...match, instance: suffixed.instance } : match;
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

function levelOf<Target>(
	targets: readonly Target[],
	keysOfTarget: (target: Target) => string[],
	keyOf: (key: string) => string = asItIs,
): Level<Target> {
	const level = new Map<string, Target[]>();
	for (const target of targets) {
		for (const key of new Set(keysOfTarget(target).map(keyOf))) {
			if (key === '') continue;
			const known = level.get(key);
			if (known) known.push(target);
			else level.set(key, [target]);
		}
	}
	return { targets: level, keyOf };
}

/** What the first of the levels that knows a key has for it. */
function targetsIn<Target>(
	levels: readonly Level<Target>[],
	key: string,
): readonly Target[] | undefined {
	for (const { targets, keyOf } of levels) {
		const found = targets.get(keyOf(key));
		if (found !== undefined) return found;
	}
	return undefined;
}

function findIn(levels: readonly Level<KeyTarget>[], key: string): KeyMatch {
	const targets = targetsIn(levels, key);
	const [target] = targets ?? [];
	if (targets === undefined || target === undefined) return NOTHING;
	if (targets.length > 1) return { kind: 'ambiguous', targets };
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
