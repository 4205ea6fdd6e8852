import type { Change } from '../domain/changes/dealWithChanges';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { compareTimestamps, type Timestamp } from '../domain/timestamp';

/** How changes become outputs. */
export interface Rendering<Output> {
	/**
	 * Makes the outputs of some inspections, in their order; may ask the service for more (files, templates). Undefined
	 * leaves them to the next poll, which has more time. Never for the first ones of a poll, so that each poll gets somewhere.
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
	/** Renders changes, in order; returns how many of them were. */
	emit(changes: readonly Change[]): Promise<number>;
	/** All outputs so far, the oldest change first. */
	outputs(): Output[];
	/** What ended the rendering early; undefined where nothing did. */
	failure(): unknown;
}

/** Collects what one poll emits. A failure ends the rendering: what was rendered before it is emitted. */
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
