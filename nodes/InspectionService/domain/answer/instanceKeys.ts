import { foldName } from '../columnName';
import { idKey } from '../id';
import type { Question, QuestionGroup } from '../template/question';
import { type AnswerKeys, keysAmong } from './answerKeys';
import { asItIs, type IndexPart, KeyIndex, type KeyKind, type Meaning } from './keyIndex';

/** The keys of one instance of a section, or of an object inside it that stands for a plain section. */
export interface InstanceKeys extends AnswerKeys {
	/**
	 * The plain sections inside that a key means: by field id, control id, path, label, or label without regard to case.
	 */
	groupsBy(key: string): Meaning<QuestionGroup>;
	/** The keys of an object that stands for a plain section: its questions, and those of the sections in it. */
	inside(group: QuestionGroup): InstanceKeys;
}

const GROUP_KEYS: readonly KeyKind<QuestionGroup>[] = [
	{ keysOf: ({ fieldId }) => [fieldId], formOf: asItIs },
	{ keysOf: ({ controlId }) => [controlId], formOf: idKey },
	{ keysOf: ({ path }) => [path], formOf: asItIs, isPath: true },
	{ keysOf: ({ label }) => [label], formOf: asItIs },
	{ keysOf: ({ label }) => [label], formOf: foldName },
];

/**
 * The keys of one instance of a section with these questions and this path. A path may begin at the section itself, or
 * at a plain section in it. There a label has to be unique only among the questions inside.
 *
 * All plain sections share one index. A thousand of them, side by side or one in the other, take no more work than
 * their questions.
 */
export function instanceKeysOf(path: string, questions: readonly Question[]): InstanceKeys {
	const ranges = rangesOf(questions);
	const keysIn = keysAmong(
		questions.map((question) => ({
			target: { question },
			place: question.group === null ? OUTSIDE : (ranges.get(question.group)?.from ?? OUTSIDE),
		})),
	);
	const groups = new KeyIndex(
		[...ranges].map(([target, { from }]) => ({ target, place: from })),
		GROUP_KEYS,
	);
	const inPart = (part: IndexPart): InstanceKeys => ({
		...keysIn(part),
		// The first place of a part is the section itself, which is not inside.
		groupsBy: (key) => groups.meaningOf(key, { ...part, from: part.from + 1 }),
		inside: (group) => inPart({ ...(ranges.get(group) ?? NOWHERE), path: group.path }),
	});
	return inPart({ from: OUTSIDE, to: Infinity, path });
}

/** Place of the questions that are in no plain section: before all that are. */
const OUTSIDE = -1;

/** Places from `from` on and before `to`. */
interface Range {
	from: number;
	to: number;
}

const NOWHERE: Range = { from: 0, to: 0 };

/** The places of each plain section around the questions: its own first, then those of the sections inside it. */
function rangesOf(questions: readonly Question[]): Map<QuestionGroup, Range> {
	const inside = sectionsInside(questions);
	const ranges = new Map<QuestionGroup, Range>();
	const stack = inside.get(null)?.toReversed() ?? [];
	for (let group = stack.pop(); group !== undefined; group = stack.pop()) {
		ranges.set(group, { from: ranges.size, to: ranges.size + 1 });
		stack.push(...(inside.get(group)?.toReversed() ?? []));
	}
	// An inner section stands after its outer one. Going backwards, its range is complete before it widens the outer
	// range.
	for (const [group, { to }] of [...ranges].reverse()) {
		const outer = group.outer && ranges.get(group.outer);
		if (outer) outer.to = Math.max(outer.to, to);
	}
	return ranges;
}

/** The plain sections around the questions, by the plain section around them; null is the repeatable section. */
function sectionsInside(
	questions: readonly Question[],
): Map<QuestionGroup | null, QuestionGroup[]> {
	const inside = new Map<QuestionGroup | null, QuestionGroup[]>();
	const seen = new Set<QuestionGroup>();
	for (const { group } of questions) {
		for (let at = group; at !== null && !seen.has(at); at = at.outer) {
			seen.add(at);
			const siblings = inside.get(at.outer);
			if (siblings === undefined) inside.set(at.outer, [at]);
			else siblings.push(at);
		}
	}
	return inside;
}
