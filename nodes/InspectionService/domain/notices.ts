export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** Maximum texts in one hint. Chosen: more would fill the panel. */
const SHOWN_TEXTS = 5;

/**
 * Collects messages for the user about a run or a poll that are neither items nor errors. All messages of one kind
 * become one hint, without duplicates. The hints are in the order in which their kinds were first added.
 */
export class Notices {
	private readonly kinds = new Map<string, { level: Hint['type']; texts: Set<string> }>();

	add(kind: string, level: Hint['type'], text: string): void {
		const { texts } = this.kinds.get(kind) ?? { texts: new Set<string>() };
		this.kinds.set(kind, { level, texts: texts.add(text) });
	}

	/** Adds hints that aren't combined with other hints. So each hint has its own kind: its message. */
	addEach(hints: readonly Hint[]): void {
		for (const { message, type } of hints) this.add(message, type, message);
	}

	addAll(other: Notices): void {
		for (const [kind, { level, texts }] of other.kinds) {
			for (const text of texts) this.add(kind, level, text);
		}
	}

	lines(): string[] {
		return [...this.kinds.values()].flatMap(({ texts }) => [...texts]);
	}

	hints(): Hint[] {
		return [...this.kinds.values()].map(({ level, texts }) => {
			const more = texts.size - SHOWN_TEXTS;
			const shown = [...texts].slice(0, SHOWN_TEXTS).join(' ');
			return { message: more > 0 ? `${shown} … and ${String(more)} more` : shown, type: level };
		});
	}
}
