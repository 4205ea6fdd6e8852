import {
	CursorScan,
	type Found,
	type ScanQuestion,
	type ScanResult,
} from '../domain/cursor/cursorScan';
import type { Cursor } from '../domain/cursor/cursorState';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import type { InspectionPageQuery } from '../domain/list/inspectionQuery';
import { compareTimestamps, type Timestamp } from '../domain/timestamp';

export interface PollRound<Output> {
	cursor: Cursor | undefined;
	question: ScanQuestion;
	/** One page of the list. */
	list(query: InspectionPageQuery): Promise<readonly InspectionRecord[]>;
	/** Called by a first poll, and before a page with news is looked at: what an idle poll does not need. */
	prepare?(): Promise<void>;
	/**
	 * What becomes of inspections, in their order; may ask the service for more (files, templates). Undefined leaves
	 * them to the next poll, which has more time for them: not the first of a poll, so that every poll gets somewhere.
	 */
	render(
		inspections: readonly InspectionRecord[],
		isFirst: boolean,
	): Promise<readonly Output[][] | undefined>;
	/** Inspections rendered at once, 1 or more; fewer where rendering takes long. */
	batch: number;
	/** Asked after every request and batch: the poll always gets somewhere, however little time it has. */
	hasTimeLeft(): boolean;
}

export interface PollOutcome<Output> extends ScanResult {
	/** Oldest first. */
	outputs: Output[];
	/** What ended the poll early; undefined where nothing did. */
	failure: unknown;
}

/**
 * Reads one poll's worth of news. A failure behind something that was dealt with ends the poll there: the next poll
 * goes on behind it and meets the failure first. A failure with nothing before it is for the caller to throw.
 */
export async function runPollRound<Output>(round: PollRound<Output>): Promise<PollOutcome<Output>> {
	const scan = new CursorScan(round.cursor, round.question);
	const emitted: { stamp: Timestamp; outputs: readonly Output[] }[] = [];
	let failure: unknown;
	try {
		if (round.cursor === undefined) await round.prepare?.();
		for (let query = scan.query(); query !== undefined; query = scan.query()) {
			const page = await round.list(query);
			if (scan.hasNews(page)) await round.prepare?.();
			const found = scan.receive(page);
			await renderFound(round, scan, found, emitted);
			// Asking what is newest is no progress yet.
			if (query.sortOrder === 'asc' && !round.hasTimeLeft()) break;
		}
	} catch (error) {
		failure = error;
	}
	emitted.sort((a, b) => compareTimestamps(a.stamp, b.stamp));
	return {
		...scan.conclude(),
		outputs: emitted.flatMap(({ outputs }) => outputs),
		failure,
	};
}

async function renderFound<Output>(
	round: PollRound<Output>,
	scan: CursorScan,
	found: readonly Found[],
	emitted: { stamp: Timestamp; outputs: readonly Output[] }[],
): Promise<void> {
	let done = 0;
	try {
		while (done < found.length && (done === 0 || round.hasTimeLeft())) {
			const batch = found.slice(done, done + round.batch);
			const inspections = batch.map(({ inspection }) => inspection);
			const outputs = await round.render(inspections, emitted.length === 0);
			if (outputs === undefined) break;
			for (const [index, { stamp }] of batch.entries()) {
				emitted.push({ stamp, outputs: outputs[index] ?? [] });
			}
			done += batch.length;
		}
	} finally {
		scan.confirm(done);
	}
}
