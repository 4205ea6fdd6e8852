/** What a key means: the number of its targets, and the first few of them. The number is 0 for an unknown key. */
export interface Meaning<Target> {
	readonly count: number;
	readonly targets: readonly Target[];
}

/** One kind of key, such as field ids or labels. */
export interface KeyKind<Target> {
	/** The keys of this kind that a target has. */
	keysOf(target: Target): readonly string[];
	/** The form in which two keys are compared. */
	formOf(key: string): string;
	/** Whether the keys are paths: inside a section they may also begin there. */
	isPath?: boolean;
}

/** A target and its place. The targets inside a section have places that follow each other. */
export interface PlacedTarget<Target> {
	readonly target: Target;
	readonly place: number;
}

/** A part of the targets: those with a place from `from` on and before `to`. */
export interface IndexPart {
	readonly from: number;
	readonly to: number;
	/** Path of the section whose inside this is; null for everything. */
	readonly path: string | null;
}

/** Targets that a meaning lists. Chosen: a message names no more of them. */
const LISTED = 6;
/**
 * Characters of a section's path that is put in front of keys. A longer path is not, because that work would be
 * repeated for each key. Chosen: as long as the paths that template/control.ts puts together.
 */
const MAX_SECTION_PATH = 2_000;

export const EVERYTHING: IndexPart = { from: -Infinity, to: Infinity, path: null };

/** Keys that are compared as they are. */
export const asItIs = (key: string) => key;

/**
 * Finds targets by their keys, among all targets or in a part of them. One index serves a section and all sections
 * inside it. The time of a look-up grows with the logarithm of the number of targets.
 */
export class KeyIndex<Target> {
	private readonly levels: readonly Level<Target>[];

	/** @param kinds the surest first: the first kind that knows a key says what it means */
	constructor(targets: readonly PlacedTarget<Target>[], kinds: readonly KeyKind<Target>[]) {
		const inOrder = targets.toSorted((a, b) => a.place - b.place);
		this.levels = kinds.map((kind) => new Level(inOrder, kind));
	}

	meaningOf(key: string, part: IndexPart): Meaning<Target> {
		for (const level of this.levels) {
			const meaning = level.meaningOf(key, part);
			if (meaning.count > 0) return meaning;
		}
		return { count: 0, targets: [] };
	}

	/** Every key that has a meaning, each in the form in which it is compared. */
	keys(): string[] {
		return this.levels.flatMap((level) => level.keys());
	}
}

/** The targets by one kind of key. */
class Level<Target> {
	private readonly targets = new Map<string, PlacedTarget<Target>[]>();
	private readonly kind: KeyKind<Target>;

	constructor(targets: readonly PlacedTarget<Target>[], kind: KeyKind<Target>) {
		this.kind = kind;
		for (const placed of targets) {
			for (const key of new Set(kind.keysOf(placed.target).map((each) => kind.formOf(each)))) {
				if (key === '') continue;
				const known = this.targets.get(key);
				if (known) known.push(placed);
				else this.targets.set(key, [placed]);
			}
		}
	}

	meaningOf(key: string, part: IndexPart): Meaning<Target> {
		const whole = this.inPart(key, part);
		const { path } = part;
		if (this.kind.isPath !== true || path === null || path.length > MAX_SECTION_PATH) return whole;
		const relative = this.inPart(`${path}/${key}`, part);
		return {
			count: whole.count + relative.count,
			targets: [...whole.targets, ...relative.targets].slice(0, LISTED),
		};
	}

	keys(): string[] {
		return [...this.targets.keys()];
	}

	private inPart(key: string, { from, to }: IndexPart): Meaning<Target> {
		const placed = this.targets.get(this.kind.formOf(key)) ?? [];
		const first = firstFrom(placed, from);
		const end = firstFrom(placed, to);
		const listed = placed.slice(first, Math.min(end, first + LISTED));
		return { count: end - first, targets: listed.map(({ target }) => target) };
	}
}

/** Index of the first target at a place or after it. */
function firstFrom(placed: readonly PlacedTarget<unknown>[], place: number): number {
	let [low, high] = [0, placed.length];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((placed[middle]?.place ?? Infinity) < place) low = middle + 1;
		else high = middle;
	}
	return low;
}
