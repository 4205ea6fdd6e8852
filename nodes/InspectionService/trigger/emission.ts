import type { Change } from '../domain/changes/emitNewVersions';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { compareTimestamps, type Timestamp } from '../domain/timestamp';

/** How changes become outputs. */
export interface Rendering<Output> {
	/**
	 * Makes the outputs of some inspections, in their order. May ask the service for files and templates. Undefined leaves
	 * the inspections to the next poll, because this one has no time left. The first inspections of a poll must be
	 * rendered, so that each poll gets on.
	 */
	render(
		inspections: readonly InspectionRecord[],
		isFirst: boolean,
	): Promise<readonly Output[][] | undefined>;
	/** How many inspections are rendered together: few where rendering takes long. */
	readonly batch: number;
	/** Asked after every batch. */
	hasTimeLeft(): boolean;
}

export interface Emission<Output> {
	/** Renders changes, in order. Returns how many of them it has rendered. */
	emit(changes: readonly Change[]): Promise<number>;
	/** All outputs so far, the oldest change first. */
	outputs(): Output[];
	/** The error that ended the rendering early; undefined where there was none. */
	failure(): unknown;
}

/** Collects what one poll emits. A failure ends the rendering; the outputs that were made before it are kept. */
export function emission<Output>({
	render,
	batch,
	hasTimeLeft,
}: Rendering<Output>): Emission<Output> {
	const emitted: { stamp: Timestamp; outputs: readonly Output[] }[] = [];
	let failure: unknown;
	const renderBatch = async (changes: readonly Change[]): Promise<boolean> => {
		try {
			const inspections = changes.map(({ inspection }) => inspection);
			const outputs = await render(inspections, emitted.length === 0);
			if (outputs === undefined) return false;
			for (const [index, { stamp }] of changes.entries()) {
				emitted.push({ stamp, outputs: outputs[index] ?? [] });
			}
			return true;
		} catch (error) {
			failure = error;
			return false;
		}
	};
	return {
		async emit(changes) {
			let done = 0;
			while (done < changes.length && (done === 0 || hasTimeLeft())) {
				const next = changes.slice(done, done + batch);
				if (!(await renderBatch(next))) break;
				done += next.length;
			}
			return done;
		},
		outputs: () =>
			emitted
				.toSorted((a, b) => compareTimestamps(a.stamp, b.stamp))
				.flatMap(({ outputs }) => outputs),
		failure: () => failure,
	};
}
